//! What the design document had wrong (§3.13), one test each. Those that others prove:
//!
//! | Defect | Test |
//! |---|---|
//! | BT-D1 locks that block or end another's | `kv::lock` |
//! | BT-D2 logs that run on into other rows | `kv::rows::a_log_ends_where_other_rows_of_the_partition_begin` |
//! | BT-D4 log and state written apart | `crash`, `histories`, `turns::events_that_an_older_program_left_are_told_and_not_overwritten` |
//! | BT-D6 counters under another key | `opening::a_match_is_opened_with_everything_that_it_needs`, `kv::rows::a_counter_keeps_its_limit_and_begins_again_when_it_has_expired` |
//! | BT-D9 compressed rows that others can't read | `scenarios::a_large_state_is_played_like_any_other`, `kv::older` |
//! | BT-D10 two versions that drift | `invariants` in `crash` and `histories`, `kv::older::states_are_read_and_changed_however_they_were_written` |
//! | BT-D11 states that are never made anew | `repairs::a_state_that_differs_from_its_log_is_rebuilt` |
//! | BT-D13 matches that are found by scans | `invariants` (due rows and matches of users) |
//! | BT-D17 actions that are told too early | `traffic` |
//! | BT-D18 budgets that are overspent | `budget` |
//! | BT-D20 victories decided on an older state | `matches`, `crash::commands::turns_are_resolved_whole_or_not_at_all` |
//! | BT-D22 keys of two kinds | `kv::http::keys_of_one_part_are_kept_as_the_older_service_kept_them` |
//! | BT-D23 reserved words | every test: the engine refuses them as AWS does |
//! | BT-D25 the table's name | `kv::older::the_table_of_the_older_service_is_served_under_its_own_name` |

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use http::Method;
use monotable::AttributeValue;
use monotable::dynamodb::PutItem;
use monotable_btl_run::rules::events::SEQ_MAX;
use monotable_btl_run::rules::rng::Seed;
use monotable_btl_run::table::{BtlRunReads as _, MatchRowKey};
use monotable_kit::Randomness;
use monotable_testkit::service::Setting;
use serde_json::{Value, json};

use crate::invariants::rows;
use crate::players::Play as _;
use crate::world::{Actor, Opened, TABLE, World, narrating_later};

const MINUTE_MS: u64 = 60 * 1000;

async fn started(world: &World, fields: Value) -> Opened {
    let opened = world.open_match(fields).await;
    world.host(&opened, "start", json!({})).await;
    opened
}

/// Returns the row of a match as it is stored.
fn row(world: &World, opened: &Opened, sort: &str) -> monotable::Item {
    let is_it = |row: &monotable::Item| {
        let text = |name: &str| row.get(name).and_then(|value| value.as_s());
        text("pk") == Some(&format!("match#{}", opened.id)) && text("sk") == Some(sort)
    };
    world.rows().into_iter().find(is_it).unwrap()
}

#[tokio::test]
async fn bt_d3_a_log_begins_at_0_and_reports_whether_there_is_more() {
    let world = World::new().await;
    let opened = started(&world, json!({})).await;
    world.host(&opened, "advance", json!({})).await;
    let list = async |query: &str| {
        world.get(Actor::Nobody, &opened.path(&format!("log{query}"))).await.json()
    };
    let numbers = |page: &Value| -> Vec<u64> {
        let items = page["items"].as_array().unwrap();
        items.iter().map(|event| event["seq"].as_u64().unwrap()).collect()
    };
    let all = list("?after=0&limit=200").await;
    let count = numbers(&all).len() as u64;
    assert!(numbers(&all).into_iter().eq(1..=count) && all["hasMore"] == false, "{all}");
    assert_eq!(list("?limit=200").await, all);
    assert_eq!(numbers(&list("?after=1&limit=1").await), [2]);
    let (mut read, mut query) = (Vec::new(), "?limit=2".to_owned());
    loop {
        let page = list(&query).await;
        read.extend(numbers(&page));
        assert_eq!(page["hasMore"], json!(page["nextToken"].is_string()));
        let Some(token) = page["nextToken"].as_str() else { break };
        query = format!("?limit=2&nextToken={token}");
    }
    assert!(read.into_iter().eq(1..=count));
    let behind = list(&format!("?after={count}")).await;
    assert_eq!((numbers(&behind), &behind["hasMore"]), (vec![], &json!(false)));
}

#[tokio::test]
async fn bt_d5_any_number_of_states_is_read_in_the_order_of_the_request() {
    let world = World::new().await;
    let (one, other) = (world.open_match(json!({})).await, world.open_match(json!({})).await);
    let ids: Vec<String> = (0..250)
        .map(|number| match number % 3 {
            0 => one.id.clone(),
            1 => other.id.clone(),
            _ => format!("none-{number}"),
        })
        .collect();
    let keys: Vec<MatchRowKey> =
        ids.iter().map(|id| MatchRowKey::new(id.parse().unwrap())).collect();
    let found = world.app.db.match_states(&keys).consistent().await.unwrap();
    assert_eq!(found.len(), ids.len());
    for (id, found) in ids.iter().zip(found) {
        let expected = (!id.starts_with("none")).then_some(id.as_str());
        assert_eq!(found.as_ref().map(|row| row.match_id.as_str()), expected);
    }
}

#[tokio::test]
async fn bt_d7_a_window_is_counted_under_its_route_and_ends_with_it() {
    let world = World::new().await;
    let opened = world.open_match(json!({})).await;
    let bob = world.join(&opened, "Bob").await;
    world.join(&opened, "Cleo").await;
    world.host(&opened, "start", json!({})).await;
    for _ in 0..3 {
        world.act(&opened, &bob, "d1t1", "rest").await;
    }
    let rows = rows::stored(&world);
    let subject = format!("rate#{}:{}", opened.id, bob.tribute);
    let counter = rows.iter().find(|row| row.pk == subject).unwrap();
    let now = world.app.now_ms() / 1000;
    let window = now / 60;
    assert_eq!(counter.sk, format!("submit_action#{window}"));
    assert_eq!((counter.number(), counter.ttl), (3, Some((window + 1) * 60 + 10)));
    // What was counted in a window that has passed counts no more, whether or not its row is gone.
    for _ in 0..17 {
        assert_eq!(world.act(&opened, &bob, "d1t1", "rest").await.status, 200);
    }
    assert_eq!(world.act(&opened, &bob, "d1t1", "rest").await.outcome(), "429 RATE_LIMIT");
    world.clock.advance_ms(MINUTE_MS);
    assert_eq!(world.act(&opened, &bob, "d1t1", "rest").await.status, 200);
}

#[tokio::test]
async fn bt_d8_attributes_of_other_programs_in_a_state_are_kept() {
    let world = World::new().await;
    let opened = started(&world, json!({})).await;
    let mut state = row(&world, &opened, "state");
    let far = (world.app.now_ms() / 1000 + 1_000_000).to_string();
    state.insert("ttl".to_owned(), AttributeValue::N(far.parse().unwrap()));
    let note = AttributeValue::M([("note".to_owned(), "kept".into())].into());
    state.insert("meta".to_owned(), note.clone());
    world.database.put_item(PutItem::new(TABLE, state.clone())).unwrap();
    world.host(&opened, "advance", json!({})).await;
    let after = row(&world, &opened, "state");
    assert_ne!(after["ver"], state["ver"]);
    assert_eq!((&after["ttl"], &after["meta"]), (&state["ttl"], &note));
}

#[tokio::test]
async fn bt_d12_a_log_that_is_almost_full_ends_its_match() {
    for behind in [93, 150, 1000] {
        let world = World::new().await;
        let opened = started(&world, json!({})).await;
        let row = world.app.match_row(&opened.id.parse().unwrap()).await.unwrap();
        let edited = world.app.db.edit(row, |row| {
            row.state.log_seq = SEQ_MAX - behind;
            row.state.version = row.stamps.version + 1;
        });
        edited.await.unwrap();
        let mut look = world.host(&opened, "advance", json!({})).await["match"].take();
        if behind == 1000 {
            assert_eq!(look["status"], "active");
            continue;
        }
        assert_eq!(look["status"], "ended", "{behind}");
        monotable_btl_run::jobs::narrate::narrate_due(&world.app).await.unwrap();
        look = world.look(&opened).await;
        assert!(look["logSeq"].as_u64().unwrap() <= u64::from(SEQ_MAX));
        let last = format!("log#{:06}", look["logSeq"].as_u64().unwrap());
        assert!(world.keys_of(&format!("match#{}", opened.id)).contains(&last));
    }
}

#[tokio::test]
async fn bt_d14_the_tenth_day_comes_after_the_second() {
    let world = World::new().await;
    let opened = started(&world, json!({})).await;
    for day in [1, 2, 9, 10, 11] {
        let value = json!({
            "day": day, "narration": "It rained.", "deaths": [], "highlights": [],
            "aliveCount": 6, "tokensUsed": 0,
        });
        let row = monotable::item! {
            "pk" => format!("match#{}", opened.id), "sk" => format!("summary#{day}"),
            "v" => value.to_string(), "ct" => "application/json", "ver" => 1,
        };
        world.database.put_item(PutItem::new(TABLE, row)).unwrap();
    }
    let told = world.get(Actor::Nobody, &opened.path("summaries")).await.json();
    let days: Vec<_> = told["items"].as_array().unwrap().iter().map(|one| &one["day"]).collect();
    assert_eq!(days, [1, 2, 9, 10, 11]);
    assert_eq!(world.get(Actor::Nobody, &opened.path("summary/10")).await.json()["day"], 10);
}

#[tokio::test]
async fn bt_d15_a_key_identifies_one_request_of_one_user() {
    let world = World::new().await;
    let ask = async |who, path: &str, body: Value| {
        let headers = [("idempotency-key", "same")];
        world.request(who, Method::POST, path, body, &headers).await
    };
    let quick = json!({ "mode": "quick" });
    let first = ask(Actor::User("ann"), "/match", quick.clone()).await.json();
    let reused = ask(Actor::User("ann"), "/match", json!({ "mode": "long" })).await;
    assert_eq!(reused.outcome(), "409 IDEMPOTENCY_KEY_REUSED");
    let others = ask(Actor::User("bob"), "/match", quick.clone()).await.json();
    assert_ne!(first["matchId"], others["matchId"]);
    assert_eq!(ask(Actor::User("ann"), "/match", quick).await.json()["matchId"], first["matchId"]);
    let path = format!("/match/{}/join", first["matchId"].as_str().unwrap());
    let body = |name: &str| json!({ "code": first["inviteCode"], "name": name });
    let joined = ask(Actor::User("bob"), &path, body("Bob")).await;
    assert_eq!(joined.status, 201, "{}", joined.text);
    // The key of somebody else's request is no way to its answer, and in nobody's way either.
    let stolen = ask(Actor::User("eve"), &path, body("Bob")).await;
    assert_eq!(stolen.outcome(), "409 NAME_TAKEN");
    let own = ask(Actor::User("fay"), &path, body("Fay")).await;
    assert_eq!(own.status, 201, "{}", own.text);
    let stored = rows::stored(&world);
    let kept = stored.iter().filter(|row| row.pk.starts_with("idem#"));
    let day = world.app.now_ms() / 1000 + 24 * 60 * 60;
    for record in kept {
        assert_eq!(record.ttl, Some(day), "{} {}", record.pk, record.sk);
        assert!(record.value["hash"].is_string() && record.value["status"].is_number());
    }
}

#[tokio::test]
async fn bt_d16_seeds_are_drawn_and_promised() {
    let world = World::new().await;
    let mut seeds = Vec::new();
    for _ in 0..3 {
        let opened = world.open_match(json!({})).await;
        let look = world.look(&opened).await;
        let secret = world.app.db.secret(&opened.id.parse().unwrap()).await.unwrap().unwrap();
        assert_eq!(look["seedCommit"], secret.seed.commit());
        seeds.push(json!(secret.seed));
    }
    assert!(seeds[0] != seeds[1] && seeds[1] != seeds[2] && seeds[0] != seeds[2]);
    let zero: Seed = serde_json::from_value(json!("0".repeat(64))).unwrap();
    assert_eq!(zero.commit(), "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925");
}

#[tokio::test]
async fn bt_d19_a_log_is_spread_for_good_or_not_at_all() {
    let world = World::new().await;
    let opened = started(&world, json!({ "shardedLog": true })).await;
    world.host(&opened, "advance", json!({})).await;
    let is_log = |key: &String| key.starts_with("log#");
    let parts = || (0..4).map(|shard| world.keys_of(&format!("match#{}#shard{shard}", opened.id)));
    // Into which part an event falls is chance; sooner or later one falls into each.
    for _ in 0..100 {
        if parts().all(|keys| !keys.is_empty()) {
            break;
        }
        world.host(&opened, "gm/announce", json!({ "text": "The river rises." })).await;
    }
    assert!(!world.keys_of(&format!("match#{}", opened.id)).iter().any(is_log));
    for keys in parts() {
        assert!(!keys.is_empty() && keys.iter().all(is_log), "{keys:?}");
    }
    world.check("a log in four partitions").await;
    // No id of a match is that of another one's part.
    let odd = format!("/match/{}%23shard0", opened.id);
    let told = world.get(Actor::Nobody, &odd).await;
    assert!(told.status == 400 || told.status == 404, "{}", told.text);
}

#[tokio::test]
async fn bt_d21_values_have_the_types_that_other_programs_know() {
    let world = World::new().await;
    let opened = world.open_match(json!({ "mode": "long" })).await;
    world.join_as(Actor::User("bob"), &opened, "Bob").await;
    world.host(&opened, "start", json!({})).await;
    for row in world.rows() {
        let text = |name: &str| row.get(name).and_then(|value| value.as_s()).unwrap_or_default();
        let (pk, sk) = (text("pk"), text("sk"));
        let is_counted = pk.starts_with("rate#") || pk.starts_with("budget#");
        match row.get("v") {
            Some(AttributeValue::N(_)) => assert!(is_counted, "{pk} {sk}"),
            Some(AttributeValue::S(text)) => {
                assert!(!is_counted, "{pk} {sk}");
                assert!(serde_json::from_str::<Value>(text).is_ok(), "{pk} {sk}: {text}");
            }
            None => assert!(pk.starts_with("due#"), "{pk} {sk}"),
            Some(other) => panic!("{pk} {sk} is {other:?}"),
        }
    }
}

/// Bytes that soon come again.
struct Few(AtomicU8);

impl Randomness for Few {
    fn fill(&self, bytes: &mut [u8]) {
        // Codes have six bytes; seeds and secrets have more, and must differ.
        let next = self.0.fetch_add(1, Ordering::Relaxed);
        let value = if bytes.len() == 6 { next / 8 } else { next };
        bytes.fill(value);
    }
}

#[tokio::test]
async fn bt_d24_a_code_leads_to_one_match_at_a_time() {
    let drawing_few = || Setting {
        randomness: Arc::new(Few(AtomicU8::new(0))),
        ..Setting::new(narrating_later())
    };
    let world = World::set(drawing_few()).await;
    let one = world.open_match(json!({})).await;
    let two = world.open_match(json!({})).await;
    assert_ne!(one.code, two.code);
    // A code that has expired leads to the next match that draws it, and never back.
    world.clock.advance_ms(31 * MINUTE_MS);
    let again = world.another_process_with(drawing_few()).await;
    let body = json!({ "mode": "quick" });
    let three = again.post(Actor::User("ann"), "/match", body).await.json();
    assert_eq!(three["inviteCode"], one.code.as_str());
    let shown = world.get(Actor::Nobody, &format!("/invite/{}", one.code)).await.json();
    assert_eq!(shown["matchId"], three["matchId"]);
    let late = world.try_join(Actor::Nobody, &one, "Late", json!({})).await;
    assert_eq!(late.outcome(), "409 INVITE_EXPIRED");
    // The first match starts, and takes nothing from the third.
    world.host(&one, "start", json!({})).await;
    let shown = world.get(Actor::Nobody, &format!("/invite/{}", one.code)).await;
    assert_eq!(shown.status, 200, "{}", shown.text);
}
