//! Texts that are in keys in another form than in their attributes: addresses, colleges, names.

use monotable::model::key::{
    KeyError, KeyPart, PartKind, PartText, decode_free_text, encode_free_text,
};
use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization as _;

use crate::rules::{college, teams};

/// Declares a text that is in keys in another form.
macro_rules! key_text {
    ($(#[$about:meta])* $Text:ident, $written:expr, $read:expr) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $Text(pub String);

        impl PartText for $Text {
            fn write(&self, pad: u8, text: &mut String) -> Result<(), KeyError> {
                let written: fn(&Self) -> String = $written;
                written(self).write(pad, text)
            }
        }

        impl KeyPart for $Text {
            const KIND: PartKind = PartKind { may_be_empty: false, ..PartKind::TEXT };

            fn parse(text: &str) -> Result<Self, KeyError> {
                let read: fn(&str) -> Result<String, KeyError> = $read;
                read(text).map(Self)
            }
        }
    };
}

key_text!(
    /// An e-mail address; in keys without spaces around it, in Unicode's composed form and lower case, with `%` and `#`
    /// encoded.
    Email,
    |email| encode_free_text(&email.normal()),
    decode_free_text
);

impl Email {
    /// Returns the address as it is compared.
    pub fn normal(&self) -> String {
        self.0.trim().nfc().collect::<String>().to_lowercase()
    }
}

key_text!(
    /// The name of a college; in keys as a slug, so that spellings meet.
    College,
    |college| college::slug(&college.0),
    |text| Ok(text.to_owned())
);

key_text!(
    /// The name of a team; in keys in lower case, with single spaces.
    TeamName,
    |name| encode_free_text(&teams::name_guard(&name.0)),
    decode_free_text
);

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
