//! Whether a condition on a sort key can find rows of a template.
//!
//! Ranges are compared by what stands before the first field and by the first byte of that field:
//! enough to tell `GAME#{day}` from `METADATA`, and from `GAME#SUMMARY`.

use super::overlap::{Extent, FieldText, leading_literal, overlap};
use crate::meta::{Segment, SortTest, Template};
use crate::part::Charset;
use crate::text;

/// Whether the conditions on the attributes of a sort key can all hold for rows with these templates.
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

/// What every sort key found by the conditions begins with, as far as the first literal goes.
pub(crate) const fn beginning(tests: &[SortTest]) -> &'static str {
    match tests {
        [] => "",
        [SortTest::Between(from, to), ..] => {
            let (from, to) = (leading_literal(from), leading_literal(to));
            if text::equal(from, to) { from } else { "" }
        }
        [
            SortTest::Equals(key)
            | SortTest::BeginsWith(key)
            | SortTest::From(key)
            | SortTest::UpTo(key)
            | SortTest::After(key)
            | SortTest::Before(key),
            ..,
        ] => leading_literal(key),
    }
}

const fn can_hold(test: &SortTest, sort: &Template) -> bool {
    match test {
        SortTest::Equals(key) => overlap(sort, key, Extent::Whole),
        SortTest::BeginsWith(key) => overlap(sort, key, Extent::Beginning),
        SortTest::Between(from, to) => meets(sort, lowest(from), highest(to)),
        SortTest::From(key) | SortTest::After(key) => meets(sort, lowest(key), literal(key)),
        SortTest::UpTo(key) | SortTest::Before(key) => meets(sort, literal(key), highest(key)),
    }
}

/// One end of a range: a literal, and perhaps one byte behind it. An upper end includes all that
/// begins with it.
#[derive(Clone, Copy)]
struct Bound {
    literal: &'static [u8],
    byte: Option<u8>,
}

const fn literal(template: &Template) -> Bound {
    Bound { literal: leading_literal(template).as_bytes(), byte: None }
}

/// The lowest text that a template begins with.
const fn lowest(template: &Template) -> Bound {
    let byte = match first_field(template) {
        Some(text) if !text.may_be_empty => Some(least(text.charset)),
        _ => None,
    };
    Bound { literal: leading_literal(template).as_bytes(), byte }
}

/// The highest text that a template begins with.
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

/// Whether texts of a template can lie between two bounds.
const fn meets(sort: &Template, low: Bound, high: Bound) -> bool {
    let is_short = first_field(sort).is_none() && is_longer(low, literal(sort));
    !is_behind(lowest(sort), high) && !is_behind(low, highest(sort)) && !is_short
}

/// Whether a bound goes on where a whole key ends, so that the key lies before it.
const fn is_longer(low: Bound, key: Bound) -> bool {
    byte_at(low, key.literal.len()).is_some() && !text::differ(low.literal, key.literal)
}

/// Whether a text lies behind everything that begins with `end`.
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
