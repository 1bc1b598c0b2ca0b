//! Rows of older programs and of accidents, brought up to date while others play.

use monotable::Item;
use monotable::dynamodb::{DeleteItem, PutItem};
use monotable_btl_run::legacy::{Conflict, Report, backfill, rebuild};
use serde_json::{Value, json};

use crate::players::Play as _;
use crate::world::{Actor, Opened, TABLE, World};

const HOUR_MS: u64 = 60 * 60 * 1000;

fn put(world: &World, row: Item) {
    world.database.put_item(PutItem::new(TABLE, row)).unwrap();
}

fn remove(world: &World, pk: String, sk: &str) {
    let key = monotable::item! { "pk" => pk, "sk" => sk };
    world.database.delete_item(DeleteItem::new(TABLE, key)).unwrap();
}

/// The row of a match's state, with its value changed.
fn change_state(world: &World, opened: &Opened, change: impl FnOnce(&mut Value)) {
    let pk = format!("match#{}", opened.id);
    let rows = world.rows();
    let is_state = |row: &&Item| row["pk"].as_s() == Some(&pk) && row["sk"].as_s() == Some("state");
    let mut row = rows.iter().find(is_state).unwrap().clone();
    let mut value: Value = serde_json::from_str(row["v"].as_s().unwrap()).unwrap();
    change(&mut value);
    row.insert("v".to_owned(), value.to_string().into());
    put(world, row);
}

async fn mend(world: &World) -> Report {
    let report = backfill(&world.app).await.unwrap();
    let again = backfill(&world.app).await.unwrap();
    let nothing = Report {
        matches: report.matches,
        conflicts: report.conflicts.clone(),
        ..Report::default()
    };
    assert_eq!(again, nothing, "done again, it changes nothing");
    report
}

async fn started(world: &World, fields: Value) -> Opened {
    let opened = world.open_match(fields).await;
    world.join_as(Actor::User("bob"), &opened, "Bob").await;
    world.host(&opened, "start", json!({})).await;
    opened
}

#[tokio::test]
async fn a_table_that_is_up_to_date_stays_as_it_is() {
    let world = World::new().await;
    started(&world, json!({})).await;
    started(&world, json!({ "mode": "long", "shardedLog": true })).await;
    let before = world.rows();
    let report = mend(&world).await;
    assert_eq!(report, Report { matches: 2, ..Report::default() });
    assert_eq!(world.rows(), before);
}

#[tokio::test]
async fn events_after_the_state_are_reported_and_removed() {
    for fields in [json!({}), json!({ "shardedLog": true })] {
        let world = World::new().await;
        let opened = started(&world, fields).await;
        let state = world.app.match_row(&opened.id.parse().unwrap()).await.unwrap().state;
        for seq in [state.log_seq + 1, state.log_seq + 2, state.log_seq + 9] {
            let pk = match state.shard_count {
                0 => format!("match#{}", opened.id),
                shards => format!("match#{}#shard{}", opened.id, seq % shards),
            };
            put(
                &world,
                monotable::item! { "pk" => pk, "sk" => format!("log#{seq:06}"), "v" => r#"{"odd":1}"# },
            );
        }
        let report = mend(&world).await;
        let mut told: Vec<_> =
            report.orphans.iter().map(|orphan| orphan.seq - state.log_seq).collect();
        told.sort_unstable();
        assert_eq!(told, [1, 2, 9]);
        assert!(report.orphans.iter().all(|orphan| orphan.event == r#"{"odd":1}"#));
        world.host(&opened, "advance", json!({ "force": true })).await;
        world.check_log(&opened).await;
    }
}

#[tokio::test]
async fn a_state_that_differs_from_its_log_is_rebuilt() {
    let world = World::new().await;
    let opened = started(&world, json!({})).await;
    let before = world.app.match_row(&opened.id.parse().unwrap()).await.unwrap();
    change_state(&world, &opened, |state| {
        state["day"] = json!(7);
        state["ofOthers"] = json!("kept");
        state["version"] = json!(99);
    });
    let report = mend(&world).await;
    assert_eq!(report.rebuilt, std::slice::from_ref(&before.match_id));
    let after = world.app.match_row(&before.match_id).await.unwrap();
    assert_eq!(
        (after.state.day, after.stamps.version),
        (before.state.day, before.stamps.version + 1)
    );
    assert_eq!(after.state.unknown["ofOthers"], json!("kept"));
    // The version alone.
    change_state(&world, &opened, |state| state["version"] = json!(99));
    assert_eq!(mend(&world).await.versions, 1);
    // By hand, for one match.
    change_state(&world, &opened, |state| state["turn"] = json!(3));
    assert_eq!(rebuild(&world.app, &before.match_id).await.unwrap().turn, 1);
    // A state that is gone.
    remove(&world, format!("match#{}", opened.id), "state");
    assert_eq!(mend(&world).await.rebuilt, std::slice::from_ref(&before.match_id));
    assert_eq!(world.look(&opened).await["turnId"], "d1t1");
}

#[tokio::test]
async fn rows_that_older_programs_did_not_write_are_added() {
    let world = World::new().await;
    let opened = started(&world, json!({ "mode": "long" })).await;
    let lobby = world.open_match(json!({})).await;
    let missing: Vec<Item> = world
        .rows()
        .into_iter()
        .filter(|row| {
            let pk = row["pk"].as_s().unwrap();
            ["budget#", "due#", "user#"].iter().any(|prefix| pk.starts_with(prefix))
        })
        .collect();
    for row in &missing {
        remove(&world, row["pk"].as_s().unwrap().to_owned(), row["sk"].as_s().unwrap());
    }
    let report = mend(&world).await;
    let counts = (report.budgets, report.due_rows, report.my_matches, report.lobbies);
    assert_eq!(counts, (2, 1, 3, 1));
    assert_eq!(report.conflicts, []);
    let rows = world.rows();
    for row in missing {
        let same = rows.iter().find(|one| one["pk"] == row["pk"] && one["sk"] == row["sk"]);
        let found = same.unwrap_or_else(|| panic!("{row:?} is missing"));
        if row["sk"].as_s() != Some("lobbies") {
            assert_eq!(found.get("v"), row.get("v"));
        }
    }
    // A turn whose time was over so long ago that nobody looks for it.
    world.clock.advance_ms(100 * HOUR_MS);
    assert_eq!(mend(&world).await.resolved, 1);
    assert_eq!(world.look(&opened).await["day"], 2);
    remove(&world, format!("match#{}", lobby.id), "secret");
    let conflict = Conflict::SecretMissing { match_id: lobby.id.parse().unwrap() };
    assert_eq!(mend(&world).await.conflicts, [conflict]);
}

#[tokio::test]
async fn conflicts_are_reported_and_left_unchanged() {
    let world = World::new().await;
    let opened = started(&world, json!({})).await;
    let odd = monotable::item! { "pk" => "match#odd", "sk" => "state", "v" => r#"{"matchId":7}"# };
    put(&world, odd.clone());
    remove(&world, format!("match#{}", opened.id), "log#000002");
    let before = world.rows();
    let report = mend(&world).await;
    assert_eq!(world.rows(), before);
    assert_eq!((report.matches, report.conflicts.len()), (1, 2));
    assert!(report.conflicts.iter().any(|one| matches!(one, Conflict::LogUnsound { .. })));
    assert!(report.conflicts.iter().any(|one| matches!(one, Conflict::Unreadable { .. })));
}

#[tokio::test]
async fn unarchived_ended_matches_are_archived() {
    let world = World::new().await;
    let opened = started(&world, json!({})).await;
    world.host(&opened, "end", json!({})).await;
    remove(&world, "task#archive".to_owned(), &opened.id);
    assert_eq!(mend(&world).await.archives, 1);
    assert_eq!(world.app.work().await.unwrap().archived.done, 1);
    assert_eq!(mend(&world).await.archives, 0);
    let pinned = started(&world, json!({})).await;
    world.host(&pinned, "pin", json!({ "pinned": true })).await;
    world.host(&pinned, "end", json!({})).await;
    world.app.work().await.unwrap();
    assert_eq!(mend(&world).await.archives, 0);
}

/// Turns go on while the table is looked at, again and again.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn it_can_run_while_matches_are_played() {
    let world = World::new().await;
    let opened = started(&world, json!({ "mode": "standard", "aiCount": 20 })).await;
    let play = async {
        for _ in 0..8 {
            let path = opened.path("advance");
            let turn = world.look(&opened).await["turnId"].take();
            if turn.is_null() {
                break;
            }
            let body = json!({ "turnId": turn, "force": true });
            let told = world.post(opened.actor(), &path, body).await;
            assert!(told.status == 200 || told.json()["code"] == "MATCH_ENDED", "{}", told.text);
        }
    };
    let other = world.another_process().await;
    let mending = async {
        let mut reports = Vec::new();
        for _ in 0..8 {
            reports.push(backfill(&other.app).await.unwrap());
        }
        reports
    };
    let ((), reports) = tokio::join!(play, mending);
    for report in reports {
        assert_eq!((report.rebuilt, report.orphans), (vec![], vec![]));
    }
    world.check_log(&opened).await;
}

#[tokio::test]
async fn a_match_that_can_not_be_read_keeps_no_other_from_its_repair() {
    let world = World::new().await;
    let broken = started(&world, json!({})).await;
    let drifted = started(&world, json!({})).await;
    let pk = format!("match#{}", broken.id);
    let row = |sk: &str| {
        monotable::item! { "pk" => pk.clone(), "sk" => sk, "v" => "{broken", "ver" => 1 }
    };
    put(&world, row("state"));
    // Nor can it be rebuilt.
    put(&world, row("log#000002"));
    change_state(&world, &drifted, |state| state["version"] = 77.into());
    let report = mend(&world).await;
    assert_eq!(report.versions, 1, "{report:?}");
    let is_told = |conflict: &Conflict| matches!(conflict, Conflict::Unreadable { reason } if reason.contains(&broken.id));
    assert!(report.conflicts.iter().any(is_told), "{report:?}");
}
