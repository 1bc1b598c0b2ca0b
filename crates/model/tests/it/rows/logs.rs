//! Logs: contiguous numbers, and a snapshot that the events explain.

use monotable_model::Error;
use monotable_model::rows::{Append, Log, LogEntry, LogKey as _, RuleOperation, Snapshot};
use monotable_testkit::failing::{Failing, MOMENTS};
use monotable_types::{Item, item};
use serde::{Deserialize, Serialize};

use super::keys::{MatchLog, RuleTable, ShortLog, tokens};
use super::tables::{Club, KeyValue};
use super::world::{START_SECONDS, World, on_every_table};

on_every_table!(
    events_and_snapshot_are_written_together,
    an_append_to_an_old_snapshot_does_nothing,
    events_after_the_snapshot_are_not_overwritten,
    pages_have_events_only,
    a_log_explains_its_snapshot,
    an_expired_snapshot_is_absent,
    an_append_may_be_part_of_a_transaction,
);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Event {
    points: u64,
    note: String,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct State {
    total: u64,
    notes: Vec<String>,
}

fn event(points: u64) -> Event {
    Event { points, note: format!("+{points}") }
}

fn fold(mut state: State, event: Event) -> State {
    state.total += event.points;
    state.notes.push(event.note);
    state
}

fn log() -> Log<MatchLog, Event, State> {
    MatchLog { match_id: "m1".to_owned() }.log()
}

fn append(seen: &Snapshot<State>, points: &[u64]) -> RuleOperation<MatchLog, Append<Event, State>> {
    let events: Vec<Event> = points.iter().copied().map(event).collect();
    let state = events.iter().cloned().fold(seen.state.clone().unwrap_or_default(), fold);
    log().append(seen, events, state)
}

async fn numbers<T: RuleTable>(world: &World<T>) -> Vec<u64> {
    let page = world.db.run(log().read(0, 1000)).await.unwrap();
    page.entries.iter().map(|entry| entry.sequence).collect()
}

async fn events_and_snapshot_are_written_together<T: RuleTable>(world: World<T>) {
    let db = &world.db;
    let first = db.run(log().snapshot()).await.unwrap();
    assert_eq!(first, Snapshot::first());
    let second = db.run(append(&first, &[1, 2])).await.unwrap();
    assert_eq!((second.version, second.sequence), (1, 2));
    assert_eq!(db.run(log().snapshot()).await.unwrap(), second);
    let third = db.run(append(&second, &[3])).await.unwrap();
    assert_eq!((third.version, third.sequence), (2, 3));
    assert_eq!(third.state.as_ref().unwrap().total, 6);
    let page = db.run(log().read(1, 10)).await.unwrap();
    let expected = [(2, 2), (3, 3)];
    let expected = expected.map(|(sequence, points)| LogEntry { sequence, event: event(points) });
    assert_eq!((page.entries.as_slice(), page.next), (&expected[..], None));
}

async fn an_append_to_an_old_snapshot_does_nothing<T: RuleTable>(world: World<T>) {
    let db = &world.db;
    let first = Snapshot::first();
    let second = db.run(append(&first, &[1])).await.unwrap();
    assert!(matches!(
        db.run(append(&first, &[7])).await,
        Err(Error::VersionConflict { entity: "snapshot", key }) if key == "match#m1 / state"
    ));
    let third = db.run(append(&second, &[2])).await.unwrap();
    assert!(matches!(db.run(append(&second, &[7])).await, Err(Error::VersionConflict { .. })));
    // Neither a gap nor a number twice, even with the right version.
    for sequence in [third.sequence - 1, third.sequence + 1] {
        let mut wrong = third.clone();
        wrong.sequence = sequence;
        assert!(db.run(append(&wrong, &[7])).await.is_err());
    }
    assert_eq!(numbers(&world).await, [1, 2]);
    assert_eq!(db.run(log().snapshot()).await.unwrap(), third);
    assert!(db.run(append(&third, &[])).await.is_err(), "an append has events");
}

async fn events_after_the_snapshot_are_not_overwritten<T: RuleTable>(world: World<T>) {
    let db = &world.db;
    let seen = db.run(append(&Snapshot::first(), &[1])).await.unwrap();
    let mut orphan = world.row("match#m1", "log#000001").await.unwrap();
    orphan.insert(T::META.sort_key.unwrap().to_owned(), "log#000003".into());
    world.write_raw(orphan).await;
    let refused = db.run(append(&seen, &[2, 3])).await;
    assert!(matches!(refused, Err(Error::OutOfSequence { expected: 3, .. })));
    db.run(append(&seen, &[2])).await.unwrap();
}

async fn pages_have_events_only<T: RuleTable>(world: World<T>) {
    let db = &world.db;
    let mut seen = Snapshot::first();
    for _ in 0..5 {
        seen = db.run(append(&seen, &[1; 5])).await.unwrap();
    }
    // Rows before, between and after the events, in the order of the sort keys.
    for sort in ["ally#1", "log", "log#", "log#00002x", "log#9999990", "secret", "summary#1"] {
        let mut row = item! { "v" => "x" };
        row.insert(T::META.partition_key.to_owned(), "match#m1".into());
        row.insert(T::META.sort_key.unwrap().to_owned(), sort.into());
        world.write_raw(row).await;
    }
    let mut read = Vec::new();
    let mut after = Some(0);
    while let Some(number) = after {
        let page = db.run(log().read(number, 10)).await.unwrap();
        read.push(page.entries.len());
        assert_eq!(page.entries[0].sequence, number + 1);
        after = page.next;
    }
    assert_eq!(read, [10, 10, 5]);
    assert_eq!(db.run(log().read(0, 25)).await.unwrap().next, None);
    assert_eq!(db.run(log().read(0, 24)).await.unwrap().next, Some(24));
    assert_eq!(numbers(&world).await, (1..=25).collect::<Vec<_>>());
    for after in [25, 999_999, u64::MAX] {
        assert!(db.run(log().read(after, 10)).await.unwrap().entries.is_empty());
    }
    assert!(db.run(log().read(0, 0)).await.unwrap().entries.is_empty());
}

async fn a_log_explains_its_snapshot<T: RuleTable>(world: World<T>) {
    let db = &world.db;
    let replay = || log().replay(State::default(), fold);
    assert!(db.run(replay()).await.unwrap().is_explained());
    let mut seen = Snapshot::first();
    for points in 0..4 {
        seen = db.run(append(&seen, &vec![points; 60])).await.unwrap();
    }
    let replayed = db.run(replay()).await.unwrap();
    assert!(replayed.is_explained());
    assert_eq!(replayed.folded.total, 360);

    let forged = log().append(&seen, vec![event(1)], State::default());
    seen = db.run(forged).await.unwrap();
    assert!(!db.run(replay()).await.unwrap().is_explained());

    let mut key = Item::from([(T::META.partition_key.to_owned(), "match#m1".into())]);
    key.insert(T::META.sort_key.unwrap().to_owned(), "log#000007".into());
    world.delete_raw(key).await;
    let gap = db.run(replay()).await;
    assert!(matches!(gap, Err(Error::OutOfSequence { expected: 7, .. })));
    assert_eq!(seen.sequence, 241);
}

async fn an_expired_snapshot_is_absent<T: RuleTable>(world: World<T>) {
    let db = &world.db;
    let seen = db.run(append(&Snapshot::first(), &[1])).await.unwrap();
    let expiry = T::META.ttl_attribute.unwrap_or("ttl");
    for sort in ["state", "log#000001"] {
        let mut row = world.row("match#m1", sort).await.unwrap();
        row.insert(expiry.to_owned(), (START_SECONDS + 10).into());
        world.write_raw(row).await;
    }
    world.pass(10);
    assert_eq!(db.run(log().snapshot()).await.unwrap(), Snapshot::first());
    assert!(numbers(&world).await.is_empty());
    assert!(matches!(db.run(append(&seen, &[2])).await, Err(Error::VersionConflict { .. })));
    let again = db.run(append(&Snapshot::first(), &[5])).await.unwrap();
    assert_eq!((again.version, again.sequence), (1, 1));
    assert_eq!(numbers(&world).await, [1]);
}

async fn an_append_may_be_part_of_a_transaction<T: RuleTable>(world: World<T>) {
    let db = &world.db;
    let kills = tokens("u1");
    let mut tx = db.transact().with(kills.add(1));
    let appended = tx.add(append(&Snapshot::first(), &[1]));
    let seen = tx.commit().await.unwrap()[appended].clone();
    assert_eq!(db.run(log().snapshot()).await.unwrap(), seen);
    let late = db.transact().with(kills.add(1)).with(append(&Snapshot::first(), &[1])).await;
    let Err(Error::Transaction { failures }) = late else { panic!("the snapshot is old") };
    assert_eq!(failures[0].label.to_string(), "append to log");
    assert!(failures[0].key.starts_with("match#m1 / "), "{}", failures[0].key);
    assert_eq!(db.run(kills.value()).await.unwrap(), 1);
}

#[tokio::test]
async fn rows_are_as_the_table_keeps_values() {
    let world = World::<KeyValue>::new().await;
    world.db.run(append(&Snapshot::first(), &[1])).await.unwrap();
    assert_eq!(
        world.rows().await,
        [
            item! {
                "pk" => "match#m1", "sk" => "log#000001", "ct" => "application/json",
                "v" => r#"{"points":1,"note":"+1"}"#, "ver" => 1,
            },
            item! {
                "pk" => "match#m1", "sk" => "state", "ct" => "application/json",
                "v" => r#"{"total":1,"notes":["+1"]}"#, "ver" => 1, "seq" => 1,
            },
        ]
    );

    let world = World::<Club>::new().await;
    world.db.run(append(&Snapshot::first(), &[1])).await.unwrap();
    let event = world.row("match#m1", "log#000001").await.unwrap();
    assert_eq!(event["v"].as_m().unwrap()["points"], 1.into());
    assert_eq!(event["ItemType"], "LOG".into());
    assert_eq!(world.row("match#m1", "state").await.unwrap()["ItemType"], "SNAPSHOT".into());
}

#[tokio::test]
async fn a_snapshot_keeps_attributes_of_other_programs() {
    let world = World::<KeyValue>::new().await;
    let db = &world.db;
    let large = Event { points: 1, note: "x".repeat(20_000) };
    let state = fold(State::default(), large.clone());
    db.run(log().append(&Snapshot::first(), vec![large], state.clone())).await.unwrap();
    let mut row = world.row("match#m1", "state").await.unwrap();
    assert!(row["v"].as_b().is_some(), "long values are compressed");
    row.insert("ttl".to_owned(), (START_SECONDS + 1000).into());
    row.insert("meta".to_owned(), monotable_types::map! { "compressed" => true, "by" => "me" });
    world.write_raw(row).await;

    let seen = db.run(log().snapshot()).await.unwrap();
    assert_eq!(seen.state.as_ref(), Some(&state));
    let seen = db.run(log().append(&seen, vec![event(2)], State::default())).await.unwrap();
    let row = world.row("match#m1", "state").await.unwrap();
    assert_eq!(row["v"].as_s(), Some(r#"{"total":0,"notes":[]}"#));
    assert_eq!(row["ttl"], (START_SECONDS + 1000).into());
    assert_eq!(row["meta"], monotable_types::map! { "by" => "me" });
    assert_eq!(db.run(log().snapshot()).await.unwrap(), seen);
}

#[tokio::test]
async fn a_snapshot_without_version_is_version_0() {
    let world = World::<KeyValue>::new().await;
    world
        .write_raw(item! {
            "pk" => "match#m1", "sk" => "state", "v" => r#"{"total":4,"notes":[]}"#, "seq" => 2,
        })
        .await;
    let seen = world.db.run(log().snapshot()).await.unwrap();
    assert_eq!((seen.version, seen.sequence), (0, 2));
    let next = world.db.run(append(&seen, &[1])).await.unwrap();
    assert_eq!((next.version, next.sequence), (1, 3));
    assert!(world.db.run(append(&seen, &[1])).await.is_err());
}

#[tokio::test]
async fn a_log_ends_where_its_template_does() {
    let world = World::<Club>::new().await;
    let log = ShortLog.log::<Event, State>();
    let seen =
        world.db.run(log.append(&Snapshot::first(), vec![event(1); 9], State::default())).await;
    let more = world.db.run(log.append(&seen.unwrap(), vec![event(1)], State::default())).await;
    assert!(matches!(more, Err(Error::Key { entity: "log", .. })));
    assert_eq!(world.db.run(log.read(0, 100)).await.unwrap().entries.len(), 9);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_appends_leave_no_gap() {
    let world = World::<KeyValue>::new().await;
    let tasks: Vec<_> = (0..8)
        .map(|points| {
            let db = world.db.clone();
            tokio::spawn(async move {
                let mut left = 5;
                while left > 0 {
                    let seen = db.run(log().snapshot()).await.unwrap();
                    match db.run(append(&seen, &[points, points])).await {
                        Ok(_) => left -= 1,
                        Err(error) => {
                            assert!(matches!(error, Error::VersionConflict { .. }), "{error}");
                            tokio::task::yield_now().await;
                        }
                    }
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    assert_eq!(numbers(&world).await, (1..=80).collect::<Vec<_>>());
    let replayed = world.db.run(log().replay(State::default(), fold)).await.unwrap();
    assert!(replayed.is_explained());
    assert_eq!(replayed.folded.total, (0..8).sum::<u64>() * 10);
}

#[tokio::test]
async fn a_crash_between_any_two_calls_leaves_a_log_that_explains_its_snapshot() {
    for moment in MOMENTS {
        for calls in 0..12 {
            let world = World::<KeyValue>::new().await;
            let crashing = world.through(Failing::at(&world.backend, calls, moment)).await;
            let mut seen = Snapshot::first();
            while let Ok(next) = crashing.run(append(&seen, &[1, 2, 3])).await {
                seen = match crashing.run(log().snapshot()).await {
                    Ok(seen) => seen,
                    Err(_) => next,
                };
            }
            let replayed = world.db.run(log().replay(State::default(), fold)).await.unwrap();
            assert!(replayed.is_explained());
            let after = world.db.run(log().snapshot()).await.unwrap();
            assert_eq!(numbers(&world).await.len() as u64, after.sequence);
            world.db.run(append(&after, &[4])).await.unwrap();
        }
    }
}
