//! How keys continue after a prefix.
//!
//! A pattern may contain fixed values: `OPEN#{number}` requests keys of `{state}#{number}`. So the
//! text counts, not the template that it was rendered from; no value contains the literal after it.

use monotable_design::meta::Segment;

/// What follows a prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Continuation {
    Nothing,
    More(&'static str),
}

impl Continuation {
    /// Returns whether exactly this literal can follow.
    pub(super) fn admits(self, literal: &str) -> bool {
        match self {
            Self::Nothing => true,
            Self::More(known) => known == literal,
        }
    }
}

/// Returns how keys of a template continue after a text.
pub(super) fn continuation(mut segments: &'static [Segment], mut text: &str) -> Continuation {
    loop {
        text = match segments {
            [] => return Continuation::Nothing,
            [Segment::Literal(literal), ..] => match text.strip_prefix(literal) {
                Some(text) => text,
                None => {
                    let left = literal.strip_prefix(text);
                    return left.map_or(Continuation::Nothing, Continuation::More);
                }
            },
            _ if text.is_empty() => return Continuation::More(""),
            [_] => return Continuation::Nothing,
            [_, Segment::Literal(next), ..] => match text.find(next) {
                Some(end) => &text[end..],
                None => return Continuation::More(left_of(next, text)),
            },
            // Two adjacent values: the end of the first one is unknown.
            [_, ..] => return Continuation::More(""),
        };
        segments = &segments[1..];
    }
}

/// Returns the rest of a literal that a text may end within.
fn left_of(literal: &'static str, text: &str) -> &'static str {
    let begun = (1..literal.len()).rev().filter_map(|bytes| literal.split_at_checked(bytes));
    let mut begun = begun.filter(|(begun, _)| text.ends_with(begun));
    begun.next().map_or(literal, |(_, left)| left)
}

#[cfg(test)]
mod tests {
    use monotable_design::part::PartKind;

    use super::*;

    const fn field(position: u16) -> Segment {
        Segment::Field {
            name: "field",
            position,
            pad: 0,
            kind: PartKind::IDENTITY,
            is_optional: false,
        }
    }

    const KEY: &[Segment] =
        &[Segment::Literal("GAME#"), field(0), Segment::Literal("##"), field(1)];

    #[test]
    fn keys_continue_after_a_prefix() {
        let more = |text| match continuation(KEY, text) {
            Continuation::More(literal) => Some(literal),
            Continuation::Nothing => None,
        };
        assert_eq!(more("GA"), Some("ME#"));
        assert_eq!(more("GAME#"), Some(""));
        assert_eq!(more("GAME#g1"), Some("##"));
        assert_eq!(more("GAME#g1#"), Some("#"));
        assert_eq!(more("GAME#g1##"), Some(""));
        assert_eq!(more("GAME#g1##p1"), None);
        assert_eq!(more("TEAM#"), None);
        assert_eq!(
            continuation(&[const { field(0) }, const { field(1) }], "12"),
            Continuation::More("")
        );
    }
}
