//! How the service reaches its table: behind AWS's SDK and our endpoint.

use std::sync::Arc;

use monotable::model::backend::Backend;
use monotable::prelude::Embedded;
use monotable::{Database, ManualClock};
use monotable_btl_run::table::BtlRun;

use crate::behind_endpoint;

/// What a table in this database is reached by, at the time of this clock.
pub(crate) async fn backend(database: &Database, clock: &Arc<ManualClock>) -> impl Backend + use<> {
    BtlRun::open(Embedded::new(database.clone())).await.unwrap();
    behind_endpoint::backend(database, clock)
}
