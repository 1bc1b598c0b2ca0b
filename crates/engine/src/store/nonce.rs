//! The random number that distinguishes a database's own bytes from all others.

const NONCE_BYTES: usize = 16;

/// A random number that is unique to this database. No request returns it, so nobody can store
/// values that imitate what the database writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Nonce(pub(super) [u8; NONCE_BYTES]);

impl Nonce {
    pub(super) fn random() -> Result<Self, getrandom::Error> {
        let mut bytes = [0; NONCE_BYTES];
        getrandom::fill(&mut bytes)?;
        Ok(Self(bytes))
    }
}
