//! What the service has sent to its table, sent again.

use std::path::Path;
use std::time::Duration;

use monotable::dynamodb::Scan;
use monotable::{Database, Item};
use monotable_bench::Mode;

use super::CodeKurukshetra;
use super::world::{Act, TABLE};
use crate::subject::{DatabaseLocation, Subject};

fn rows(database: &Database) -> Vec<Item> {
    let (mut rows, mut scan) = (Vec::new(), Scan::new(TABLE));
    loop {
        let page = database.scan(scan).unwrap();
        rows.extend(page.items.iter().map(|row| row.to_item()));
        let Some(last) = page.last_evaluated_key else { return rows };
        scan = Scan::new(TABLE).exclusive_start_key(last);
    }
}

#[test]
fn the_engine_writes_the_very_rows_of_the_service() {
    let runtime = tokio::runtime::Builder::new_multi_thread().build().unwrap();
    let location = DatabaseLocation { mode: Mode::Memory, directory: Path::new(".") };
    let subject = runtime.block_on(CodeKurukshetra::prepare(location, 2, 1)).unwrap();
    let databases = &subject.0.databases;
    let before = rows(&databases.engine);
    for act in [Act::Register, Act::Capture] {
        let duration = Duration::from_millis(50);
        let service = runtime.block_on(subject.service_slice(act, 0, duration)).unwrap();
        let engine = runtime.block_on(subject.engine_slice(act, 0, duration)).unwrap();
        assert!(service.operations > 0);
        assert_eq!(service.operations, engine.operations);
    }
    let (service, engine) = (rows(&databases.service), rows(&databases.engine));
    assert!(service.len() > before.len());
    let different = service.iter().zip(&engine).find(|(one, other)| one != other);
    assert_eq!((different, service.len()), (None, engine.len()));
}
