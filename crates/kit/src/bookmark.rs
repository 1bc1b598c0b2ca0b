//! Cursors of lists that a service assembles and sorts itself.
//!
//! Lists that come from a query have the cursors of the modelling layer. A sorted list has no key
//! of the table at which the next page could begin. Its service supplies the end of a page, which
//! is signed here.

use base64_simd::URL_SAFE_NO_PAD as BASE64;
use hmac::{Hmac, KeyInit as _, Mac as _};
use monotable::model::time::Timestamp;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::Sha256;

use crate::problem::Problem;

/// How long a bookmark is valid.
const VALID_SECONDS: i64 = 24 * 60 * 60;

const SIGNATURE_BYTES: usize = 32;

/// Creates and opens bookmarks with a secret key.
#[derive(Clone)]
pub struct Bookmarks {
    key: [u8; 32],
}

impl Bookmarks {
    /// Creates bookmarks that are signed with this key.
    pub fn new(key: [u8; 32]) -> Self {
        Self { key }
    }

    /// Seals a position in a list. `list` is a text with everything that the list depends on, such
    /// as its owner and its filter.
    pub fn seal(&self, list: &str, position: &impl Serialize, now: Timestamp) -> String {
        let expires = now.as_ms() / 1_000 + VALID_SECONDS;
        let inside = serde_json::to_vec(&(expires, position)).unwrap_or_default();
        let signature = self.signer(list, &inside).finalize().into_bytes();
        BASE64.encode_to_string([inside.as_slice(), signature.as_slice()].concat())
    }

    /// Opens a position in the same list.
    ///
    /// # Errors
    /// Returns 400 `INVALID_CURSOR` for a text that was altered, forged, taken from another list or
    /// has expired.
    pub fn open<P: DeserializeOwned>(
        &self,
        list: &str,
        text: &str,
        now: Timestamp,
    ) -> Result<P, Problem> {
        self.opened(list, text, now)
            .ok_or_else(|| Problem::from(monotable::model::Error::InvalidCursor))
    }

    fn opened<P: DeserializeOwned>(&self, list: &str, text: &str, now: Timestamp) -> Option<P> {
        let bytes = BASE64.decode_to_vec(text.as_bytes()).ok()?;
        let (inside, signature) =
            bytes.split_at_checked(bytes.len().checked_sub(SIGNATURE_BYTES)?)?;
        // The comparison takes the same time for every signature.
        self.signer(list, inside).verify_slice(signature).ok()?;
        let (expires, position): (i64, P) = serde_json::from_slice(inside).ok()?;
        (now.as_ms() / 1_000 < expires).then_some(position)
    }

    fn signer(&self, list: &str, inside: &[u8]) -> Hmac<Sha256> {
        let Ok(mut signer) = Hmac::<Sha256>::new_from_slice(&self.key) else {
            unreachable!("every number of bytes is a key")
        };
        signer.update(&(list.len() as u64).to_be_bytes());
        signer.update(list.as_bytes());
        signer.update(inside);
        signer
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn code<P>(opened: Result<P, Problem>) -> &'static str {
        opened.err().map_or("", |problem| problem.code)
    }

    #[test]
    fn a_bookmark_is_taken_back_for_a_day_and_for_its_list_only() {
        let bookmarks = Bookmarks::new([7; 32]);
        let (now, later) = (at("2026-05-01T12:00:00Z"), at("2026-05-02T12:00:00Z"));
        let text = bookmarks.seal("games of red", &("g1", 3), now);
        let open = |bookmarks: &Bookmarks, list, text: &str, now| {
            bookmarks.open::<(String, u32)>(list, text, now)
        };
        assert_eq!(open(&bookmarks, "games of red", &text, now), Ok(("g1".to_owned(), 3)));
        assert_eq!(code(open(&bookmarks, "games of blue", &text, now)), "INVALID_CURSOR");
        assert_eq!(code(open(&bookmarks, "games of red", &text, later)), "INVALID_CURSOR");
        assert_eq!(
            code(open(&Bookmarks::new([8; 32]), "games of red", &text, now)),
            "INVALID_CURSOR"
        );
        for broken in ["", "a", "AAAA", &text[1..]] {
            assert_eq!(code(open(&bookmarks, "games of red", broken, now)), "INVALID_CURSOR");
        }
    }
}
