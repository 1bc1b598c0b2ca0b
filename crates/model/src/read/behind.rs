//! How keys go on behind a text that they begin with.
//!
//! A pattern may write values out: `OPEN#{number}` asks for keys of `{state}#{number}`. So the text counts,
//! not the template that it is made of; no value contains what stands behind it.

use monotable_design::meta::Segment;

/// What comes behind a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Following {
    Nothing,
    More(&'static str),
}

impl Following {
    /// Whether this literal is all that comes.
    pub(super) fn admits(self, literal: &str) -> bool {
        match self {
            Self::Nothing => true,
            Self::More(known) => known == literal,
        }
    }
}

/// How keys of a template go on behind a text.
pub(super) fn behind(mut segments: &'static [Segment], mut text: &str) -> Following {
    loop {
        text = match segments {
            [] => return Following::Nothing,
            [Segment::Literal(literal), ..] => match text.strip_prefix(literal) {
                Some(text) => text,
                None => {
                    let left = literal.strip_prefix(text);
                    return left.map_or(Following::Nothing, Following::More);
                }
            },
            _ if text.is_empty() => return Following::More(""),
            [_] => return Following::Nothing,
            [_, Segment::Literal(next), ..] => match text.find(next) {
                Some(end) => &text[end..],
                None => return Following::More(left_of(next, text)),
            },
            // Two values side by side: where the first one ends can't be told.
            [_, ..] => return Following::More(""),
        };
        segments = &segments[1..];
    }
}

/// What is left of a literal that a text may end within.
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
    fn keys_go_on_behind_what_a_text_says() {
        let more = |text| match behind(KEY, text) {
            Following::More(literal) => Some(literal),
            Following::Nothing => None,
        };
        assert_eq!(more("GA"), Some("ME#"));
        assert_eq!(more("GAME#"), Some(""));
        assert_eq!(more("GAME#g1"), Some("##"));
        assert_eq!(more("GAME#g1#"), Some("#"));
        assert_eq!(more("GAME#g1##"), Some(""));
        assert_eq!(more("GAME#g1##p1"), None);
        assert_eq!(more("TEAM#"), None);
        assert_eq!(behind(&[const { field(0) }, const { field(1) }], "12"), Following::More(""));
    }
}
