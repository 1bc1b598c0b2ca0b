//! Regular maintenance: expired items, old change records, old tokens.

use std::time::Duration;

use monotable_engine::Database;

use crate::repeating::Repeating;

const EVERY: Duration = Duration::from_secs(1);

/// Starts the thread that maintains a database.
pub(crate) fn start(database: Database) -> std::io::Result<Repeating> {
    let mut failing = false;
    let mut damaged = 0;
    Repeating::start("monotable-maintain", EVERY, move || {
        let result = database.maintain();
        // One message is enough: a failed database stays so until it is reopened.
        if let (Err(error), false) = (&result, failing) {
            log::error!("maintenance failed: {error}");
        }
        failing = result.is_err();
        let damage = database.scrubbed().damage;
        // Keys are data, which must not be logged.
        for damage in damage.iter().skip(damaged) {
            log::error!(
                "{} is damaged; `monotable check --deep` names the rows in it",
                damage.file.display()
            );
        }
        damaged = damage.len();
    })
}
