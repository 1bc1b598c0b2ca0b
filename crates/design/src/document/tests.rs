//! The document of the running example.

use crate::Design;
use crate::fixtures::{example, player, table};

#[test]
fn the_document_reads_like_one_made_by_hand() {
    expect_test::expect_file!["league.md"].assert_eq(&Design::of(&example()).to_markdown());
}

#[test]
fn a_bar_in_a_template_does_not_end_the_cell() {
    let design = Design::of(&table(&[player().key("TEAM|{team_id}", "X").build()], &[], &[]));
    assert!(design.to_markdown().contains("| `TEAM\\|{team_id}` |"));
    assert!(design.to_markdown().ends_with("None: the design follows every rule.\n"));
}
