//! The quick walk and the full search against a plain enumeration of short texts.

use super::{Extent, Overlap, overlap, search, side_by_side};
use crate::fixtures::{DAY, ID, TEXT, U32, samples, template};
use crate::meta::Template;

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
    "",
    "A",
    "A#",
    "A#B",
    "{id}",
    "{text}",
    "{number:03}",
    "A#{id}",
    "A#{text}",
    "A#{number}",
    "A#{number:02}",
    "A#{id}#B",
    "A#{id}#B#{id}",
    "A#{text}#B",
    "{text}#B",
    "{id}#{id}",
    "A#{id}B",
    "A#{shard}#{id}",
];

#[test]
fn templates_with_a_text_in_common_overlap() {
    for left in TEMPLATES {
        for right in TEMPLATES {
            let (left, right) = (key(left), key(right));
            for one in samples(&left) {
                for other in samples(&right) {
                    let context = || format!("{} {} {one} {other}", left.text, right.text);
                    if one == other {
                        assert!(overlap(&left, &right, Extent::Whole), "{}", context());
                    }
                    if one.starts_with(&other) {
                        assert!(overlap(&left, &right, Extent::Beginning), "{}", context());
                    }
                }
            }
        }
    }
}

#[test]
fn the_quick_walk_agrees_with_the_search() {
    let mut decided = 0;
    for left in TEMPLATES {
        for right in TEMPLATES {
            for extent in [Extent::Whole, Extent::Beginning] {
                let (left, right) = (key(left), key(right));
                let full = search(left.segments, right.segments, extent);
                match side_by_side(left.segments, right.segments, extent) {
                    // In doubt the comparison reports an overlap, where widths would exclude it.
                    Overlap::Yes => decided += 1,
                    Overlap::No => {
                        decided += 1;
                        assert!(!full, "{} {}", left.text, right.text);
                    }
                    Overlap::Unclear => {}
                }
            }
        }
    }
    assert!(decided * 3 > TEMPLATES.len() * TEMPLATES.len(), "{decided}");
}

#[test]
fn typed_ids_are_distinguished_by_the_next_literal() {
    let apart = |left, right| !overlap(&key(left), &key(right), Extent::Whole);
    assert!(apart("TEAM#{id}", "TEAM#{id}#STATS"));
    assert!(apart("TEAM#{id}#A", "TEAM#{id}#B"));
    assert!(apart("TEAM#{id}", "TEAMS"));
    assert!(apart("{id}", "TEAM#{id}"));
    assert!(apart("A#{number:03}", "A#{number:04}"));
    assert!(apart("A#{day}", "A#META"));
    assert!(!apart("TEAM#{id}", "TEAM#METADATA"));
    assert!(!apart("TEAM#{text}", "TEAM#{id}#STATS"));
}

#[test]
fn a_long_template_is_taken_to_overlap() {
    let long: &'static str = String::leak(format!("{}{{text}}", "x".repeat(200)));
    let longer: &'static str = String::leak(format!("{{text}}{}", "x".repeat(300)));
    assert!(overlap(&key(long), &key(longer), Extent::Whole));
}
