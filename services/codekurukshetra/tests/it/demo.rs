//! The sample data.

use std::collections::BTreeSet;

use monotable_codekurukshetra::table::CodeKurukshetraReads as _;
use monotable_host::RunningService as _;
use monotable_kit::Words as _;

use crate::world::Event;

#[tokio::test]
async fn the_sample_data_has_teams_in_their_states_and_is_loaded_once() {
    let event = Event::empty().await;
    let text = event.app.demo("http://test/codekurukshetra").await.unwrap();
    assert!(text.contains("http://test/codekurukshetra/event"), "{text}");
    let teams = event.app.db.every_team().all().await.unwrap();
    let states: BTreeSet<&str> = teams.iter().map(|team| team.registration().word()).collect();
    let expected = ["cancelled", "confirmed", "expired", "pending_payment", "refunded"];
    assert_eq!(states, BTreeSet::from(expected));
    let statuses: BTreeSet<&str> = teams.iter().map(|team| team.payment_status.word()).collect();
    assert_eq!(statuses, BTreeSet::from(["failed", "paid", "pending", "refunded"]));
    let before = event.stored();
    event.app.demo("http://test/codekurukshetra").await.unwrap();
    assert_eq!(event.stored(), before);
    event.check_quiet("after the sample data").await;
}
