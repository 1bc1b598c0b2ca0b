//! The design of a table: its document is up to date, and its rules are followed.

use std::collections::BTreeSet;

use expect_test::ExpectFile;
use monotable::design::{Design, check};
use monotable::model::Table;

/// Checks the document of a table, and that the design survives its JSON form. `UPDATE_EXPECT=1`
/// updates the document.
///
/// # Panics
/// Panics if it is not up to date.
pub fn assert_documented<T: Table>(document: &ExpectFile) {
    let design = Design::of(T::META);
    document.assert_eq(&design.to_markdown());
    assert_eq!(Design::from_json(&design.to_json()).as_ref(), Ok(&design));
    assert_eq!(design.changes_to(&design), []);
}

/// Checks that the table follows every rule, or contains the reason why not.
///
/// # Panics
/// Panics if it breaks a rule, or has an unneeded exception.
pub fn assert_rules<T: Table>() {
    for finding in check::findings(T::META) {
        assert!(finding.because.is_some(), "{finding:?}");
    }
    assert_eq!(check::unneeded_allows(T::META), []);
}

/// Checks that entities or rules have these keys, each written `PARTITION / SORT`.
///
/// # Panics
/// Panics if one is missing.
pub fn assert_keys<T: Table>(expected: &[&str]) {
    let of_entities = T::META.entities.iter().map(|entity| &entity.key);
    let of_rules = T::META.rules.iter().map(|rule| &rule.row.key);
    let written = |key: &monotable::design::meta::KeyMeta| {
        let sort = key.sort.as_ref().map_or("", |sort| sort.text);
        format!("{} / {sort}", key.partition.text)
    };
    let keys: BTreeSet<String> = of_entities.chain(of_rules).map(written).collect();
    for expected in expected {
        assert!(keys.contains(*expected), "{expected} is not among {keys:#?}");
    }
}
