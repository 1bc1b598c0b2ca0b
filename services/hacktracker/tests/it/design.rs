//! The design of the table, written down in docs/designs and held to what the program says.
//!
//! After a change, `UPDATE_EXPECT=1 cargo test -p monotable-hacktracker design` writes it anew.

use std::collections::BTreeSet;

use expect_test::expect_file;
use monotable::design::{Design, check};
use monotable::prelude::*;
use monotable_hacktracker::table::HackTracker;

#[test]
fn its_document_is_up_to_date() {
    let design = HackTracker::design();
    expect_file!["../../../../docs/designs/hacktracker.md"].assert_eq(&design.to_markdown());
    assert_eq!(Design::from_json(&design.to_json()).as_ref(), Ok(&design));
    assert_eq!(design.changes_to(&design), []);
}

#[test]
fn every_rule_is_followed_or_allowed() {
    for finding in check::findings(HackTracker::META) {
        assert!(finding.because.is_some(), "{finding:?}");
    }
    assert_eq!(check::unneeded_allows(HackTracker::META), []);
}

#[tokio::test]
async fn it_opens_on_the_embedded_engine() {
    let store = HackTracker::settings().open(Embedded::memory()).await.unwrap();
    store.verify_table().await.unwrap();
}

/// The keys of the seed and of what was added to it, as they are specified.
#[test]
fn keys_are_those_of_the_specification() {
    let keys: BTreeSet<String> = HackTracker::META
        .entities
        .iter()
        .map(|entity| {
            let sort = entity.key.sort.as_ref().map_or("", |sort| sort.text);
            format!("{} / {sort}", entity.key.partition.text)
        })
        .collect();
    for expected in [
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
    ] {
        assert!(keys.contains(expected), "{expected} is not among {keys:#?}");
    }
}
