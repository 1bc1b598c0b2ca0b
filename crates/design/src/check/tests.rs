//! Every rule with a design that breaks it, one that allows it, and one that keeps it.

mod entities;
mod findings;
mod keys;
mod native;
mod patterns;
mod prefixes;
mod rule_keys;
mod stamps;
mod tables;
mod templates;
mod unique_values;
mod unneeded;

use expect_test::Expect;

use super::Verdict;

/// Compares a verdict with the expected message.
fn check(verdict: Verdict, expected: Expect) {
    expected.assert_eq(&verdict.to_string());
}

/// Asserts that nothing is found.
#[track_caller]
fn fine(verdict: Verdict) {
    assert!(verdict.is_fine(), "{verdict}");
}
