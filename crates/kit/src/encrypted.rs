//! Personal data in fields of rows: encrypted with AES-256-GCM, under one of several keys.
//!
//! A row holds an [`EncryptedText`], which reveals nothing. A service decrypts it with its
//! [`FieldKeys`] where it responds to a person who may see the data, and encrypts what a request
//! contains there, too, after its format was checked. Each text is bound to its row and field: it
//! can't be decrypted in another one.

use std::fmt;
use std::sync::Arc;

use aes_gcm::{Aes256Gcm, KeyInit as _};
use monotable::prelude::{Deserialize, Serialize};

use crate::problem::Problem;
use crate::sealed;

/// The beginning of encrypted texts, in front of the id of their key.
const PREFIX: &str = "aes256gcm:";
/// Shorter secrets could be guessed.
const SECRET_BYTES_MIN: usize = 32;
/// Characters of the id of a key.
const KEY_ID_LENGTH: usize = 8;

/// A text in a row: encrypted, or as an older program wrote it.
///
/// `Debug` does not show it, because a row of an older program contains the plain text.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EncryptedText(String);

impl fmt::Debug for EncryptedText {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("EncryptedText(…)")
    }
}

impl EncryptedText {
    /// Returns the id of the key and the sealed text; `None` if the text is not encrypted.
    fn parts(&self) -> Option<(&str, &str)> {
        let rest = self.0.strip_prefix(PREFIX)?;
        Some(rest.split_once(':').unwrap_or((rest, "")))
    }
}

/// The field of a row that a text belongs to.
#[derive(Clone, Copy, Debug)]
pub struct FieldLocation<'a> {
    /// The row, such as `PARTICIPANT#42`.
    pub row: &'a str,
    /// The name of the field.
    pub field: &'static str,
}

impl FieldLocation<'_> {
    /// Returns the context that a text is sealed for. Names of fields have no spaces, so no two
    /// locations share a context.
    fn context(self) -> String {
        format!("{} {}", self.field, self.row)
    }
}

/// The keys of encrypted fields: one for new texts, and older ones for texts that were encrypted
/// earlier. Clones are handles to the same keys.
///
/// ```
/// use monotable_kit::{FieldKeys, FieldLocation};
///
/// let keys = FieldKeys::read(b"3f2a9c64d1e05b7788c1f0a4e6d2b39a")?;
/// let phone = FieldLocation { row: "PARTICIPANT#42", field: "phone" };
/// let stored = keys.encrypt(phone, "+91-9876543210");
/// assert_eq!(keys.decrypt(phone, &stored)?, "+91-9876543210");
/// # Ok::<(), monotable_kit::FieldKeyError>(())
/// ```
#[derive(Clone)]
pub struct FieldKeys(Arc<[FieldKey]>);

/// One key.
struct FieldKey {
    /// Derived from the secret, so that the same id can't be given to another secret by mistake.
    id: String,
    cipher: Aes256Gcm,
}

impl fmt::Debug for FieldKeys {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("FieldKeys(…)")
    }
}

/// Why keys can't be read, or a field can't be decrypted. It never contains the text or a key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FieldKeyError {
    /// No line contains a secret.
    #[error(
        "there is no key for encrypted fields; write a line with at least {SECRET_BYTES_MIN} random \
         characters"
    )]
    NoKey,
    /// A secret is so short that it could be guessed.
    #[error(
        "key {line} for encrypted fields has {bytes} bytes; write at least {SECRET_BYTES_MIN} random ones"
    )]
    ShortSecret {
        /// Its position, from 1.
        line: usize,
        /// Its bytes.
        bytes: usize,
    },
    /// Two lines have the same secret.
    #[error("key {line} for encrypted fields is there twice; remove one")]
    Repeated {
        /// The position of the second one, from 1.
        line: usize,
    },
    /// The text was encrypted with an unknown key.
    #[error(
        "{field} of {row} is encrypted with the key {key_id}, which is missing; add its secret"
    )]
    UnknownKey {
        /// The row.
        row: String,
        /// The field.
        field: &'static str,
        /// The id of the key.
        key_id: String,
    },
    /// The text was modified, or encrypted for another field.
    #[error("{field} of {row} was changed after it was encrypted, or belongs to another row")]
    Changed {
        /// The row.
        row: String,
        /// The field.
        field: &'static str,
    },
}

impl From<FieldKeyError> for Problem {
    fn from(error: FieldKeyError) -> Self {
        Self::internal(error)
    }
}

impl FieldKeys {
    /// Reads keys: one secret on each line. The first encrypts new texts; the others decrypt older
    /// texts. To change the key, add a new one in front, and remove the old one after the next
    /// backfill.
    ///
    /// Nonces are random, so a key should encrypt fewer than 2³² texts.
    ///
    /// # Errors
    /// [`FieldKeyError::NoKey`], [`FieldKeyError::ShortSecret`] or [`FieldKeyError::Repeated`].
    pub fn read(secrets: &[u8]) -> Result<Self, FieldKeyError> {
        let secrets = secrets.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
        let mut keys: Vec<FieldKey> = Vec::new();
        for secret in secrets.filter(|secret| !secret.is_empty()) {
            let line = keys.len() + 1;
            if secret.len() < SECRET_BYTES_MIN {
                return Err(FieldKeyError::ShortSecret { line, bytes: secret.len() });
            }
            let key = FieldKey::of(secret);
            if keys.iter().any(|other| other.id == key.id) {
                return Err(FieldKeyError::Repeated { line });
            }
            keys.push(key);
        }
        if keys.is_empty() { Err(FieldKeyError::NoKey) } else { Ok(Self(keys.into())) }
    }

    /// Encrypts a text for a field of a row.
    pub fn encrypt(&self, location: FieldLocation<'_>, text: &str) -> EncryptedText {
        let key = self.current();
        let sealed = sealed::seal(&key.cipher, &location.context(), text);
        EncryptedText(format!("{PREFIX}{}:{sealed}", key.id))
    }

    /// Returns the text of a field. A text that an older program stored is returned as it is.
    ///
    /// # Errors
    /// [`FieldKeyError::UnknownKey`] or [`FieldKeyError::Changed`].
    pub fn decrypt(
        &self,
        location: FieldLocation<'_>,
        text: &EncryptedText,
    ) -> Result<String, FieldKeyError> {
        let Some((key_id, sealed)) = text.parts() else { return Ok(text.0.clone()) };
        let FieldLocation { row, field } = location;
        let Some(key) = self.0.iter().find(|key| key.id == key_id) else {
            // What is not an id may be part of the text.
            let is_id =
                key_id.len() == KEY_ID_LENGTH && key_id.bytes().all(|it| it.is_ascii_hexdigit());
            return Err(if is_id {
                FieldKeyError::UnknownKey { row: row.to_owned(), field, key_id: key_id.to_owned() }
            } else {
                FieldKeyError::Changed { row: row.to_owned(), field }
            });
        };
        sealed::open(&key.cipher, &location.context(), sealed)
            .ok_or_else(|| FieldKeyError::Changed { row: row.to_owned(), field })
    }

    /// Returns the text as a backfill stores it: encrypted with the current key. `None` if it
    /// already is.
    ///
    /// # Errors
    /// Returns the errors of [`FieldKeys::decrypt`].
    pub fn renewed(
        &self,
        location: FieldLocation<'_>,
        text: &EncryptedText,
    ) -> Result<Option<EncryptedText>, FieldKeyError> {
        if text.parts().is_some_and(|(key_id, _)| key_id == self.current().id) {
            return Ok(None);
        }
        self.decrypt(location, text).map(|plain| Some(self.encrypt(location, &plain)))
    }

    fn current(&self) -> &FieldKey {
        // `read` refuses an empty list.
        &self.0[0]
    }
}

impl FieldKey {
    fn of(secret: &[u8]) -> Self {
        let mut id = hex::encode(sealed::derived_key(secret, "monotable id of a field key"));
        id.truncate(KEY_ID_LENGTH);
        let key = sealed::derived_key(secret, "monotable fields");
        Self { id, cipher: Aes256Gcm::new(&key.into()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &str = "0123456789abcdef0123456789abcdef";
    const NEW: &str = "fedcba9876543210fedcba9876543210";
    const PHONE: FieldLocation<'_> = FieldLocation { row: "PARTICIPANT#p1", field: "phone" };

    fn keys(lines: &[&str]) -> FieldKeys {
        FieldKeys::read(lines.join("\n").as_bytes()).unwrap()
    }

    #[test]
    fn a_text_is_decrypted_in_its_own_field_only() {
        let keys = keys(&[OLD]);
        for text in ["", "+91-9876543210", "https://linkedin.com/in/é"] {
            let stored = keys.encrypt(PHONE, text);
            assert!(text.is_empty() || !stored.0.contains(text));
            assert_ne!(stored, keys.encrypt(PHONE, text), "each time with another nonce");
            assert_eq!(keys.decrypt(PHONE, &stored).unwrap(), text);
            for other in [
                FieldLocation { row: "PARTICIPANT#p2", ..PHONE },
                FieldLocation { field: "linkedin", ..PHONE },
            ] {
                let (row, field) = (other.row.to_owned(), other.field);
                let changed = FieldKeyError::Changed { row, field };
                assert_eq!(keys.decrypt(other, &stored), Err(changed));
            }
        }
    }

    #[test]
    fn a_text_has_the_id_of_its_key_in_front() {
        let stored = keys(&[OLD]).encrypt(PHONE, "+91-9876543210");
        // python3 -c 'import hmac;print(hmac.digest(b"0123456789abcdef"*2,
        //   b"monotable id of a field key", "sha256").hex()[:8])'
        assert!(stored.0.starts_with("aes256gcm:7fa217b8:"), "{}", stored.0);
    }

    #[test]
    fn the_cipher_is_the_standard_one() {
        let stored = EncryptedText(
            "aes256gcm:7fa217b8:AAECAwQFBgcICQoLs8qcwznYj5EBq80KhNWjI_H86VD1F9vHZIw0x9Fz"
                .to_owned(),
        );
        assert_eq!(keys(&[OLD]).decrypt(PHONE, &stored).unwrap(), "+91-9876543210");
    }

    #[test]
    fn a_new_key_in_front_opens_old_texts_and_renews_them() {
        let stored = keys(&[OLD]).encrypt(PHONE, "+91-9876543210");
        let both = keys(&[NEW, "", OLD]);
        assert_eq!(both.decrypt(PHONE, &stored).unwrap(), "+91-9876543210");
        let renewed = both.renewed(PHONE, &stored).unwrap().unwrap();
        assert_eq!(both.renewed(PHONE, &renewed), Ok(None));
        assert_eq!(keys(&[NEW]).decrypt(PHONE, &renewed).unwrap(), "+91-9876543210");
        let error = keys(&[NEW]).decrypt(PHONE, &stored).unwrap_err();
        assert_eq!(
            error.to_string(),
            "phone of PARTICIPANT#p1 is encrypted with the key 7fa217b8, which is missing; add its secret"
        );
        assert_eq!(keys(&[NEW]).renewed(PHONE, &stored), Err(error));
    }

    #[test]
    fn texts_of_older_programs_are_read_and_encrypted() {
        let keys = keys(&[OLD]);
        let plain = EncryptedText("98765 43210".to_owned());
        assert_eq!(keys.decrypt(PHONE, &plain).unwrap(), "98765 43210");
        let renewed = keys.renewed(PHONE, &plain).unwrap().unwrap();
        assert_ne!(renewed, plain);
        assert_eq!(keys.decrypt(PHONE, &renewed).unwrap(), "98765 43210");
    }

    #[test]
    fn a_text_that_was_changed_is_refused_without_showing_it() {
        let keys = keys(&[OLD]);
        let stored = keys.encrypt(PHONE, "+91-9876543210").0;
        let (prefix, sealed) = stored.rsplit_once(':').unwrap();
        for position in 0..sealed.len() {
            let mut changed = sealed.as_bytes().to_vec();
            changed[position] = if changed[position] == b'A' { b'B' } else { b'A' };
            let changed = format!("{prefix}:{}", String::from_utf8(changed).unwrap());
            assert!(keys.decrypt(PHONE, &EncryptedText(changed)).is_err(), "{position}");
        }
        for broken in ["aes256gcm:", "aes256gcm:98765 43210", "aes256gcm:9876543210:x", prefix] {
            let error = keys.decrypt(PHONE, &EncryptedText(broken.to_owned())).unwrap_err();
            assert!(!error.to_string().contains("43210"), "{error}");
        }
    }

    #[test]
    fn keys_that_are_missing_short_or_repeated_are_refused() {
        let error = |text: &str| FieldKeys::read(text.as_bytes()).unwrap_err();
        assert_eq!(error(""), FieldKeyError::NoKey);
        assert_eq!(error(" \n\n"), FieldKeyError::NoKey);
        assert_eq!(
            error(&format!("{OLD}\nshort")),
            FieldKeyError::ShortSecret { line: 2, bytes: 5 }
        );
        assert_eq!(error(&format!("{OLD}\n{OLD}\r\n")), FieldKeyError::Repeated { line: 2 });
    }

    #[test]
    fn nothing_is_shown_by_accident() {
        assert_eq!(format!("{:?}", keys(&[OLD])), "FieldKeys(…)");
        let plain = EncryptedText("98765 43210".to_owned());
        assert_eq!(format!("{plain:?}"), "EncryptedText(…)");
    }
}
