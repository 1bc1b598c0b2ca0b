//! Whether two templates can render to the same text.
//!
//! A template is treated as a simple expression over bytes: literals are themselves, fields are one
//! or more characters of their charset, or exactly as many as their width. Almost every pair is
//! decided by comparing both from left to right; only fields that can contain a delimiter need the
//! full search. In doubt the result is that they overlap, because indistinguishable keys are the
//! more serious mistake.

use crate::meta::{Segment, Template};
use crate::part::{Charset, Form};
use crate::text;

/// How much of the left text the right one must cover.
#[derive(Clone, Copy)]
pub(crate) enum Extent {
    /// All of it: the texts are the same.
    Whole,
    /// Its beginning: the left text begins with the right one.
    Beginning,
}

/// Returns whether some text of `left` is, or begins with, some text of `right`.
pub(crate) const fn overlap(left: &Template, right: &Template, extent: Extent) -> bool {
    !is_apart(left, right) && decide(left, right, extent)
}

const fn decide(left: &Template, right: &Template, extent: Extent) -> bool {
    match side_by_side(left.segments, right.segments, extent) {
        Overlap::Yes => true,
        Overlap::No => false,
        Overlap::Unclear => search(left.segments, right.segments, extent),
    }
}

/// Returns whether every pair of templates overlaps: the keys of several attributes.
pub(crate) const fn all_overlap(left: &[Template], right: &[Template]) -> bool {
    let mut at = 0;
    while at < left.len() && at < right.len() {
        if !overlap(&left[at], &right[at], Extent::Whole) {
            return false;
        }
        at += 1;
    }
    true
}

/// Returns whether two templates differ in the literals that they begin with. This decides most pairs.
pub(crate) const fn is_apart(left: &Template, right: &Template) -> bool {
    is_apart_from(left, leading_literal(right).as_bytes())
}

/// Returns whether the texts of a template can't begin like a literal.
pub(crate) const fn is_apart_from(template: &Template, literal: &[u8]) -> bool {
    match template.segments {
        [Segment::Literal(mine), ..] => text::differ(mine.as_bytes(), literal),
        _ => false,
    }
}

/// Returns the literal before the first field, perhaps empty.
pub(crate) const fn leading_literal(template: &Template) -> &'static str {
    match template.segments {
        [Segment::Literal(literal), ..] => literal,
        _ => "",
    }
}

enum Overlap {
    Yes,
    No,
    Unclear,
}

/// What is known of the text of a field.
#[derive(Clone, Copy)]
pub(crate) struct FieldText {
    pub(crate) charset: Charset,
    /// Bytes that it always has; 0 when that varies.
    pub(crate) width: u8,
    pub(crate) may_be_empty: bool,
}

impl FieldText {
    /// Returns the form of a segment that is not a literal.
    pub(crate) const fn of(segment: &Segment) -> Self {
        match segment {
            Segment::Field { pad, kind, .. } => {
                // Only numbers are padded, and a number is never cut.
                let is_padded = matches!(kind.form, Form::Unsigned { .. }) && *pad > kind.width;
                Self {
                    charset: kind.charset,
                    width: if is_padded { *pad } else { kind.width },
                    may_be_empty: kind.may_be_empty,
                }
            }
            Segment::Literal(_) | Segment::Shard => {
                Self { charset: Charset::Digits, width: 0, may_be_empty: false }
            }
        }
    }
}

/// Compares both templates as long as their parts must begin and end at the same positions.
const fn side_by_side(left: &[Segment], right: &[Segment], extent: Extent) -> Overlap {
    let (mut at_left, mut at_right) = (0, 0);
    // How much of a literal has been passed, when the other side's literal was shorter.
    let (mut done_left, mut done_right) = (0, 0);
    loop {
        if at_right == right.len() {
            return match extent {
                Extent::Beginning => Overlap::Yes,
                Extent::Whole => rest(left, at_left),
            };
        }
        if at_left == left.len() {
            return rest(right, at_right);
        }
        match (&left[at_left], &right[at_right]) {
            (Segment::Literal(one), Segment::Literal(other)) => {
                let (one, other) = (one.as_bytes(), other.as_bytes());
                while done_left < one.len() && done_right < other.len() {
                    if one[done_left] != other[done_right] {
                        return Overlap::No;
                    }
                    done_left += 1;
                    done_right += 1;
                }
                if done_left == one.len() {
                    (at_left, done_left) = (at_left + 1, 0);
                }
                if done_right == other.len() {
                    (at_right, done_right) = (at_right + 1, 0);
                }
            }
            (Segment::Literal(literal), field) | (field, Segment::Literal(literal)) => {
                let done = done_left + done_right;
                let text = FieldText::of(field);
                let literal = literal.as_bytes();
                let is_apart = done < literal.len() && !text.charset.contains(literal[done]);
                return if is_apart && !text.may_be_empty { Overlap::No } else { Overlap::Unclear };
            }
            (one, other) => {
                let ends = (End::of(left, at_left), End::of(right, at_right));
                match fields(one, other, ends, extent) {
                    Some(answer) => return answer,
                    None => (at_left, at_right) = (at_left + 1, at_right + 1),
                }
            }
        }
    }
}

/// Returns whether the rest of a template can be nothing, when the other one is at its end.
const fn rest(segments: &[Segment], at: usize) -> Overlap {
    let (_, rest) = segments.split_at(at);
    match rest {
        [] => Overlap::Yes,
        [Segment::Literal(literal), ..] if !literal.is_empty() => Overlap::No,
        _ => Overlap::Unclear,
    }
}

/// What ends a field.
#[derive(Clone, Copy)]
enum End {
    Template,
    Byte(u8),
    Field,
}

impl End {
    const fn of(segments: &[Segment], at: usize) -> Self {
        if at + 1 == segments.len() {
            return Self::Template;
        }
        match &segments[at + 1] {
            Segment::Literal(literal) if !literal.is_empty() => Self::Byte(literal.as_bytes()[0]),
            _ => Self::Field,
        }
    }
}

/// Compares two fields that begin at the same position. They may end at different positions, so the
/// comparison continues after them.
const fn fields(
    one: &Segment,
    other: &Segment,
    ends: (End, End),
    extent: Extent,
) -> Option<Overlap> {
    let (one, other) = (FieldText::of(one), FieldText::of(other));
    match (ends, extent) {
        ((_, End::Template), Extent::Beginning) => Some(Overlap::Yes),
        ((End::Template, End::Template), Extent::Whole) => {
            let is_apart = one.width > 0 && other.width > 0 && one.width != other.width;
            Some(if is_apart { Overlap::No } else { Overlap::Yes })
        }
        ((End::Byte(end), End::Byte(other_end)), _) => {
            if one.charset.contains(end)
                || one.charset.contains(other_end)
                || other.charset.contains(end)
                || other.charset.contains(other_end)
            {
                Some(Overlap::Unclear)
            } else if end == other_end {
                None
            } else {
                Some(Overlap::No)
            }
        }
        ((End::Template, End::Byte(end)), _) if !one.charset.contains(end) => Some(Overlap::No),
        ((End::Byte(end), End::Template), Extent::Whole) if !other.charset.contains(end) => {
            Some(Overlap::No)
        }
        _ => Some(Overlap::Unclear),
    }
}

/// One step of a template as an expression.
#[derive(Clone, Copy)]
enum Atom {
    /// This byte.
    Byte(u8),
    /// One byte of a charset.
    One(Charset),
    /// Any number of bytes of a charset, also none.
    Many(Charset),
}

/// The longest expression that is searched exactly; a longer template ends in "anything".
const ATOMS_MAX: usize = 127;

struct Expression {
    atoms: [Atom; ATOMS_MAX],
    length: usize,
}

impl Expression {
    const fn of(segments: &[Segment]) -> Self {
        let mut this = Self { atoms: [Atom::Many(Charset::Any); ATOMS_MAX], length: 0 };
        let mut at = 0;
        while at < segments.len() {
            match &segments[at] {
                Segment::Literal(literal) => {
                    let mut byte = 0;
                    while byte < literal.len() {
                        this.push(Atom::Byte(literal.as_bytes()[byte]));
                        byte += 1;
                    }
                }
                field => {
                    let text = FieldText::of(field);
                    let mut ones =
                        if text.width > 0 { text.width } else { !text.may_be_empty as u8 };
                    while ones > 0 {
                        this.push(Atom::One(text.charset));
                        ones -= 1;
                    }
                    if text.width == 0 {
                        this.push(Atom::Many(text.charset));
                    }
                }
            }
            at += 1;
        }
        this
    }

    /// Appends an atom. The last slot is reserved for "anything", which it contains initially.
    const fn push(&mut self, atom: Atom) {
        if self.length + 1 < ATOMS_MAX {
            self.atoms[self.length] = atom;
            self.length += 1;
        } else {
            self.length = ATOMS_MAX;
        }
    }
}

/// Follows both expressions through all pairs of positions that some text can reach. Every step
/// leads forward, so one pass over the pairs in order finds them all.
const fn search(left: &[Segment], right: &[Segment], extent: Extent) -> bool {
    let (left, right) = (Expression::of(left), Expression::of(right));
    let mut reached = [0_u128; ATOMS_MAX + 2];
    reached[0] = 1;
    let mut at_left = 0;
    while at_left <= left.length {
        let mut at_right = 0;
        while at_right <= right.length {
            if reached[at_left] >> at_right & 1 == 1 {
                let is_found = match extent {
                    Extent::Whole => at_left == left.length && at_right == right.length,
                    Extent::Beginning => at_right == right.length,
                };
                if is_found {
                    return true;
                }
                let one = if at_left < left.length { Some(left.atoms[at_left]) } else { None };
                let other =
                    if at_right < right.length { Some(right.atoms[at_right]) } else { None };
                let (stays_left, stays_right) = (is_many(one), is_many(other));
                if stays_left {
                    reached[at_left + 1] |= 1 << at_right;
                }
                if stays_right {
                    reached[at_left] |= 1 << (at_right + 1);
                }
                if meets(one, other) && !(stays_left && stays_right) {
                    let next_left = at_left + !stays_left as usize;
                    reached[next_left] |= 1 << (at_right + !stays_right as usize);
                }
            }
            at_right += 1;
        }
        at_left += 1;
    }
    false
}

const fn is_many(atom: Option<Atom>) -> bool {
    matches!(atom, Some(Atom::Many(_)))
}

/// Returns whether one byte can be both. All charsets have the digits in common.
const fn meets(one: Option<Atom>, other: Option<Atom>) -> bool {
    match (one, other) {
        (None, _) | (_, None) => false,
        (Some(Atom::Byte(one)), Some(Atom::Byte(other))) => one == other,
        (Some(Atom::Byte(byte)), Some(Atom::One(charset) | Atom::Many(charset)))
        | (Some(Atom::One(charset) | Atom::Many(charset)), Some(Atom::Byte(byte))) => {
            charset.contains(byte)
        }
        (Some(Atom::One(_) | Atom::Many(_)), Some(Atom::One(_) | Atom::Many(_))) => true,
    }
}

#[cfg(test)]
mod tests;
