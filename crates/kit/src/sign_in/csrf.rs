//! Tokens against requests of other sites (CSRF). Each belongs to one session.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use subtle::ConstantTimeEq;

/// Creates and checks the tokens.
pub(super) struct Csrf {
    keyed: Hmac<Sha256>,
}

impl Csrf {
    pub(super) fn new(key: &[u8; 32]) -> Self {
        match Hmac::new_from_slice(key) {
            Ok(keyed) => Self { keyed },
            Err(error) => unreachable!("HMAC takes keys of any length: {error}"),
        }
    }

    /// Returns the token of a session.
    pub(super) fn token(&self, session_id: &str) -> String {
        let mut hash = self.keyed.clone();
        hash.update(b"csrf\0");
        hash.update(session_id.as_bytes());
        hex::encode(hash.finalize().into_bytes())
    }

    /// Returns whether a token is that of a session. The comparison takes the same time whichever
    /// digit differs.
    pub(super) fn is_token_of(&self, shown: &str, session_id: &str) -> bool {
        self.token(session_id).as_bytes().ct_eq(shown.as_bytes()).into()
    }
}
