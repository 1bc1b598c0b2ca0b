//! Key parts and templates at run time: renders fields into keys, and parses keys.
//!
//! A [`KeyPart`] is a type that can be used in a template; [`render()`] fills in values, and
//! [`parse_template`] extracts them from a key. The two are exact inverses. Nothing here knows
//! entities or rows.

mod parts;
mod render;
mod shard;
mod text;

pub use render::{parse_template, render};
pub use shard::shard_of;
pub use text::{
    IDENTIFIER_CHARACTERS_MAX, check_identifier, check_lengths, decode_free_text, encode_free_text,
};

pub use monotable_design::part::{Charset, Form, PartKind};
use thiserror::Error as ThisError;

/// A value that can be used in a key template.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be used in a key template",
    note = "key parts are typed ids (`#[derive(Id)]`), words (`#[derive(KeyWord)]`), `u8` to `u64`, `i8` to `i64`, `Date`, `Timestamp`, `EpochSeconds` and `String`"
)]
pub trait KeyPart: PartText + Sized {
    /// The form of its text.
    const KIND: PartKind;

    /// Parses the value from its text.
    ///
    /// # Errors
    ///
    /// The text does not represent a value.
    fn parse(text: &str) -> Result<Self, KeyError>;
}

/// The text of a key part.
pub trait PartText {
    /// Appends the text, padded with zeros to `pad` digits if that is not 0.
    ///
    /// # Errors
    ///
    /// The value is not valid in a key: it is empty, contains a forbidden character, or has more
    /// digits than the padding.
    fn write(&self, pad: u8, text: &mut String) -> Result<(), KeyError>;
}

/// A source of values for the fields of a template: an entity, its key, or the arguments of a
/// pattern.
pub trait Parts {
    /// Appends the text of the field at a position, and returns whether it has a value.
    ///
    /// # Errors
    /// As [`PartText::write`].
    fn write_part(&self, position: u16, pad: u8, text: &mut String) -> Result<bool, KeyError>;
}

/// The arguments of a pattern, by their positions.
impl Parts for &[&dyn PartText] {
    fn write_part(&self, position: u16, pad: u8, text: &mut String) -> Result<bool, KeyError> {
        match self.get(usize::from(position)) {
            Some(part) => part.write(pad, text).map(|()| true),
            None => Ok(false),
        }
    }
}

/// The texts of the fields of one entity that were found in a key, by position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ParsedParts(Vec<(u16, String)>);

impl ParsedParts {
    /// Adds a text. Returns `false` if the field already has another text.
    pub fn insert(&mut self, position: u16, text: &str) -> bool {
        match self.get(position) {
            Some(known) => known == text,
            None => {
                self.0.push((position, text.to_owned()));
                true
            }
        }
    }

    /// Returns the text of a field.
    pub fn get(&self, position: u16) -> Option<&str> {
        self.0.iter().find(|(at, _)| *at == position).map(|(_, text)| text.as_str())
    }

    /// Returns the value of a field.
    ///
    /// # Errors
    ///
    /// The key lacks the field, or its text does not represent a value of this type.
    pub fn value<T: KeyPart>(&self, position: u16) -> Result<T, KeyError> {
        T::parse(self.get(position).ok_or(KeyError::Unparsable)?)
    }

    /// Returns all texts with their positions.
    pub fn iter(&self) -> impl Iterator<Item = (u16, &str)> {
        self.0.iter().map(|(position, text)| (*position, text.as_str()))
    }
}

/// The reason why a value is not valid in a key, or a text is not a key.
#[derive(Clone, Debug, PartialEq, Eq, ThisError)]
pub enum KeyError {
    /// The value is empty.
    #[error("a key part is empty; give it a value")]
    Empty,
    /// The value contains a character that would make the key ambiguous.
    #[error(
        "`{}` is not valid in a key: `{}` is not allowed there",
        text.escape_debug(),
        character.escape_debug()
    )]
    Character {
        /// The value.
        text: String,
        /// The first forbidden character.
        character: char,
    },
    /// The identifier is too long.
    #[error("an identifier of {characters} characters is longer than {IDENTIFIER_CHARACTERS_MAX}")]
    IdentifierTooLong {
        /// The number of characters.
        characters: usize,
    },
    /// The number has more digits than the template allows.
    #[error("{number} has more than the {pad} digits that the key template gives it")]
    TooWide {
        /// The number.
        number: u64,
        /// The number of digits.
        pad: u8,
    },
    /// The rendered key is longer than DynamoDB allows.
    #[error("a key of {bytes} bytes is longer than the {bytes_max} that DynamoDB takes")]
    TooLong {
        /// The length in bytes.
        bytes: usize,
        /// The maximum length in bytes.
        bytes_max: usize,
    },
    /// The text does not match the template.
    #[error("the key does not follow the template")]
    Unparsable,
}
