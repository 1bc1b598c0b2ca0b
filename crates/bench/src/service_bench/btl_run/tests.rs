//! What the service did, found in its rows and done again.

use std::path::Path;
use std::time::Duration;

use expect_test::expect;
use monotable::dynamodb::Scan;
use monotable::{Database, Item};
use monotable_bench::Mode;
use monotable_btl_run::rules::events::Event;
use serde_json::{from_value, json};

use super::BtlRun;
use super::steps::steps;
use super::world::{Act, TABLE};
use crate::clients::Limit;
use crate::subject::{DatabaseLocation, Subject};

fn event(seq: u32, at_ms: i64, day: u32) -> Event {
    let data = json!({ "text": "Hear, hear." });
    let kind = "GM_ANNOUNCEMENT";
    let said = json!({ "seq": seq, "timestamp": at_ms, "day": day, "type": kind, "data": data });
    from_value(said).unwrap()
}

#[test]
fn events_of_one_time_are_one_step() {
    let events = [event(4, 10, 1), event(5, 10, 1), event(6, 20, 1), event(7, 30, 2)];
    let found: Vec<String> = steps(&events)
        .into_iter()
        .map(|step| format!("{}..={} {:?}", step.first, step.last, step.last_of_day))
        .collect();
    expect![[r#"
        [
            "4..=5 None",
            "6..=6 Some(1)",
            "7..=7 Some(2)",
        ]
    "#]]
    .assert_debug_eq(&found);
}

fn rows(database: &Database) -> Vec<Item> {
    let (mut rows, mut scan) = (Vec::new(), Scan::new(TABLE));
    loop {
        let page = database.scan(scan).unwrap();
        rows.extend(page.items.iter().map(|row| row.to_item()));
        let Some(last) = page.last_evaluated_key else { return rows };
        scan = Scan::new(TABLE).exclusive_start_key(last);
    }
}

/// Matches are over long before.
const LONG: Duration = Duration::from_secs(24 * 60 * 60);

#[test]
fn the_engine_writes_the_very_rows_of_the_service() {
    let runtime = tokio::runtime::Builder::new_multi_thread().build().unwrap();
    let location = DatabaseLocation { mode: Mode::Memory, directory: Path::new(".") };
    let subject = runtime.block_on(BtlRun::prepare(location, 1, 1)).unwrap();
    let databases = &subject.0.databases;
    let before = rows(&databases.engine);
    for (act, duration) in [(Act::Advance, LONG), (Act::SubmitAction, Duration::ZERO)] {
        let limit = |duration| Limit { duration, calls_max: u64::MAX };
        let service = runtime.block_on(subject.service_slice(act, 0, limit(duration))).unwrap();
        let engine = runtime.block_on(subject.engine_slice(act, 0, limit(LONG))).unwrap();
        assert_eq!(service.operations, engine.operations);
    }
    let (service, engine) = (rows(&databases.service), rows(&databases.engine));
    assert!(service.len() > before.len());
    let different = service.iter().zip(&engine).find(|(one, other)| one != other);
    assert_eq!((different, service.len()), (None, engine.len()));
}
