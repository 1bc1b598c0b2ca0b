//! The sample data that `serve --demo` loads.

use std::sync::Arc;

use monotable::dynamodb::DeleteItem;
use monotable::prelude::Embedded;
use monotable::{Clock, Database, ManualClock, Options};
use monotable_btl_run::demo;
use monotable_btl_run::table::BtlRun;
use monotable_testkit::failing::Failing;

use crate::served::{START_MS, Served};

/// Stories are attached while the next commands are on their way, and both change the match.
#[tokio::test]
async fn sample_data_is_loaded_while_stories_are_written() {
    let clock = Arc::new(ManualClock::new(START_MS));
    let options = Options { clock: Arc::clone(&clock) as Arc<dyn Clock>, ..Options::default() };
    let database = Database::memory_with(options);
    let embedded = Embedded::new(database.clone());
    BtlRun::open(embedded.clone()).await.unwrap();
    let backend = Failing::never(&embedded).polite();
    let served = Served::over(database, clock, backend, |app| app.narrates_at_once()).await;
    let played = demo::load(&served.app).await.unwrap();
    assert_eq!(demo::load(&served.app).await.unwrap(), played);
    // A match without its state is no reason not to start.
    let state = monotable::item! { "pk" => format!("match#{played}"), "sk" => "state" };
    served.database.delete_item(DeleteItem::new("btlrun_kv", state)).unwrap();
    assert_ne!(demo::load(&served.app).await.unwrap(), played);
}
