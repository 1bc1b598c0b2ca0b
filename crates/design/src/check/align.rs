//! Compares the template of a pattern with that of a key, part by part.
//!
//! A pattern may contain a fixed value of a field: `STATUS#OPEN#{day}` requests keys of
//! `STATUS#{status}#{day}`. So literals are compared by their bytes, and a literal opposite a field
//! is its value up to the delimiter after it.

use super::overlap::FieldText;
use crate::meta::Segment;

/// Two templates, and how far both were walked.
#[derive(Clone, Copy)]
pub(super) struct Pairs {
    asked: Position,
    written: Position,
}

/// The next thing that a walk comes to.
pub(super) enum Next {
    /// A value of the pattern, and the field that it stands for.
    Pair(&'static Segment, &'static Segment),
    /// The end of the pattern's template; the key continues with this.
    End(Rest),
    /// Parts that do not begin or end at the same positions, or the end of the key.
    Unclear,
}

/// How a key continues.
pub(super) enum Rest {
    /// Not at all.
    Nothing,
    /// With a literal.
    Literal(&'static str),
    /// With a field.
    Field,
}

/// A position in a template: the remaining segments, and how much of the first literal has been
/// passed.
#[derive(Clone, Copy)]
struct Position {
    segments: &'static [Segment],
    done: usize,
}

impl Position {
    /// Passes some bytes of the current literal.
    const fn pass(&mut self, literal: &str, bytes: usize) {
        self.done += bytes;
        if self.done >= literal.len() {
            self.skip();
        }
    }

    /// Goes on to the next segment.
    const fn skip(&mut self) {
        if let [_, rest @ ..] = self.segments {
            (self.segments, self.done) = (rest, 0);
        }
    }
}

impl Pairs {
    /// Begins with the first parts of a pattern's template and of a key's.
    pub(super) const fn new(asked: &'static [Segment], written: &'static [Segment]) -> Self {
        let asked = Position { segments: asked, done: 0 };
        Self { asked, written: Position { segments: written, done: 0 } }
    }

    /// Returns whether the template of the pattern ends here.
    pub(super) const fn is_asked(&self) -> bool {
        self.asked.segments.is_empty()
    }

    /// Goes on to the next value.
    pub(super) const fn next(&mut self) -> Next {
        loop {
            let [one, ..] = self.asked.segments else { return Next::End(self.rest()) };
            let [other, ..] = self.written.segments else { return Next::Unclear };
            match (one, other) {
                (Segment::Literal(one), Segment::Literal(other)) => {
                    let bytes = in_common(one, self.asked.done, other, self.written.done);
                    let Some(bytes) = bytes else { return Next::Unclear };
                    self.asked.pass(one, bytes);
                    self.written.pass(other, bytes);
                }
                (Segment::Literal(literal), field) => {
                    let Some(bytes) = self.value_bytes(literal, field) else {
                        return Next::Unclear;
                    };
                    self.asked.pass(literal, bytes);
                    self.written.skip();
                }
                (_, Segment::Literal(_)) => return Next::Unclear,
                (Segment::Shard, Segment::Shard) => {
                    self.asked.skip();
                    self.written.skip();
                }
                (one, other) => {
                    self.asked.skip();
                    self.written.skip();
                    return Next::Pair(one, other);
                }
            }
        }
    }

    const fn rest(&self) -> Rest {
        match self.written.segments {
            [] => Rest::Nothing,
            [Segment::Literal(literal), ..] => Rest::Literal(literal.split_at(self.written.done).1),
            _ => Rest::Field,
        }
    }

    /// Returns how many bytes of a literal are the value of a field, if that can be determined.
    const fn value_bytes(&self, literal: &str, field: &Segment) -> Option<usize> {
        let left = literal.len() - self.asked.done;
        let text = FieldText::of(field);
        if text.width > 0 {
            return if text.width as usize <= left { Some(text.width as usize) } else { None };
        }
        match self.written.segments {
            [_] => Some(left),
            [_, Segment::Literal(next), ..] if !next.is_empty() => {
                let end = next.as_bytes()[0];
                let mut bytes = 0;
                while bytes < left {
                    if literal.as_bytes()[self.asked.done + bytes] == end {
                        return if text.charset.contains(end) { None } else { Some(bytes) };
                    }
                    bytes += 1;
                }
                None
            }
            _ => None,
        }
    }
}

/// Returns how many bytes two literals have in common until one of them ends; none if they differ.
const fn in_common(one: &str, done: usize, other: &str, other_done: usize) -> Option<usize> {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut bytes = 0;
    while done + bytes < one.len() && other_done + bytes < other.len() {
        if one[done + bytes] != other[other_done + bytes] {
            return None;
        }
        bytes += 1;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::{Next, Pairs, Rest};
    use crate::fixtures::{DAY, ID, TEXT, U32, WORD, template};
    use crate::meta::{Segment, Template};

    fn key(text: &'static str) -> Template {
        template(text, |name| {
            let kind = match name {
                "text" => TEXT,
                "number" => U32,
                "day" => DAY,
                "word" => WORD,
                _ => ID,
            };
            (0, kind, false)
        })
    }

    fn name(segment: &Segment) -> &'static str {
        match segment {
            Segment::Field { name, .. } => name,
            _ => "shard",
        }
    }

    fn check(asked: &'static str, written: &'static str, expected: Expect) {
        let mut pairs = Pairs::new(key(asked).segments, key(written).segments);
        let mut found = Vec::new();
        let end = loop {
            match pairs.next() {
                Next::Pair(one, other) => found.push(format!("{}={}", name(one), name(other))),
                Next::End(Rest::Nothing) => break "end".to_owned(),
                Next::End(Rest::Literal(literal)) => break format!("then {literal}"),
                Next::End(Rest::Field) => break "then a field".to_owned(),
                Next::Unclear => break "unclear".to_owned(),
            }
        };
        found.push(end);
        expected.assert_eq(&found.join(" "));
    }

    #[test]
    fn templates_of_one_form_are_walked_to_the_end() {
        check("A#{a}#{day}", "A#{b}#{day}", expect!["a=b day=day end"]);
        check("A#{a}", "A#{b}#{day}", expect!["a=b then #"]);
        check("A#{a}#", "A#{b}#{day}", expect!["a=b then a field"]);
        check("A", "A#{b}", expect!["then #"]);
        check("G#{shard}", "G#{shard}#{day}", expect!["then #"]);
        check("G#{a}", "G#{shard}", expect!["a=shard end"]);
    }

    #[test]
    fn a_literal_stands_for_a_field_up_to_its_delimiter() {
        check("S#OPEN#{number}", "S#{word}#{number:05}#{a}", expect!["number=number then #"]);
        check("OPEN#{a}", "{word}#{b}", expect!["a=b end"]);
        check("S#OPEN#D#{day}", "S#{word}#D#{day}", expect!["day=day end"]);
        check("S#OPEN#X#{a}#{b}", "S#{word}#{c}#{d}#{a}", expect!["a=d b=a end"]);
        check("D#2026-01-01T{a}", "D#{day}T{b}", expect!["a=b end"]);
        check("S#OPEN", "S#{word}", expect!["end"]);
    }

    #[test]
    fn undecidable_templates_are_accepted() {
        check("A#{a}", "B#{a}", expect!["unclear"]);
        check("S#OP{a}", "S#{word}#{a}", expect!["unclear"]);
        check("D#2026{a}", "D#{day}", expect!["unclear"]);
        check("{a}", "A#{a}", expect!["unclear"]);
        check("A#{a}", "A#", expect!["unclear"]);
        check("N#x#{a}", "N#{text}#{a}", expect!["unclear"]);
    }
}
