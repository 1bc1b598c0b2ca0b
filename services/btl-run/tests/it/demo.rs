//! The sample data that `serve --demo` loads.

use monotable::dynamodb::DeleteItem;
use monotable::prelude::Embedded;
use monotable_btl_run::{BtlRunService, demo};
use monotable_testkit::failing::Failing;

use crate::world::world_of;

/// Stories are attached while the next commands are on their way, and both change the match.
#[tokio::test]
async fn sample_data_is_loaded_while_stories_are_written() {
    let first = world_of(BtlRunService::default()).await;
    let backend = Failing::never(&Embedded::new(first.database.clone())).polite();
    let world = first.over(backend).await;
    let played = demo::load(&world.app).await.unwrap();
    assert_eq!(demo::load(&world.app).await.unwrap(), played);
    // A match without its state is no reason not to start.
    let state = monotable::item! { "pk" => format!("match#{played}"), "sk" => "state" };
    world.database.delete_item(DeleteItem::new("btlrun_kv", state)).unwrap();
    assert_ne!(demo::load(&world.app).await.unwrap(), played);
}
