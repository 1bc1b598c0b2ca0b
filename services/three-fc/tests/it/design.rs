//! The design of the table, written down in docs/designs and held to what the program declares.
//!
//! After a change, `UPDATE_EXPECT=1 cargo test -p monotable-three-fc design` writes it again.

use expect_test::expect_file;
use monotable::prelude::*;
use monotable_testkit::service::design;
use monotable_three_fc::table::ThreeFc;

#[test]
fn its_document_is_up_to_date() {
    let document = expect_file!["../../../../docs/designs/3fc.md"];
    design::assert_documented::<ThreeFc>(&document);
}

#[test]
fn every_rule_is_followed_or_allowed() {
    design::assert_rules::<ThreeFc>();
}

#[tokio::test]
async fn it_opens_on_the_embedded_engine() {
    let store = ThreeFc::settings().open(Embedded::memory()).await.unwrap();
    store.verify_table().await.unwrap();
}

/// The keys of the seed and of what was added to it, as they are specified.
#[test]
fn keys_are_those_of_the_specification() {
    design::assert_keys::<ThreeFc>(&[
        "LEAGUE#{league_id} / METADATA",
        "LEAGUE#{league_id} / SEASON#{season_id}",
        "SEASON#{season_id} / TEAM#{team_id}",
        "SEASON#{season_id} / SESSION#{session_id}",
        "GAME#{game_id} / METADATA",
        "GAME#{game_id} / GOAL#{third:01}#{game_minute:04}#{event_id}",
        "GAME#{game_id} / ROSTER#{team_id}#{player_id}",
        "SESSION#{session_id} / GAME#{game_start_ts}#{game_id}",
        "LEAGUE#{league_id} / ACL#USER#{user_id}",
        "PLAYER#{player_id} / PROFILE",
        "USER#{user_id} / PROFILE",
        "USER#{user_id} / PLAYER#{player_id}",
        "GAME#{game_id} / GOALID#{event_id}",
        "GAME#{game_id} / TEAM#{team_id}",
        "PLAYER#{player_id} / APP#{season_id}#{game_start_ts}#{game_id}",
        "LEAGUE#{league_id} / POOL#{player_id}",
        "JOIN#{code} / METADATA",
        "GAME#{game_id} / AUDIT#{at}#{audit_id}",
        "LEAGUE#{league_id} / AUDIT#{at}#{audit_id}",
    ]);
}
