//! The sort keys of a log: a template with one number.

use monotable_design::template::{Piece, parse};

use crate::error::{Error, Result};
use crate::key::{KeyError, PartText};

/// A template with one padded number, such as `log#{seq:06}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SequenceTemplate {
    before: String,
    pad: u8,
    behind: String,
}

impl SequenceTemplate {
    pub(super) fn parse(text: &str) -> Result<Self> {
        let refused = |why: &str| Error::Settings(format!("the log template `{text}` {why}"));
        let pieces = parse(text).map_err(|error| Error::Settings(error.message))?;
        let mut template = Self { before: String::new(), pad: 0, behind: String::new() };
        for piece in pieces {
            match piece {
                Piece::Literal(literal) if template.pad == 0 => template.before = literal,
                Piece::Literal(literal) => template.behind = literal,
                Piece::Field { pad: 0, .. } => {
                    return Err(refused(
                        "has a number without padding, so 10 sorts before 9: write `{seq:06}`",
                    ));
                }
                Piece::Field { pad, .. } if template.pad == 0 => template.pad = pad,
                Piece::Field { .. } | Piece::Shard => {
                    return Err(refused("has more than one number: write `log#{seq:06}`"));
                }
            }
        }
        match template.pad {
            0 => Err(refused("has no number: write `log#{seq:06}`")),
            _ => Ok(template),
        }
    }

    /// The greatest number that the padding has room for.
    pub(super) fn last(&self) -> u64 {
        10_u64.checked_pow(u32::from(self.pad)).map_or(u64::MAX, |next| next - 1)
    }

    /// The sort key of a number.
    pub(super) fn render(&self, number: u64) -> Result<String, KeyError> {
        let mut text = self.before.clone();
        number.write(self.pad, &mut text)?;
        text.push_str(&self.behind);
        Ok(text)
    }

    /// The number of a sort key, if it is one of the log.
    pub(super) fn number(&self, text: &str) -> Option<u64> {
        let digits = text.strip_prefix(&self.before)?.strip_suffix(&self.behind)?;
        let is_padded = digits.len() == usize::from(self.pad)
            && digits.bytes().all(|byte| byte.is_ascii_digit());
        digits.parse().ok().filter(|_| is_padded)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_in_a_template() {
        let template = SequenceTemplate::parse("log#{seq:06}").unwrap();
        assert_eq!(template.render(42).unwrap(), "log#000042");
        assert_eq!(template.number("log#000042"), Some(42));
        assert_eq!(template.last(), 999_999);
        assert!(template.render(1_000_000).is_err());
        for foreign in ["log#42", "log#0000042", "log#00004x", "state", "log#+00042"] {
            assert_eq!(template.number(foreign), None, "{foreign}");
        }
        let surrounded = SequenceTemplate::parse("e{n:020}#x").unwrap();
        assert_eq!(surrounded.number("e00000000000000000007#x"), Some(7));
        assert_eq!(surrounded.last(), u64::MAX);
    }

    #[test]
    fn other_templates_are_refused() {
        let message = |text| SequenceTemplate::parse(text).unwrap_err().to_string();
        assert_eq!(
            message("log#{seq}"),
            "the log template `log#{seq}` has a number without padding, so 10 sorts before 9: write `{seq:06}`"
        );
        assert_eq!(message("log"), "the log template `log` has no number: write `log#{seq:06}`");
        assert_eq!(
            message("{a:02}{b:02}"),
            "the log template `{a:02}{b:02}` has more than one number: write `log#{seq:06}`"
        );
        assert!(message("log#{").contains("without a `}`"));
    }
}
