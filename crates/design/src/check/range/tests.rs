//! Conditions against a plain comparison of short texts.

use super::{beginning, can_find};
use crate::check::overlap::{is_apart_from, leading_literal};
use crate::fixtures::{DAY, ID, TEXT, Test, U32, samples, template};
use crate::meta::{SortTest, Template};

fn key(text: &'static str) -> Template {
    template(text, |name| {
        let kind = match name {
            "text" => TEXT,
            "number" => U32,
            "day" => DAY,
            _ => ID,
        };
        (0, kind, false)
    })
}

const TEMPLATES: &[&str] =
    &["A", "A#", "A#B", "{id}", "{text}", "A#{id}", "A#{number:02}", "A#{day}#B", "B#{id}", "A0"];

/// Whether a condition with these values finds a text, by the definition of the conditions.
fn finds(test: &SortTest, literal: &str, bounds: [&str; 2], text: &str) -> bool {
    let [from, to] = bounds;
    let is_up_to = |end: &str| text <= end || text.starts_with(end);
    match test {
        SortTest::Equals(_) => text == from,
        SortTest::BeginsWith(_) => text.starts_with(from),
        SortTest::Between(..) => text >= from && is_up_to(to),
        SortTest::From(_) => text >= from && text.starts_with(literal),
        SortTest::UpTo(_) => is_up_to(from) && text.starts_with(literal),
        SortTest::After(_) => text > from && text.starts_with(literal),
        SortTest::Before(_) => text < from && text.starts_with(literal),
    }
}

#[test]
fn what_a_condition_finds_is_never_denied() {
    let tests: [Test; 6] = [
        SortTest::Equals,
        SortTest::BeginsWith,
        SortTest::From,
        SortTest::UpTo,
        SortTest::After,
        SortTest::Before,
    ];
    for sort in TEMPLATES.iter().map(|text| key(text)) {
        for bound in TEMPLATES.iter().map(|text| key(text)) {
            for test in tests {
                deny(&sort, &test(bound), [&bound, &bound]);
            }
            for end in TEMPLATES.iter().map(|text| key(text)) {
                deny(&sort, &SortTest::Between(bound, end), [&bound, &end]);
            }
        }
    }
}

/// Asserts that a condition can find a template if some texts show it.
fn deny(sort: &Template, test: &SortTest, bounds: [&Template; 2]) {
    let condition = [*test];
    let literal = leading_literal(bounds[0]);
    for text in samples(sort) {
        for from in samples(bounds[0]) {
            for to in samples(bounds[1]) {
                if finds(test, literal, [&from, &to], &text) {
                    let context = || format!("{} by {test:?}: {text} {from} {to}", sort.text);
                    assert!(can_find(&condition, &[*sort]), "{}", context());
                    let is_apart = is_apart_from(sort, beginning(&condition).as_bytes());
                    assert!(!is_apart, "{}", context());
                }
            }
        }
    }
}

#[test]
fn ranges_leave_out_what_lies_beside_them() {
    let can = |test: SortTest, sort: &'static str| can_find(&[test], &[key(sort)]);
    assert!(!can(SortTest::From(key("A#{day}")), "B#{id}"));
    assert!(!can(SortTest::From(key("A#{day}")), "A"));
    assert!(!can(SortTest::UpTo(key("A#{day}")), "A#META"));
    assert!(!can(SortTest::Between(key("A#{day}"), key("A#{day}")), "A0"));
    assert!(can(SortTest::Between(key("A#{day}"), key("B#{day}")), "A0"));
    assert!(can(SortTest::From(key("A#{day}")), "A#META"));
}
