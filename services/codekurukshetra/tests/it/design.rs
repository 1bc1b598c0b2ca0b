//! The design of the table, written down in docs/designs and held to what the program declares.
//!
//! After a change, `UPDATE_EXPECT=1 cargo test -p monotable-codekurukshetra design` writes it again.

use expect_test::expect_file;
use monotable::prelude::*;
use monotable_codekurukshetra::table::CodeKurukshetra;
use monotable_testkit::service::design;

#[test]
fn its_document_is_up_to_date() {
    let document = expect_file!["../../../../docs/designs/codekurukshetra.md"];
    design::assert_documented::<CodeKurukshetra>(&document);
}

#[test]
fn every_rule_is_followed_or_allowed() {
    design::assert_rules::<CodeKurukshetra>();
}

#[tokio::test]
async fn it_opens_on_the_embedded_engine() {
    let store = CodeKurukshetra::settings().open(Embedded::memory()).await.unwrap();
    store.verify_table().await.unwrap();
}

/// The keys of the design document and of what was added to it, as they are specified.
#[test]
fn keys_are_those_of_the_specification() {
    design::assert_keys::<CodeKurukshetra>(&[
        "PARTICIPANT#{participant_id} / PROFILE",
        "TEAM#{team_id} / PROFILE",
        "TEAM#{team_id} / IDX#PAYMENT_STATUS",
        "TEAM#{team_id} / IDX#TRACK",
        "PAYMENT#{payment_id} / TRANSACTION",
        "CONFIG / HACKATHON",
        "STATS / DAILY#{day}",
        "STATS / TOTALS",
        "EMAIL#{email} / UNIQUE",
        "UID#{account_id} / UNIQUE",
        "TEAMNAME#{name} / UNIQUE",
        "ORDER#{order_id} / LOOKUP",
        "WEBHOOK#{event_id} / EVENT",
        "TEAM#{team_id} / SUBMISSION",
        "TEAM#{team_id} / SCORE#{judge_id}",
        "PARTICIPANT#{participant_id} / CHECKIN",
        "AUDIT#{month} / {at}#{entry_id}",
        "IDEM#{scope} / {key}",
        "RATE#{subject} / {route}#{window}",
    ]);
}
