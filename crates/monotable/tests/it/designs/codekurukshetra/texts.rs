//! Texts that stand in keys in another form than in their attributes: addresses, colleges, names.

use monotable::model::key::{Charset, Form, KeyError, KeyPart, PartKind, PartText};
use monotable::model::key::{decode_free_text, encode_free_text};
use serde::{Deserialize, Serialize};

/// The longest slug of a college.
const SLUG_CHARACTERS_MAX: usize = 60;

/// An e-mail address; in keys without blanks around it, in lower case, `%` and `#` encoded.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Email(pub String);

impl PartText for Email {
    fn write(&self, pad: u8, text: &mut String) -> Result<(), KeyError> {
        encode_free_text(&self.0.trim().to_lowercase()).write(pad, text)
    }
}

impl KeyPart for Email {
    const KIND: PartKind = PartKind { may_be_empty: false, ..PartKind::TEXT };

    fn parse(text: &str) -> Result<Self, KeyError> {
        decode_free_text(text).map(Self)
    }
}

/// The name of a college; in keys as a slug, so that spellings meet.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct College(pub String);

impl PartText for College {
    fn write(&self, pad: u8, text: &mut String) -> Result<(), KeyError> {
        let lower = self.0.to_lowercase();
        let words = lower.split(|character: char| !character.is_ascii_alphanumeric());
        let slug = words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-");
        let end = slug.len().min(SLUG_CHARACTERS_MAX);
        slug[..end].trim_end_matches('-').to_owned().write(pad, text)
    }
}

impl KeyPart for College {
    const KIND: PartKind = PartKind {
        form: Form::Text,
        charset: Charset::Identifier,
        may_be_empty: false,
        width: 0,
        is_identity: false,
    };

    fn parse(text: &str) -> Result<Self, KeyError> {
        Ok(Self(text.to_owned()))
    }
}

/// The name of a team; in keys in lower case, with single blanks.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TeamName(pub String);

impl PartText for TeamName {
    fn write(&self, pad: u8, text: &mut String) -> Result<(), KeyError> {
        let words: Vec<&str> = self.0.split_whitespace().collect();
        encode_free_text(&words.join(" ").to_lowercase()).write(pad, text)
    }
}

impl KeyPart for TeamName {
    const KIND: PartKind = PartKind { may_be_empty: false, ..PartKind::TEXT };

    fn parse(text: &str) -> Result<Self, KeyError> {
        decode_free_text(text).map(Self)
    }
}
