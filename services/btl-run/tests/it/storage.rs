//! How the service reaches its table: in the same process. `clients/rust` runs these tests with another
//! module of this name, which goes through AWS's SDK.

use std::sync::Arc;

use monotable::model::backend::{Backend, Embedded};
use monotable::{Database, ManualClock};

/// What a table in this database is reached by, at the time of this clock.
pub(crate) async fn backend(
    database: &Database,
    _clock: &Arc<ManualClock>,
) -> impl Backend + use<> {
    Embedded::new(database.clone())
}
