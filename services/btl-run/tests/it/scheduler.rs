//! Long matches whose turns are resolved by the clock: once a local day, whoever looks.

use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZoneDatabase;
use monotable::dynamodb::{DeleteItem, PutItem};
use monotable_btl_run::jobs::due::DueReport;
use monotable_btl_run::log::all_events;
use monotable_btl_run::rules::events::EventBody;
use monotable_kit::{Metrics, State as _};
use serde_json::{Value, json};

use crate::players::Play as _;
use crate::world::{Actor, Opened, TABLE, World};

const MINUTE_MS: u64 = 60 * 1000;
const HOUR_MS: u64 = 60 * MINUTE_MS;
const DAY_MS: u64 = 24 * HOUR_MS;

fn at(text: &str) -> u64 {
    text.parse::<Timestamp>().unwrap().as_millisecond().try_into().unwrap()
}

async fn world_at(now: &str) -> World {
    let world = World::new().await;
    world.clock.set_ms(at(now));
    world
}

/// Returns a long match of four players who never choose: nobody hunts, so that it lasts.
async fn long_match(world: &World, fields: Value) -> Opened {
    let mut wanted = json!({ "mode": "long", "aiCount": 0, "maxDays": 30 });
    wanted.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    let opened = world.open_match(wanted).await;
    for name in ["Ada", "Ben", "Cyd", "Dee"] {
        world.join(&opened, name).await;
    }
    world.host(&opened, "start", json!({})).await;
    opened
}

/// Returns how often turns were resolved on each local day.
async fn resolutions(world: &World, opened: &Opened, zone: &str) -> BTreeMap<Date, usize> {
    let zone = TimeZoneDatabase::bundled().get(zone).unwrap();
    let row = world.app.match_row(&opened.id.parse().unwrap()).await.unwrap();
    let mut days = BTreeMap::new();
    for event in all_events(&world.app, &row.state).await.unwrap() {
        if matches!(event.body, EventBody::TurnResolved(_)) {
            let moment = Timestamp::from_millisecond(event.timestamp).unwrap();
            *days.entry(zone.to_datetime(moment).date()).or_default() += 1;
        }
    }
    days
}

/// Two processes work and somebody looks, all at once, every half hour, over a change of the clock.
async fn check_days(zone: &str, start: &str, cutoff: &str) {
    let world = world_at(start).await;
    let other = world.another_process().await;
    let opened = long_match(&world, json!({ "timezone": zone, "cutoff": cutoff })).await;
    for _ in 0..8 * 48 {
        world.clock.advance_ms(30 * MINUTE_MS);
        let path = format!("/match/{}", opened.id);
        let (one, two, seen) =
            tokio::join!(world.app.work(), other.app.work(), world.get(Actor::Nobody, &path));
        let (one, two) = (one.unwrap().due, two.unwrap().due);
        assert_eq!((one.failed, two.failed, seen.status), (0, 0, 200), "{zone}");
    }
    let days = resolutions(&world, &opened, zone).await;
    assert!(days.values().all(|count| *count == 1), "{zone}: {days:?}");
    let dates: Vec<_> = days.keys().collect();
    assert!(dates.windows(2).all(|pair| pair[0].tomorrow().unwrap() == *pair[1]), "{days:?}");
    assert_eq!(dates.len(), 8, "{zone}: {days:?}");
    world.check_log(&opened).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_local_day_is_resolved_once_when_clocks_go_forward() {
    check_days("Europe/Berlin", "2026-03-25T12:00:00Z", "02:30").await;
    check_days("America/New_York", "2026-03-05T12:00:00Z", "02:30").await;
    check_days("Australia/Lord_Howe", "2026-10-01T12:00:00Z", "02:15").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_local_day_is_resolved_once_when_clocks_go_back() {
    check_days("Europe/Berlin", "2026-10-20T12:00:00Z", "02:30").await;
    check_days("America/New_York", "2026-10-28T12:00:00Z", "01:30").await;
    check_days("Australia/Lord_Howe", "2026-04-01T12:00:00Z", "01:45").await;
}

/// Nobody could have played the evenings that the service slept through.
#[tokio::test]
async fn a_service_that_slept_for_three_days_resolves_one_turn() {
    for is_new_process in [true, false] {
        let world = world_at("2026-05-01T12:00:00Z").await;
        let opened = long_match(&world, json!({})).await;
        world.app.work().await.unwrap();
        world.clock.set_ms(at("2026-05-04T22:00:00Z"));
        let awake = if is_new_process { world.another_process().await } else { world };
        let due = awake.app.work().await.unwrap().due;
        assert_eq!((due.resolved, due.failed), (1, 0));
        assert_eq!(due.lag_seconds, 3 * 24 * 3600 + 3600);
        let look = awake.look(&opened).await;
        assert_eq!(look["turnId"], "d2t1");
        assert_eq!(look["dayCutoffAt"], json!(at("2026-05-05T21:00:00Z")));
        awake.clock.advance_ms(MINUTE_MS);
        assert_eq!(awake.app.work().await.unwrap().due, DueReport::default());
        awake.check_log(&opened).await;
    }
}

#[tokio::test]
async fn turns_are_looked_for_once_a_minute() {
    let world = world_at("2026-05-01T20:50:00Z").await;
    let opened = long_match(&world, json!({})).await;
    world.clock.set_ms(at("2026-05-01T20:59:59.500Z"));
    world.app.work().await.unwrap();
    world.clock.set_ms(at("2026-05-01T20:59:59.999Z"));
    assert_eq!(world.app.work().await.unwrap().due, DueReport::default());
    assert_eq!(world.look(&opened).await["day"], 1);
    world.clock.set_ms(at("2026-05-01T21:00:00Z"));
    let due = world.app.work().await.unwrap().due;
    assert_eq!((due.resolved, due.lag_seconds), (1, 0));
    assert_eq!(world.keys_of("due#2026050121"), [""; 0]);
    let next = format!("{}#{}", at("2026-05-02T21:00:00Z"), opened.id);
    assert_eq!(world.keys_of("due#2026050221"), [next]);
}

/// A match without its secrets can't be resolved; the others are, and it is tried again.
#[tokio::test]
async fn a_failing_match_does_not_block_others() {
    let world = world_at("2026-05-01T12:00:00Z").await;
    let broken = long_match(&world, json!({})).await;
    world.clock.advance_ms(HOUR_MS);
    let sound = long_match(&world, json!({})).await;
    let pk = format!("match#{}", broken.id);
    let is_secret =
        |row: &monotable::Item| row["sk"].as_s() == Some("secret") && row["pk"].as_s() == Some(&pk);
    let secret = world.rows().into_iter().find(is_secret).unwrap();
    let key = monotable::item! { "pk" => pk.clone(), "sk" => "secret" };
    world.database.delete_item(DeleteItem::new(TABLE, key)).unwrap();
    world.clock.set_ms(at("2026-05-01T21:00:30Z"));
    let due = world.app.work().await.unwrap().due;
    assert_eq!((due.resolved, due.failed, due.lag_seconds), (1, 1, 30));
    assert_eq!(world.look(&sound).await["day"], 2);
    world.clock.advance_ms(2 * HOUR_MS);
    let due = world.app.work().await.unwrap().due;
    assert_eq!((due.resolved, due.failed), (0, 1), "it is tried again, hours later too");
    world.database.put_item(PutItem::new(TABLE, secret)).unwrap();
    world.clock.advance_ms(MINUTE_MS);
    assert_eq!(world.app.work().await.unwrap().due.resolved, 1);
    assert_eq!(world.look(&broken).await["day"], 2);
}

#[tokio::test]
async fn rows_without_a_match_are_removed() {
    let world = world_at("2026-05-01T12:00:00Z").await;
    let opened = long_match(&world, json!({})).await;
    let over = long_match(&world, json!({ "cutoff": "20:00" })).await;
    world.host(&over, "end", json!({})).await;
    for (hour, ms, id) in [
        ("2026050111", at("2026-05-01T11:00:00Z"), opened.id.as_str()),
        ("2026050120", at("2026-05-01T20:00:00Z"), over.id.as_str()),
        ("2026050119", at("2026-05-01T19:00:00Z"), "no-such-match"),
    ] {
        let row = monotable::item! { "pk" => format!("due#{hour}"), "sk" => format!("{ms}#{id}") };
        world.database.put_item(PutItem::new(TABLE, row)).unwrap();
    }
    world.clock.set_ms(at("2026-05-01T20:30:00Z"));
    let due = world.app.work().await.unwrap().due;
    assert_eq!((due.resolved, due.orphans, due.failed), (0, 3, 0));
    let left = world.rows();
    let left: Vec<_> = left
        .iter()
        .filter_map(|row| row["pk"].as_s())
        .filter(|pk| pk.starts_with("due#"))
        .collect();
    assert_eq!(left, ["due#2026050121"]);
    assert_eq!(world.look(&opened).await["turnId"], "d1t1");
}

#[tokio::test]
async fn metrics_report_completed_and_pending_work() {
    let world = world_at("2026-05-01T12:00:00Z").await;
    long_match(&world, json!({})).await;
    world.clock.advance_ms(DAY_MS);
    world.app.work().await.unwrap();
    let metrics = Metrics::new("btl-run");
    world.app.measure(&metrics);
    let metrics = metrics.text();
    let value = |name: &str| {
        let line = metrics.lines().find(|line| line.starts_with(name)).unwrap_or_default();
        line.rsplit(' ').next().unwrap_or_default().to_owned()
    };
    assert_eq!(value("monotable_due_resolved_total"), "1", "{metrics}");
    assert_eq!(value("monotable_due_lag_seconds"), (15 * 3600 + 240).to_string());
    assert_eq!(value("monotable_due_overdue"), "0");
    assert_eq!(value("monotable_tasks_waiting"), "0");
}

#[tokio::test]
async fn a_match_that_breaks_the_program_breaks_no_other() {
    let world = world_at("2026-05-04T12:00:00Z").await;
    let damaged = long_match(&world, json!({})).await;
    let sound = long_match(&world, json!({})).await;
    let pk = format!("match#{}", damaged.id);
    let is_state =
        |row: &&monotable::Item| row["pk"].as_s() == Some(&pk) && row["sk"].as_s() == Some("state");
    let rows = world.rows();
    let mut row = rows.iter().find(is_state).unwrap().clone();
    let mut state: Value = serde_json::from_str(row["v"].as_s().unwrap()).unwrap();
    // No number comes after it.
    state["logSeq"] = u32::MAX.into();
    row.insert("v".to_owned(), state.to_string().into());
    world.database.put_item(PutItem::new(TABLE, row)).unwrap();
    world.clock.advance_ms(DAY_MS);
    let due = world.app.work().await.unwrap().due;
    assert_eq!((due.resolved, due.failed), (1, 1), "{due:?}");
    world.check_log(&sound).await;
}
