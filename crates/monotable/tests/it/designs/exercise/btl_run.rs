//! btl.run: values with version and expiry, compressed when long; counters, locks and logs.

use std::slice;
use std::time::Duration;

use monotable::model::{Entity as _, Error};
use monotable::rows::{Layout, Lock, RowKey};
use monotable::{AttributeValue, item, map};

use super::{NOW_SECONDS, Random, World, all, id};
use crate::designs::btl_run::*;
use crate::support::literal::Literal;
use monotable::prelude::*;

type Matches = World<BtlRun>;

const STATE: &str = r#"{
    "pk": "match#m1", "sk": "state",
    "v": '{"matchId":"m1","status":"active","day":1,"turn":2,"roster":["t1"]}',
    "ct": "application/json", "ver": 1, "ttl": 1799999999 }"#;

const EVENT: &str = r#"{
    "pk": "match#m1", "sk": "log#000001",
    "v": '{"seq":1,"type":"MATCH_CREATED","timestamp":1763208000000,"data":{"by":"u1"}}',
    "ct": "application/json" }"#;

async fn written_state(world: &Matches) -> MatchState {
    world.written(STATE, |db| db.match_state(&id("m1"))).await
}

async fn written_event(world: &Matches) -> Event {
    world.written(EVENT, |db| db.events_after(&id("m1"), 0)).await
}

#[tokio::test]
async fn rows_of_a_match_are_written_as_printed_and_found() {
    let world = Matches::new().await;
    let (state, event) = (written_state(&world).await, written_event(&world).await);
    let summary = r#"{
        "pk": "match#m1", "sk": "summary#2", "v": '{"day":2,"narration":"Quiet."}',
        "ct": "application/json" }"#;
    let secret = r#"{
        "pk": "match#m1", "sk": "secret", "v": '{"seed":"s"}', "ct": "application/json", "ver": 1 }"#;
    let message = r#"{
        "pk": "match#m1", "sk": "ally#a1#000001",
        "v": '{"alliance_id":"a1","seq":1,"text":"Hi"}', "ct": "application/json" }"#;
    let summary: Summary = world.written(summary, |db| db.summaries(&id("m1"))).await;
    let secret: Secret = world.written(secret, |db| db.secret(&id("m1"))).await;
    let question = |db: &Store<BtlRun>| db.messages(&id("m1"), &id("a1"));
    let message: AllianceMessage = world.written(message, question).await;
    let others = world.create(&message, |next| next.alliance_id = id("a10")).await;
    let reply = world.create(&message, |next| next.seq = 2).await;
    let day10 = world.create(&summary, |next| next.day = 10).await;
    let event2 = world.create(&event, |next| next.seq = 2).await;
    let event10 = world.create(&event, |next| next.seq = 10).await;
    let second = world.create(&state, |next| next.match_id = id("m2")).await;

    let db = &world.db;
    let m1 = id("m1");
    assert_eq!(all(db.events_after(&m1, 0)).await, [event, event2.clone(), event10.clone()]);
    assert_eq!(all(db.events_after(&m1, 1)).await, [event2, event10.clone()]);
    let page = db.events_after(&m1, 1).take(1).page().await.unwrap();
    assert_eq!(page.rows.len(), 1);
    let next = db.events_after(&m1, 1).take(1).after(&page.next.unwrap()).page().await.unwrap();
    assert_eq!((next.rows, next.next), (vec![event10], None));
    assert_eq!(all(db.summaries(&m1)).await, [day10, summary], "days are sorted by the reader");
    assert_eq!(db.secret(&m1).await.unwrap(), Some(secret));
    assert_eq!(all(db.messages(&m1, &id("a1"))).await, [message, reply]);
    assert_eq!(all(db.messages(&m1, &id("a10"))).await, [others]);
    let keys = ["m2", "m9", "m1"].map(|match_id| MatchStateKey::new(id(match_id)));
    assert_eq!(db.match_states(&keys).await.unwrap(), [Some(second), None, Some(state)]);
}

#[tokio::test]
async fn rows_of_users_and_of_the_service_are_written_as_printed_and_found() {
    let world = Matches::new().await;
    let db = &world.db;
    let invite = r#"{
        "pk": "invite#ABC123", "sk": "meta", "v": '{"matchId":"m1"}', "ct": "application/json",
        "ver": 1, "ttl": 1799999999 }"#;
    let _: Invite = world.written(invite, |db| db.invite(&id("ABC123"))).await;
    let profile = r#"{
        "pk": "user#u1", "sk": "profile", "v": '{"userId":"u1","displayName":"U"}',
        "ct": "application/json", "ver": 1 }"#;
    let _: Profile = world.written(profile, |db| db.profile(&id("u1"))).await;
    let mine = r#"{
        "pk": "user#u1", "sk": "match#NOW#m1", "v": '{"role":"host"}', "ct": "application/json" }"#;
    let mine: MyMatch = world.written(mine, |db| db.my_matches(&id("u1"))).await;
    let newer = world.create(&mine, |next| next.match_id = id("m2")).await;
    assert_eq!(all(db.my_matches(&id("u1"))).await, [newer, mine]);
    let answer = r#"{
        "pk": "idem#user:u1", "sk": "k1", "v": '{"hash":"h","status":201,"body":"{}"}',
        "ct": "application/json", "ttl": 1799999999 }"#;
    let question = |db: &Store<BtlRun>| db.idempotency(&id("user:u1"), &id("k1"));
    let _: Idempotency = world.written(answer, question).await;
    let due = r#"{ "pk": "due#2025111512", "sk": "1763208000000#m1", "ttl": 1799999999 }"#;
    let hour = id("2025111512");
    let due: Due = world.written(due, |db| db.due(&hour, 1_763_208_000_000)).await;
    let later = world.create(&due, |next| next.cutoff_ms += 1).await;
    assert_eq!(all(db.due(&hour, 1_763_207_999_999)).await, []);
    assert_eq!(all(db.due(&hour, 1_763_208_000_000)).await, slice::from_ref(&due));
    assert_eq!(all(db.due(&hour, 1_763_208_000_001)).await, [due, later]);
}

#[tokio::test]
async fn bare_values_are_written_as_printed_and_count() {
    let world = Matches::new().await;
    let rate = r#"{
        "pk": "rate#u1", "sk": "submit_action#29386800", "v": 1, "ttl": 1799999999 }"#;
    let question = |db: &Store<BtlRun>| db.rate(&id("u1"), &id("submit_action"), 29_386_800);
    let rate: RateCounter = world.written(rate, question).await;
    let update = RateCounter::update(&rate.key()).add_count(1);
    assert_eq!(world.db.update(update).await.unwrap().count, 2);
    // The next window begins with its first call.
    let next = RateCounterKey { window: 29_386_801, ..rate.key() };
    let first = RateCounter::update(&next).add_count(1).ttl(rate.ttl).or_create();
    assert_eq!(world.db.update(first).await.unwrap().count, 1);
    let row = item! {
        "pk" => "rate#u1", "sk" => "submit_action#29386801", "v" => 1, "ttl" => 1_799_999_999,
    };
    assert_eq!(world.row("rate#u1", "submit_action#29386801"), Some(row));

    let budget = r#"{ "pk": "budget#m1", "sk": "tokens", "v": 0 }"#;
    let reservation = r#"{ "pk": "budget#m1", "sk": "res#r1", "v": 800, "ttl": 1799999999 }"#;
    let budget: Budget = world.written(budget, |db| db.budget(&id("m1"))).await;
    let _: Reservation = world.written(reservation, |db| db.reservations(&id("m1"))).await;
    let reserve = || {
        let update = Budget::update(&budget.key()).add_tokens(800);
        world.db.update(update.when(budget::tokens().le(1000_u64 - 800)))
    };
    assert_eq!(reserve().await.unwrap().tokens, 800);
    let spent = reserve().await.unwrap_err();
    assert!(matches!(spent, Error::ConditionFailed { .. }), "{spent}");
}

#[tokio::test]
async fn a_lock_is_taken_once_and_again_when_it_has_expired() {
    let world = Matches::new().await;
    let lock = format!(
        r#"{{ "pk": "lock#match#m1", "sk": "v", "v": "token-a", "ver": 1, "ttl": {} }}"#,
        NOW_SECONDS + 30
    );
    let lock: MatchLock = world.written(&lock, |db| db.lock(&id("m1"))).await;
    let rival = MatchLock { owner: "token-b".to_owned(), ..lock.clone() };
    let held = world.db.create(&rival).await.unwrap_err();
    assert!(matches!(held, Error::Exists { entity: "MatchLock", .. }), "{held}");
    world.clock.advance_ms(30_000);
    assert_eq!(world.db.lock(&id("m1")).await.unwrap(), None);
    let ttl = Some(EpochSeconds::new(NOW_SECONDS + 60));
    world.db.create(&MatchLock { ttl, ..rival }).await.unwrap();
    assert_eq!(world.row("lock#match#m1", "v").unwrap()["v"], "token-b".into());

    // The rule for locks keeps the same row, and lets only its holder release it.
    let rule = Lock::at(RowKey::of(&lock.key()).unwrap()).layout(Layout::default().lease("ttl"));
    let lease = Duration::from_secs(30);
    assert!(world.db.run(rule.acquire(lease)).await.is_err());
    world.clock.advance_ms(30_000);
    let held = world.db.run(rule.acquire(lease)).await.unwrap();
    let row = world.db.lock(&id("m1")).await.unwrap().unwrap();
    assert_eq!((row.owner, row.ttl, row.ver), (held.token.clone(), Some(held.ends_at), held.fence));
    assert!(world.db.run(rule.release("token-b")).await.is_err());
    world.db.run(rule.release(held.token)).await.unwrap();
    world.db.run(rule.acquire(lease)).await.unwrap();
}

#[tokio::test]
async fn values_of_more_than_ten_thousand_bytes_are_compressed() {
    let world = Matches::new().await;
    let state = written_state(&world).await;
    // The quotes and names of the JSON text count too.
    let roster_of = |bytes: usize| vec!["x".repeat(bytes - 65)];
    let state = world.db.edit(state, |state| state.roster = roster_of(10_000)).await.unwrap();
    let row = world.row("match#m1", "state").unwrap();
    assert_eq!(row["v"].as_s().map(str::len), Some(10_000));
    assert!(!row.contains_key("meta"));
    let state = world.db.edit(state, |state| state.roster = roster_of(10_001)).await.unwrap();
    let row = world.row("match#m1", "state").unwrap();
    assert_eq!(row["meta"], map! { "compressed" => true });
    assert_eq!(row["v"].as_b().unwrap()[..2], [0x1f, 0x8b], "gzip");
    assert_eq!((&row["ver"], &row["ct"]), (&3.into(), &"application/json".into()));
    assert_eq!(world.db.match_state(&id("m1")).await.unwrap(), Some(state.clone()));
    world.db.edit(state, |state| state.roster.clear()).await.unwrap();
    let row = world.row("match#m1", "state").unwrap();
    assert!(row["v"].as_s().is_some());
    assert!(!row.contains_key("meta"));
}

#[tokio::test]
async fn a_sharded_log_is_read_in_order_whoever_wrote_it() {
    let world = Matches::new().await;
    let printed = r#"{
        "pk": "match#m1#shard2", "sk": "log#000022",
        "v": '{"seq":22,"type":"HAZARD","timestamp":1763208000000}', "ct": "application/json" }"#;
    let last: ShardedEvent = world.written(printed, |db| db.sharded_events(&id("m1"))).await;
    written_event(&world).await;
    // Written backwards, every second one by the seed's own `getShardedLogKey`.
    for seq in (1..22_u32).rev() {
        if seq % 2 == 0 {
            world.create(&last, |event| event.seq = seq).await;
            continue;
        }
        let row = "{ pk: `match#${matchId}#shard${shard}`, sk: `log#${seq}`, v: json,
            ct: 'application/json' }";
        let json = format!(r#"{{"seq":{seq},"type":"HAZARD","timestamp":1763208000000}}"#);
        let literal = Literal::new(row).bind("matchId", "m1").bind("shard", seq % 4);
        world.put(literal.bind("seq", format!("{seq:06}")).bind("json", json).item());
    }
    let events = all(world.db.sharded_events(&id("m1"))).await;
    assert!(events.iter().map(|event| event.seq).eq(1..=22));
    assert!(
        world.has("match#m1#shard3", "log#000003") && world.has("match#m1#shard0", "log#000004")
    );
    let refused = world.db.create(&ShardedEvent { seq: 3, ..last }).await.unwrap_err();
    assert!(matches!(refused, Error::Exists { .. }), "{refused}");
}

/// Rows as the seed's functions write them: without version, compressed, or with more than the model
/// knows, in the value and beside it.
#[tokio::test]
async fn rows_of_the_seeds_functions_are_read_and_what_the_model_does_not_know_survives() {
    let world = Matches::new().await;
    let json = r#"{"matchId":"m1","status":"lobby","day":1,"turn":0,"theme":{"tone":"dark"}}"#;
    let printed = "{ pk: `match#${matchId}`, sk: 'state', v: JSON.stringify(state),
        ct: 'application/json', meta: { source: 'import' } }";
    let literal = Literal::new(printed).bind("matchId", "m1").bind("JSON.stringify(state)", json);
    world.put(literal.item());
    let db = &world.db;
    let state = db.match_state(&id("m1")).await.unwrap().unwrap();
    assert_eq!((state.ver, state.ttl, state.roster.len()), (0, None, 0));
    let state = db.edit(state, |state| state.day = 2).await.unwrap();
    let row = world.row("match#m1", "state").unwrap();
    assert_eq!((&row["ver"], &row["meta"]), (&1.into(), &map! { "source" => "import" }));
    assert!(row["v"].as_s().unwrap().contains(r#""theme":{"tone":"dark"}"#));
    // What the model does not know survives compression, too.
    let long = "x".repeat(20_000);
    let state = db.edit(state, |state| state.roster.push(long)).await.unwrap();
    let meta = map! { "source" => "import", "compressed" => true };
    assert_eq!(world.row("match#m1", "state").unwrap()["meta"], meta);
    db.edit(state, |state| state.roster.clear()).await.unwrap();
    let row = world.row("match#m1", "state").unwrap();
    assert!(row["v"].as_s().unwrap().contains(r#""theme":{"tone":"dark"}"#));
    assert_eq!(row["meta"], map! { "source" => "import" });
}

/// The lock has no version; the counter of a window is a number, and the compressed state is not said
/// to be JSON by anything but its content type.
#[tokio::test]
async fn locks_counters_and_compressed_values_as_printed_are_read() {
    let world = Matches::new().await;
    let ttl = NOW_SECONDS + 30;
    let lock = "{ pk: `lock#match#${matchId}`, sk: 'v', v: 'locked', ttl }";
    world.put(Literal::new(lock).bind("matchId", "m1").bind("ttl", ttl).item());
    let rate = "{ pk: `rate#${userId}`, sk: `${route}#${window}`, v: count, ttl }";
    let rate = Literal::new(rate).bind("userId", "u1").bind("route", "join").bind("window", 7);
    world.put(rate.bind("count", 3).bind("ttl", ttl).item());
    let db = &world.db;
    let lock = db.lock(&id("m1")).await.unwrap().unwrap();
    assert_eq!((lock.owner.as_str(), lock.ver), ("locked", 0));
    let question = || db.rate(&id("u1"), &id("join"), 7);
    assert_eq!(question().await.unwrap().unwrap().count, 3);

    // As another program compresses: the model's own bytes, without its version.
    let state = written_state(&world).await;
    let long = vec!["x".repeat(12_000)];
    let state = db.edit(state, |state| state.roster = long).await.unwrap();
    let compressed = world.row("match#m1", "state").unwrap()["v"].clone();
    let printed = "{ pk, sk, v: compressed, ct: 'application/json', meta: { compressed: true } }";
    let printed = Literal::new(printed).bind("pk", "match#m1").bind("sk", "state");
    world.put(printed.bind("compressed", compressed).item());
    let read = db.match_state(&id("m1")).await.unwrap();
    assert_eq!(read, Some(MatchState { ver: 0, ttl: None, ..state }));
    world.clock.advance_ms(30_000);
    assert_eq!((db.lock(&id("m1")).await.unwrap(), question().await.unwrap()), (None, None));
}

/// A turn: events and the new state in one transaction, and nothing of it by whoever was late.
#[tokio::test]
async fn a_turn_is_one_transaction() {
    let world = Matches::new().await;
    let (state, event) = (written_state(&world).await, written_event(&world).await);
    let turn = |seq| {
        let next = Event { seq, ..event.clone() };
        world.db.transact().create(&next).edit(&state, |state| state.turn += 1)
    };
    turn(2).await.unwrap();
    let late = turn(3).await.err().unwrap();
    let Error::Transaction { failures } = late else { panic!("{late}") };
    assert!(matches!(failures[0].error, Error::VersionConflict { .. }));
    assert!(!world.has("match#m1", "log#000003"));
    assert_eq!(world.row("match#m1", "state").unwrap()["ver"], AttributeValue::from(2));
}

#[tokio::test]
async fn the_log_agrees_with_the_rows_whatever_happens() {
    let world = Matches::new().await;
    let first = written_event(&world).await;
    written_state(&world).await;
    let mut events = vec![first.clone()];
    let mut random = Random::new(3);
    for _ in 0..200 {
        let seq = 1 + random.below(40) as u32;
        let event = Event { seq, ..first.clone() };
        match events.iter().position(|event| event.seq == seq) {
            Some(position) => {
                assert!(world.db.create(&event).await.is_err());
                if random.below(2) == 0 {
                    world.db.delete(&event).await.unwrap();
                    events.remove(position);
                }
            }
            None => events.push(world.db.create(&event).await.unwrap()),
        }
        events.sort_by_key(|event| event.seq);
        let after = random.below(40) as u32;
        let expected = events.iter().filter(|event| event.seq > after).cloned();
        let expected: Vec<Event> = expected.collect();
        assert_eq!(all(world.db.events_after(&id("m1"), after)).await, expected);
    }
}
