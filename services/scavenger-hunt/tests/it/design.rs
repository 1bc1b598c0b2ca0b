//! The design of the table, written down in docs/designs and held to what the program declares.
//!
//! After a change, `UPDATE_EXPECT=1 cargo test -p monotable-scavenger-hunt design` writes it again.

use expect_test::expect_file;
use monotable::prelude::*;
use monotable_scavenger_hunt::table::ScavengerHunt;
use monotable_testkit::service::design;

#[test]
fn its_document_is_up_to_date() {
    let document = expect_file!["../../../../docs/designs/scavenger-hunt.md"];
    design::assert_documented::<ScavengerHunt>(&document);
}

#[test]
fn every_rule_is_followed_or_allowed() {
    design::assert_rules::<ScavengerHunt>();
}

#[tokio::test]
async fn it_opens_on_the_embedded_engine() {
    let store =
        ScavengerHunt::settings().environment("test").open(Embedded::memory()).await.unwrap();
    store.verify_table().await.unwrap();
}

/// The keys of the original design and of what was added to it, as they are specified.
#[test]
fn keys_are_those_of_the_specification() {
    design::assert_keys::<ScavengerHunt>(&[
        "GAME#{id} / #METADATA",
        "GAME#{game_id} / LEVEL#{id}",
        "GAME#{game_id} / TEAM#{id}",
        "TEAM#{team_id} / USER#{id}",
        "TEAM#{team_id} / LEVEL#{level_id}",
        "USER#{user_id} / MESSAGE#{ts}#{id}",
        "USER#{user_id} / PHOTO#{ts}#{id}",
        "USER#{user_id} / COORDINATE_SNAPSHOT#{ts}#{id}",
        "TEAM#{team_id} / CHECKPOINT_EVENT#{ts}#{mark}",
        "GAME#{game_id} / DASHBOARD#CONTROL",
        "SCAN#{code_hash} / #METADATA",
        "USER#{user_id} / MEMBER#{game_id}",
        "GAME#{game_id} / ADJUST#{ts}#{id}",
        "GAME#{game_id} / AUDIT#{ts}#{id}",
        "JOIN#{code_hash} / #METADATA",
        "TOKEN#{token_hash} / #METADATA",
    ]);
}
