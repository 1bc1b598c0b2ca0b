//! Whole runs against servers that behave.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use monotable_load::{Error, Operation, Options, Progress, Report, Result, TableEnd, run};
use serde_json::json;

use crate::fake::{Fake, Framing, exception, well_behaved};

/// Returns a run that is over quickly. What it measures is of no interest here.
pub(crate) fn quick(server: &Fake) -> Options {
    Options {
        connections: 3,
        threads: 2,
        seconds: 0.05,
        warm_up_seconds: 0.0,
        items: 120,
        seed: Some(7),
        ..Options::new(&server.url)
    }
}

pub(crate) fn measure(options: &Options) -> Result<Report> {
    run(options, &mut |_| ControlFlow::Continue(()))
}

#[test]
fn every_operation_is_measured_whatever_the_framing() {
    for framing in [Framing::Length, Framing::Chunked, Framing::Close, Framing::UntilClose] {
        let server = Fake::start(framing, well_behaved());
        let report = measure(&quick(&server)).unwrap();
        let operations: Vec<Operation> =
            report.figures.iter().map(|figure| figure.operation).collect();
        assert_eq!(operations, Operation::ALL, "{framing:?}");
        let closes = matches!(framing, Framing::Close | Framing::UntilClose);
        for figure in &report.figures {
            assert!(figure.requests > 0, "{framing:?} {figure:?}");
            assert_eq!(figure.errors, [], "{framing:?}");
            assert_eq!(figure.reconnects > 0, closes, "{framing:?} {figure:?}");
        }
        assert_eq!(report.notes, [""; 0]);
        assert!(report.table.starts_with("monotable-bench-"));
    }
}

#[test]
fn connections_that_are_closed_without_a_word_are_errors() {
    let server = Fake::start(Framing::SilentClose, well_behaved());
    let report = measure(&Options { operations: vec![Operation::Get], ..quick(&server) }).unwrap();
    let figure = &report.figures[0];
    assert!(figure.requests > 0 && figure.reconnects > 0, "{figure:?}");
    assert_eq!(figure.errors[0].code, "ConnectionLost");
}

#[test]
fn the_table_is_created_filled_and_deleted() {
    let server = Fake::start(Framing::Length, well_behaved());
    let options = Options { operations: vec![Operation::Get], ..quick(&server) };
    let report = measure(&options).unwrap();
    assert_eq!(report.fill.unwrap().items, 120);
    // 120 items are five batches of 25, the last of which is not cut short.
    assert_eq!(server.calls_of("BatchWriteItem"), 5);
    assert_eq!(server.calls_of("CreateTable"), 1);
    assert_eq!(server.calls_of("DeleteTable"), 1);
}

#[test]
fn a_kept_table_is_used_again_and_never_deleted() {
    let server = Fake::start(Framing::Length, well_behaved());
    let kept = Options {
        operations: vec![Operation::Get],
        table: Some("mine".to_owned()),
        table_end: TableEnd::Keep,
        ..quick(&server)
    };
    assert!(measure(&kept).unwrap().fill.is_some());
    assert!(measure(&kept).unwrap().fill.is_none());
    // A table of an earlier run is not deleted, even with the option to delete it.
    let other = Options { table_end: TableEnd::Delete, ..kept };
    measure(&other).unwrap();
    assert_eq!(server.calls_of("CreateTable"), 1);
    assert_eq!(server.calls_of("DeleteTable"), 0);
}

#[test]
fn exceptions_are_counted_by_code() {
    let good = well_behaved();
    let number = AtomicU64::new(0);
    let server = Fake::start(Framing::Length, move |operation, request| match operation {
        // The first is the probe.
        "PutItem" if number.fetch_add(1, Ordering::Relaxed) % 2 == 1 => {
            exception("ProvisionedThroughputExceededException", "Slow down")
        }
        _ => good(operation, request),
    });
    let report = measure(&Options { operations: vec![Operation::Put], ..quick(&server) }).unwrap();
    let figure = &report.figures[0];
    assert_eq!(figure.errors.len(), 1);
    assert_eq!(figure.errors[0].code, "ProvisionedThroughputExceededException");
    assert_eq!(figure.errors[0].message, "Slow down");
    assert!(figure.requests > 0 && figure.errors[0].count > 0);
}

#[test]
fn items_left_unprocessed_are_errors_and_a_fill_writes_them_again() {
    let good = well_behaved();
    let number = AtomicU64::new(0);
    let server = Fake::start(Framing::Length, move |operation, request| match operation {
        "BatchWriteItem" if number.fetch_add(1, Ordering::Relaxed).is_multiple_of(3) => {
            (200, json!({"UnprocessedItems": {"T": [{}]}}).to_string())
        }
        _ => good(operation, request),
    });
    let get = Options { operations: vec![Operation::Get], ..quick(&server) };
    measure(&get).unwrap();
    assert_eq!(server.calls_of("BatchWriteItem"), 5 + 3);
    let report =
        measure(&Options { operations: vec![Operation::Batch], ..quick(&server) }).unwrap();
    assert_eq!(report.figures[0].errors[0].code, "UnprocessedItems");
    assert_eq!(report.figures[0].errors[0].message, "1 of 25 items were not written");
}

#[test]
fn an_interrupted_run_deletes_its_table() {
    let server = Fake::start(Framing::Length, well_behaved());
    let options = Options { seconds: 600.0, ..quick(&server) };
    let result = run(&options, &mut |progress| match progress {
        Progress::Measuring { .. } => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    });
    assert!(matches!(result, Err(Error::Interrupted)));
    assert_eq!(server.calls_of("DeleteTable"), 1);
}

#[test]
fn a_table_that_was_not_deleted_is_reported() {
    let good = well_behaved();
    let server = Fake::start(Framing::Length, move |operation, request| match operation {
        "DeleteTable" => exception("LimitExceededException", "Not now"),
        _ => good(operation, request),
    });
    let report = measure(&Options { operations: vec![Operation::Get], ..quick(&server) }).unwrap();
    let note = format!(
        "table {} was not deleted: DeleteTable failed with LimitExceededException: Not now",
        report.table
    );
    assert_eq!(report.notes, [note]);
}
