//! Texts that are in keys in another form than in their attributes: addresses, colleges, names.

use monotable::model::key::{
    KeyError, KeyPart, PartKind, PartText, decode_free_text, encode_free_text,
};
use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization as _;

use crate::rules::{college, teams};

/// An e-mail address; in keys without spaces around it, in Unicode's composed form and lower case, with `%` and `#` encoded.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Email(pub String);

impl Email {
    /// Returns the address as it is compared.
    pub fn normal(&self) -> String {
        self.0.trim().nfc().collect::<String>().to_lowercase()
    }
}

impl PartText for Email {
    fn write(&self, pad: u8, text: &mut String) -> Result<(), KeyError> {
        encode_free_text(&self.normal()).write(pad, text)
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
        college::slug(&self.0).write(pad, text)
    }
}

impl KeyPart for College {
    const KIND: PartKind = PartKind { may_be_empty: false, ..PartKind::TEXT };

    fn parse(text: &str) -> Result<Self, KeyError> {
        Ok(Self(text.to_owned()))
    }
}

/// The name of a team; in keys in lower case, with single spaces.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TeamName(pub String);

impl PartText for TeamName {
    fn write(&self, pad: u8, text: &mut String) -> Result<(), KeyError> {
        encode_free_text(&teams::name_guard(&self.0)).write(pad, text)
    }
}

impl KeyPart for TeamName {
    const KIND: PartKind = PartKind { may_be_empty: false, ..PartKind::TEXT };

    fn parse(text: &str) -> Result<Self, KeyError> {
        decode_free_text(text).map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_names_meet_in_keys() {
        let written = |part: &dyn PartText| {
            let mut text = String::new();
            part.write(0, &mut text).map(|()| text)
        };
        let email = Email(" Jose\u{301}+50%#@Example.com ".to_owned());
        assert_eq!(written(&email).unwrap(), "jos\u{e9}+50%25%23@example.com");
        assert_eq!(written(&TeamName(" Code  Warriors ".to_owned())).unwrap(), "code%20warriors");
    }
}
