//! The day on which something is counted is part of the row that is counted: a recount finds it again, whenever the row
//! was written and whatever the zone of the event is by then.

use super::check_quiet;
use crate::world::Event;

#[tokio::test]
async fn a_recount_finds_the_days_again_after_the_zone_has_changed() {
    let event = Event::new().await;
    event.register("ann", "Code Warriors", &["bo"]).await;
    let config = event.app.config().await.unwrap();
    // There it is still the day before.
    let moved = |config: &mut monotable_codekurukshetra::table::Config| {
        config.timezone = "Pacific/Pago_Pago".to_owned();
    };
    event.app.db.edit(config, moved).await.unwrap();
    check_quiet(&event, "in another zone").await;
}
