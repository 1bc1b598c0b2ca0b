//! Backfills: rows are counted, repairs are repeated until they hold, and conflicts are reported once.

use std::sync::atomic::{AtomicUsize, Ordering};

use monotable::model::Error;
use monotable::prelude::*;
use monotable_kit::Problem;
use monotable_kit::backfill::{Backfill, BackfillReport, Conflict, Look};
use serde_json::json;

use crate::board::{Board, BoardReads as _, Pebble, PebbleId};

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
enum Decision {
    Twice { number: u8 },
}

fn backfill() -> Backfill<Decision> {
    Backfill::new(&["keys", "guards"])
}

fn lost() -> Result<Look, Problem> {
    Err(Problem::changed())
}

#[tokio::test]
async fn a_look_is_repeated_until_it_settles() {
    let (backfill, looks) = (backfill(), AtomicUsize::new(0));
    let look = || async {
        match looks.fetch_add(1, Ordering::Relaxed) {
            0 => lost(),
            1 => {
                backfill.repaired("guards", 1);
                Ok(Look::Again)
            }
            _ => Ok(Look::Settled),
        }
    };
    backfill.settle("a row".to_owned(), look).await.unwrap();
    assert_eq!(looks.into_inner(), 3);
    let report = backfill.finish();
    assert_eq!(report.repaired, [("guards", 1), ("keys", 0)].into());
    assert_eq!(report.conflicts, []);
}

#[tokio::test]
async fn what_others_change_each_time_is_busy() {
    let (backfill, looks) = (backfill(), AtomicUsize::new(0));
    let look = || async {
        looks.fetch_add(1, Ordering::Relaxed);
        lost()
    };
    backfill.settle("a row".to_owned(), look).await.unwrap();
    assert_eq!(looks.into_inner(), 5);
    assert_eq!(backfill.finish().conflicts, [Conflict::Busy { row: "a row".to_owned() }]);
}

#[tokio::test]
async fn other_errors_end_it() {
    let backfill = backfill();
    let look = || async { Err::<Look, _>(Problem::internal("the disk is gone")) };
    assert!(backfill.settle("a row".to_owned(), look).await.is_err());
    let look = || async { Err::<Look, _>(Error::InvalidCursor) };
    assert!(backfill.settle("a row".to_owned(), look).await.is_err());
}

#[test]
fn a_report_lists_everything_once() {
    let backfill = backfill();
    for _ in 0..2 {
        backfill.needs_decision(Decision::Twice { number: 7 });
        backfill.unreadable("no number".to_owned());
        backfill.repaired("keys", 2);
    }
    let shown = json!({
        "rows": 0,
        "guards": 0,
        "keys": 4,
        "conflicts": [
            { "kind": "twice", "number": 7 },
            { "kind": "unreadable", "reason": "no number" },
        ],
    });
    assert_eq!(serde_json::to_value(backfill.finish()).unwrap(), shown);
}

#[tokio::test]
async fn rows_are_counted_and_made_right() {
    let db = Board::open(Embedded::memory()).await.unwrap();
    for name in ["a", "b"] {
        db.create(&Pebble { pebble_id: PebbleId::new(name).unwrap() }).await.unwrap();
    }
    let backfill = backfill();
    let mut rows = db.pebbles().stream();
    while let Some(pebble) = backfill.next(&mut rows).await.unwrap() {
        backfill.derive(&db, &pebble, "keys").await.unwrap();
    }
    // One that is gone needs no repair.
    let gone = Pebble { pebble_id: PebbleId::new("gone").unwrap() };
    backfill.derive(&db, &gone, "keys").await.unwrap();
    let expected: BackfillReport<Decision> = BackfillReport {
        rows: 2,
        repaired: [("guards", 0), ("keys", 0)].into(),
        conflicts: Vec::new(),
    };
    assert_eq!(backfill.finish(), expected);
}
