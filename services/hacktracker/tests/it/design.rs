//! The design of the table in docs/designs, compared with the one of the program.
//!
//! After a change, `UPDATE_EXPECT=1 cargo test -p monotable-hacktracker design` updates it.

use expect_test::expect_file;
use monotable::prelude::*;
use monotable_hacktracker::table::HackTracker;
use monotable_testkit::service::design;

#[test]
fn its_document_is_up_to_date() {
    let document = expect_file!["../../../../docs/designs/hacktracker.md"];
    design::assert_documented::<HackTracker>(&document);
}

#[test]
fn every_rule_is_followed_or_allowed() {
    design::assert_rules::<HackTracker>();
}

#[tokio::test]
async fn it_opens_on_the_embedded_engine() {
    let store = HackTracker::settings().open(Embedded::memory()).await.unwrap();
    store.verify_table().await.unwrap();
}

/// The keys of the seed and of what was added to it, as they are specified.
#[test]
fn keys_are_those_of_the_specification() {
    design::assert_keys::<HackTracker>(&[
        "USER#{user_id} / METADATA",
        "USER#{user_id} / TEAM#{team_id}",
        "USER#{user_id} / PLAYERLINK#{player_id}",
        "TEAM#{team_id} / METADATA",
        "TEAM#{team_id} / PLAYER#{player_id}",
        "TEAM#{team_id} / NUMBER#{number:02}",
        "TEAM#{team_id} / ACTIVE_GAME",
        "TEAM#{team_id} / SEASON#{season_id}",
        "TEAM#{team_id} / AUDIT#{at}#{audit_id}",
        "GAME#{game_id} / METADATA",
        "GAME#{game_id} / ATBAT#{at_bat_id}",
        "GAME#{game_id} / RSVP#{player_id}",
        "INVITE#{invite_id} / METADATA",
    ]);
}
