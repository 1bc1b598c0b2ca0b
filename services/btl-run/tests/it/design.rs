//! The design of the table, written down in docs/designs and held to what the program says.
//!
//! After a change, `UPDATE_EXPECT=1 cargo test -p monotable-btl-run design` writes it anew.

use expect_test::expect_file;
use monotable::prelude::*;
use monotable_btl_run::table::BtlRun;
use monotable_testkit::service::design;

#[test]
fn its_document_is_up_to_date() {
    let document = expect_file!["../../../../docs/designs/btl-run.md"];
    design::assert_documented::<BtlRun>(&document);
}

#[test]
fn every_rule_is_followed_or_allowed() {
    design::assert_rules::<BtlRun>();
}

/// The table has the seed's name unless whoever opens it says another.
#[tokio::test]
async fn it_opens_under_its_name_and_under_another() {
    let backend = Embedded::memory();
    let store = BtlRun::settings().open(backend.clone()).await.unwrap();
    store.verify_table().await.unwrap();
    let other = BtlRun::settings().table_name("btl-run-kvs-{environment}").environment("prod");
    let other = other.open(backend).await.unwrap();
    assert!(format!("{store:?}").contains("btlrun_kv"));
    assert!(format!("{other:?}").contains("btl-run-kvs-prod"));
}

/// The keys of the seed and of what was added to it, as they are specified.
#[test]
fn keys_are_those_of_the_specification() {
    design::assert_keys::<BtlRun>(&[
        "match#{match_id} / state",
        "match#{match_id} / log#{number:06}",
        "match#{match_id} / summary#{number}",
        "match#{match_id} / secret",
        "match#{match_id} / ally#{alliance_id}#{seq:06}",
        "match#{match_id}#shard{shard} / log#{number:06}",
        "invite#{code} / meta",
        "user#{user_id} / profile",
        "user#{user_id} / match#{created_at}#{match_id}",
        "rate#{subject} / {route}#{window}",
        "lock#match#{match_id} / v",
        "idem#{holder} / {idempotency_key}",
        "budget#{match_id} / tokens",
        "budget#{match_id} / res#{reservation_id}",
        "due#{hour} / {cutoff_ms:013}#{match_id}",
    ]);
}
