//! Whether a condition on a sort key can find rows of a template.
//!
//! Ranges are compared by the text before the first field and by the first byte of that field:
//! enough to separate `GAME#{day}` from `METADATA`, and from `GAME#SUMMARY`. The common prefix of
//! all keys of a range separates the rest: `THREAD#{thread_id}#POST#{number:05}` from
//! `THREAD#{thread_id}`.

use super::overlap::{Extent, FieldText, leading_literal, overlap};
use crate::meta::{Segment, SortTest, Template};
use crate::part::Charset;
use crate::text;

/// Returns whether the conditions on the attributes of a sort key can all hold for rows with these templates.
pub(crate) const fn can_find(tests: &[SortTest], sort: &[Template]) -> bool {
    let mut at = 0;
    while at < tests.len() && at < sort.len() {
        if !can_hold(&tests[at], &sort[at]) {
            return false;
        }
        at += 1;
    }
    true
}

/// Returns what every sort key found by the conditions begins with, as far as the first literal goes.
pub(crate) const fn beginning(tests: &[SortTest]) -> &'static str {
    match tests {
        [] => "",
        [SortTest::Between(from, to), ..] => {
            let (from, to) = (leading_literal(from), leading_literal(to));
            if text::equal(from, to) { from } else { "" }
        }
        [SortTest::Equals(key) | SortTest::BeginsWith(key), ..] => leading_literal(key),
        [
            SortTest::From(key)
            | SortTest::UpTo(key)
            | SortTest::After(key)
            | SortTest::Before(key),
            ..,
        ] => leading_literal(&before_last_field(key)),
    }
}

const fn can_hold(test: &SortTest, sort: &Template) -> bool {
    match test {
        SortTest::Equals(key) => overlap(sort, key, Extent::Whole),
        SortTest::BeginsWith(key) => overlap(sort, key, Extent::Beginning),
        SortTest::Between(from, to) => {
            meets(sort, lowest(from), highest(to)) && is_inside(sort, &in_common(from, to))
        }
        SortTest::From(key) | SortTest::After(key) => {
            let prefix = before_last_field(key);
            meets(sort, lowest(key), literal(&prefix)) && is_inside(sort, &prefix)
        }
        SortTest::UpTo(key) | SortTest::Before(key) => {
            let prefix = before_last_field(key);
            meets(sort, literal(&prefix), highest(key)) && is_inside(sort, &prefix)
        }
    }
}

/// Returns whether texts of a template can begin with what all keys of a range begin with.
const fn is_inside(sort: &Template, prefix: &Template) -> bool {
    overlap(sort, prefix, Extent::Beginning)
}

/// Returns the prefix of a range that is open at one end: everything before the last field of its
/// bound. Without a field it extends to the end of the partition.
const fn before_last_field(bound: &Template) -> Template {
    let mut segments = bound.segments;
    while let [rest @ .., last] = segments {
        segments = rest;
        if !matches!(last, Segment::Literal(_)) {
            break;
        }
    }
    Template { text: bound.text, segments }
}

/// Returns what both bounds begin with, whatever their arguments are.
const fn in_common(from: &Template, to: &Template) -> Template {
    let mut count = 0;
    while count < from.segments.len() && count < to.segments.len() {
        let is_same = match (&from.segments[count], &to.segments[count]) {
            (Segment::Literal(one), Segment::Literal(other)) => text::equal(one, other),
            (
                Segment::Field { name: one, pad, .. },
                Segment::Field { name: other, pad: other_pad, .. },
            ) => text::equal(one, other) && *pad == *other_pad,
            _ => false,
        };
        if !is_same {
            break;
        }
        count += 1;
    }
    Template { text: from.text, segments: from.segments.split_at(count).0 }
}

/// One end of a range: a literal, and possibly one byte after it. An upper end includes everything
/// that begins with it.
#[derive(Clone, Copy)]
struct Bound {
    literal: &'static [u8],
    byte: Option<u8>,
}

const fn literal(template: &Template) -> Bound {
    Bound { literal: leading_literal(template).as_bytes(), byte: None }
}

/// Returns the lowest text that a template begins with.
const fn lowest(template: &Template) -> Bound {
    let byte = match first_field(template) {
        Some(text) if !text.may_be_empty => Some(least(text.charset)),
        _ => None,
    };
    Bound { literal: leading_literal(template).as_bytes(), byte }
}

/// Returns the highest text that a template begins with.
const fn highest(template: &Template) -> Bound {
    let byte = match first_field(template) {
        Some(text) => Some(greatest(text.charset)),
        None => None,
    };
    Bound { literal: leading_literal(template).as_bytes(), byte }
}

const fn first_field(template: &Template) -> Option<FieldText> {
    match template.segments {
        [] | [Segment::Literal(_)] => None,
        [Segment::Literal(_), field, ..] | [field, ..] => Some(FieldText::of(field)),
    }
}

const fn least(charset: Charset) -> u8 {
    match charset {
        Charset::Digits => b'0',
        Charset::Date | Charset::Instant => b'-',
        Charset::Identifier => b'+',
        Charset::Any => 0,
    }
}

const fn greatest(charset: Charset) -> u8 {
    match charset {
        Charset::Digits | Charset::Date => b'9',
        Charset::Instant => b'Z',
        Charset::Identifier => b'~',
        Charset::Any => u8::MAX,
    }
}

/// Returns whether texts of a template can lie between two bounds.
const fn meets(sort: &Template, low: Bound, high: Bound) -> bool {
    let is_short = first_field(sort).is_none() && is_longer(low, literal(sort));
    !is_behind(lowest(sort), high) && !is_behind(low, highest(sort)) && !is_short
}

/// Returns whether a bound continues where a complete key ends, so that the key sorts before it.
const fn is_longer(low: Bound, key: Bound) -> bool {
    byte_at(low, key.literal.len()).is_some() && !text::differ(low.literal, key.literal)
}

/// Returns whether a text sorts after everything that begins with `end`.
const fn is_behind(text: Bound, end: Bound) -> bool {
    let mut at = 0;
    loop {
        match (byte_at(text, at), byte_at(end, at)) {
            (_, None) | (None, _) => return false,
            (Some(one), Some(other)) => {
                if one != other {
                    return one > other;
                }
            }
        }
        at += 1;
    }
}

const fn byte_at(bound: Bound, at: usize) -> Option<u8> {
    if at < bound.literal.len() {
        Some(bound.literal[at])
    } else if at == bound.literal.len() {
        bound.byte
    } else {
        None
    }
}

#[cfg(test)]
mod tests;
