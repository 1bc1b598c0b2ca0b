//! Opaque tokens: secrets that are shown once and stored as their hash.

use std::fmt;

use base64_simd::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use crate::randomness::Randomness;

/// The random bytes of a secret.
const BYTES: usize = 32;
/// The characters of its text.
const CHARACTERS: usize = 43;

/// A secret whose bearer is authorized by it: of an invitation, a share link or a recovery.
///
/// Only its hash is stored, so that the table does not reveal it.
///
/// ```
/// use monotable_kit::{Secret, SystemRandomness};
///
/// let secret = Secret::generate(&SystemRandomness);
/// let stored = secret.hash();
/// let shown = Secret::parse(secret.reveal()).ok_or("it has the form of one")?;
/// assert!(shown.has_hash(&stored));
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone)]
pub struct Secret(String);

impl Secret {
    /// Generates a new secret: 32 random bytes as base64url.
    pub fn generate(randomness: &dyn Randomness) -> Self {
        let mut bytes = [0; BYTES];
        randomness.fill(&mut bytes);
        Self(URL_SAFE_NO_PAD.encode_to_string(bytes))
    }

    /// Parses a secret from a client; `None` if it can't be one.
    pub fn parse(text: &str) -> Option<Self> {
        let is_base64url = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        let is_one = text.len() == CHARACTERS && text.bytes().all(is_base64url);
        is_one.then(|| Self(text.to_owned()))
    }

    /// Returns the text itself, for its owner alone.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Returns what is stored: SHA-256 of the text in hexadecimal digits. A hash without salt is
    /// enough for a random secret, and lets a row be found by it.
    pub fn hash(&self) -> String {
        hex::encode(Sha256::digest(self.0.as_bytes()))
    }

    /// Returns whether the stored hash is that of this secret. The comparison takes the same time
    /// whichever digit differs.
    pub fn has_hash(&self, stored: &str) -> bool {
        self.hash().as_bytes().ct_eq(stored.as_bytes()).into()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Secret(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Counting;

    impl Randomness for Counting {
        fn fill(&self, bytes: &mut [u8]) {
            (0..).zip(bytes).for_each(|(number, byte)| *byte = number);
        }
    }

    #[test]
    fn the_text_and_the_hash_stay_what_they_are() {
        let secret = Secret::generate(&Counting);
        assert_eq!(secret.reveal(), "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8");
        // printf AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8 | sha256sum
        assert_eq!(
            secret.hash(),
            "ea866a757e4c38babfa8127cbe9a409d3e1f93a00ff1488ff735fcf917afffd0"
        );
    }

    #[test]
    fn another_secret_has_another_hash() {
        let stored = Secret::generate(&Counting).hash();
        let other = Secret::parse("BAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8").unwrap();
        assert!(!other.has_hash(&stored));
        assert!(!other.has_hash(""));
        assert!(!other.has_hash(&other.hash()[..63]));
        assert!(other.has_hash(&other.hash()));
    }

    #[test]
    fn only_the_form_of_a_secret_is_one() {
        let text = Secret::generate(&Counting).reveal().to_owned();
        for wrong in ["", &text[1..], &format!("{text}A"), &text.replace('A', "="), &"é".repeat(21)]
        {
            assert!(Secret::parse(wrong).is_none(), "{wrong}");
        }
    }

    #[test]
    fn it_is_not_shown_by_accident() {
        assert_eq!(format!("{:?}", Secret::generate(&Counting)), "Secret(…)");
    }
}
