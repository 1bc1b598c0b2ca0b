//! Conditions against a plain comparison of short texts.

use super::{beginning, can_find};
use crate::check::overlap::is_apart_from;
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

const TEMPLATES: &[&str] = &[
    "A",
    "A#",
    "A#B",
    "{id}",
    "{text}",
    "A#{id}",
    "A#{number:02}",
    "A#{day}#B",
    "B#{id}",
    "A0",
    "A#{id}#B#{id}",
];

/// Returns the part of a rendered bound before its last field: everything up to its last delimiter,
/// except delimiters after the field. Only free text contains delimiters, and it occurs alone here.
fn before_the_last(bound: &Template, text: &str) -> String {
    let Some(end) = bound.text.rfind('{') else { return String::new() };
    let delimiters = bound.text[..end].matches('#').count();
    text.split_inclusive('#').take(delimiters).collect()
}

/// Returns whether a condition with these values finds a text, by the definition of the conditions.
fn finds(test: &SortTest, prefix: &str, bounds: [&str; 2], text: &str) -> bool {
    let [from, to] = bounds;
    let is_up_to = |end: &str| text <= end || text.starts_with(end);
    match test {
        SortTest::Equals(_) => text == from,
        SortTest::BeginsWith(_) => text.starts_with(from),
        SortTest::Between(..) => text >= from && is_up_to(to),
        SortTest::From(_) => text >= from && text.starts_with(prefix),
        SortTest::UpTo(_) => is_up_to(from) && text.starts_with(prefix),
        SortTest::After(_) => text > from && text.starts_with(prefix),
        SortTest::Before(_) => text < from && text.starts_with(prefix),
    }
}

/// Returns whether the arguments of one name have one value in both bounds, as far as both go.
fn is_one_call(bounds: [&Template; 2], [from, to]: [&str; 2]) -> bool {
    let templates = bounds[0].text.split('#').zip(bounds[1].text.split('#'));
    let values = from.split('#').zip(to.split('#'));
    templates.zip(values).all(|((one, other), (from, to))| one != other || from == to)
}

#[test]
fn keys_that_a_condition_finds_are_never_excluded() {
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
    for text in samples(sort) {
        for from in samples(bounds[0]) {
            let prefix = before_the_last(bounds[0], &from);
            for to in samples(bounds[1]) {
                let values = [from.as_str(), to.as_str()];
                if is_one_call(bounds, values) && finds(test, &prefix, values, &text) {
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
fn ranges_exclude_keys_outside_of_them() {
    let can = |test: SortTest, sort: &'static str| can_find(&[test], &[key(sort)]);
    assert!(!can(SortTest::From(key("A#{day}")), "B#{id}"));
    assert!(!can(SortTest::From(key("A#{day}")), "A"));
    assert!(!can(SortTest::UpTo(key("A#{day}")), "A#META"));
    assert!(!can(SortTest::Between(key("A#{day}"), key("A#{day}")), "A0"));
    assert!(can(SortTest::Between(key("A#{day}"), key("B#{day}")), "A0"));
    assert!(can(SortTest::From(key("A#{day}")), "A#META"));
}

#[test]
fn ranges_stay_within_the_common_prefix_of_their_bounds() {
    let can = |test: SortTest, sort: &'static str| can_find(&[test], &[key(sort)]);
    let post = key("A#{id}#POST#{number:05}");
    for range in [
        SortTest::From(post),
        SortTest::UpTo(post),
        SortTest::After(post),
        SortTest::Before(post),
        SortTest::Between(post, post),
    ] {
        assert!(can(range, "A#{id}#POST#{number:05}"));
        for beside in ["A#{id}", "A#{id}#NOTE#{id}", "A#{id}#POST"] {
            assert!(!can(range, beside), "{beside} by {range:?}");
        }
    }
    // Without a field nothing ends the range but the partition.
    assert!(can(SortTest::From(key("A#")), "B#{id}"));
    assert!(!can(SortTest::From(key("B#")), "A#{id}"));
    assert!(can(SortTest::UpTo(key("B#")), "A#{id}"));
}
