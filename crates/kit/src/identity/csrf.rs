//! Tokens against foreign sites: bound to a session, so that one session's token is nothing in another.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use subtle::ConstantTimeEq;

use super::{IdentityError, Secret, checked_secret};

/// Makes and checks the tokens.
pub(super) struct Csrf {
    keyed: Hmac<Sha256>,
}

impl Csrf {
    pub(super) fn new(secret: &[u8]) -> Result<Self, IdentityError> {
        match Hmac::new_from_slice(checked_secret(secret)?) {
            Ok(keyed) => Ok(Self { keyed }),
            Err(error) => unreachable!("HMAC takes secrets of any length: {error}"),
        }
    }

    /// The token of a session, which says nothing of the session's own.
    pub(super) fn token(&self, session: &Secret) -> String {
        let mut hash = self.keyed.clone();
        hash.update(b"csrf\0");
        hash.update(session.reveal().as_bytes());
        hex::encode(hash.finalize().into_bytes())
    }

    /// Whether a token is that of a session, in the same time whichever digit differs.
    pub(super) fn is_of(&self, shown: &str, session: &Secret) -> bool {
        self.token(session).as_bytes().ct_eq(shown.as_bytes()).into()
    }
}
