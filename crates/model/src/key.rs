//! Key parts and templates at run time: rendering fields into keys, and parsing keys back.
//!
//! A [`KeyPart`] is a type that can stand in a template; [`render()`] puts values into one, and
//! [`parse_template`] takes a key apart again. Both are exact: a key that is parsed is the key that
//! its parts render. Nothing here knows entities or rows.

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

/// A value that can stand in a key template.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't stand in a key template",
    note = "key parts are typed ids (`#[derive(Id)]`), words (`#[derive(KeyWord)]`), `u8` to `u64`, `i8` to `i64`, `Date`, `Timestamp`, `EpochSeconds` and `String`"
)]
pub trait KeyPart: PartText + Sized {
    /// What its text is like.
    const KIND: PartKind;

    /// Reads the value back from its text.
    ///
    /// # Errors
    /// If no value has this text.
    fn parse(text: &str) -> Result<Self, KeyError>;
}

/// The text of a key part.
pub trait PartText {
    /// Appends the text, padded with zeros to `pad` digits if that is not 0.
    ///
    /// # Errors
    /// If the value can't stand in a key: it is empty, has a forbidden character, or more digits
    /// than the padding.
    fn write(&self, pad: u8, text: &mut String) -> Result<(), KeyError>;
}

/// Something that has the values for the fields of a template: an entity, its key, or the arguments of
/// a pattern.
pub trait Parts {
    /// Appends the text of the field at a position. `false` says that there is no value.
    ///
    /// # Errors
    /// As [`PartText::write`].
    fn write_part(&self, position: u16, pad: u8, text: &mut String) -> Result<bool, KeyError>;
}

/// Arguments of a pattern, by their positions.
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
    /// Remembers a text. `false` says that the field was there before with another text.
    pub fn insert(&mut self, position: u16, text: &str) -> bool {
        match self.get(position) {
            Some(known) => known == text,
            None => {
                self.0.push((position, text.to_owned()));
                true
            }
        }
    }

    /// The text of a field.
    pub fn get(&self, position: u16) -> Option<&str> {
        self.0.iter().find(|(at, _)| *at == position).map(|(_, text)| text.as_str())
    }

    /// The value of a field.
    ///
    /// # Errors
    /// If the key has no such field, or its text is no such value.
    pub fn value<T: KeyPart>(&self, position: u16) -> Result<T, KeyError> {
        T::parse(self.get(position).ok_or(KeyError::Unparsable)?)
    }

    /// All texts with their positions.
    pub fn iter(&self) -> impl Iterator<Item = (u16, &str)> {
        self.0.iter().map(|(position, text)| (*position, text.as_str()))
    }
}

/// Why a value can't stand in a key, or a text is no key.
#[derive(Clone, Debug, PartialEq, Eq, ThisError)]
pub enum KeyError {
    /// The value is empty.
    #[error("a key part is empty; give it a value")]
    Empty,
    /// The value has a character that would make the key ambiguous.
    #[error(
        "`{}` can't stand in a key: `{}` is not allowed there",
        text.escape_debug(),
        character.escape_debug()
    )]
    Character {
        /// The value.
        text: String,
        /// The first character in the way.
        character: char,
    },
    /// The identifier is too long.
    #[error("an identifier of {characters} characters is longer than {IDENTIFIER_CHARACTERS_MAX}")]
    IdentifierTooLong {
        /// Its length.
        characters: usize,
    },
    /// The number has more digits than the template gives it.
    #[error("{number} has more than the {pad} digits that the key template gives it")]
    TooWide {
        /// The number.
        number: u64,
        /// The digits.
        pad: u8,
    },
    /// The rendered key is longer than DynamoDB takes.
    #[error("a key of {bytes} bytes is longer than the {bytes_max} that DynamoDB takes")]
    TooLong {
        /// Its length.
        bytes: usize,
        /// The greatest length.
        bytes_max: usize,
    },
    /// The text does not follow the template.
    #[error("the key does not follow the template")]
    Unparsable,
}
