//! The mark that every batch on disk begins with: which database it belongs to and which commit it is.
//!
//! The store's own checksum covers the rows of a batch but not its sequence number, and nothing in it
//! tells a batch from bytes that a client stored. The mark is a row of the batch, so the checksum
//! covers it, and it holds the database's nonce, which no client knows.

use super::sealed::{CHECKSUM_BYTES, opened, seal};
use crate::layout::row_key::{AREA_PREFIX_BYTES, SYSTEM_TABLE, area_prefix};
use crate::system;

/// The row that holds the newest mark.
pub(super) const MARK_KEY: [u8; AREA_PREFIX_BYTES] =
    area_prefix(SYSTEM_TABLE, system::NEWEST_COMMIT);

const NONCE_BYTES: usize = 16;
const MARK_BYTES: usize = NONCE_BYTES + 3 * 8;
/// Bytes of a mark as a batch holds it.
pub(super) const SEALED_MARK_BYTES: usize = MARK_BYTES + CHECKSUM_BYTES;

/// A random number that only this database has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Nonce(pub(super) [u8; NONCE_BYTES]);

impl Nonce {
    pub(super) fn random() -> Result<Self, getrandom::Error> {
        let mut bytes = [0; NONCE_BYTES];
        getrandom::fill(&mut bytes)?;
        Ok(Self(bytes))
    }
}

/// The contents of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) nonce: Nonce,
    /// Commits are numbered without gaps.
    pub(super) number: u64,
    /// The newest commit that was known to be synced when this one was written.
    pub(super) synced: u64,
    /// The store's sequence numbers below this one had been used.
    pub(super) sequence_min: u64,
}

impl Mark {
    pub(super) fn to_sealed(self) -> bytes::Bytes {
        let mut value = Vec::with_capacity(MARK_BYTES);
        value.extend_from_slice(&self.nonce.0);
        for integer in [self.number, self.synced, self.sequence_min] {
            value.extend_from_slice(&integer.to_be_bytes());
        }
        seal(&MARK_KEY, &value)
    }

    pub(super) fn from_sealed(sealed: &[u8]) -> Option<Self> {
        Self::from_value(opened(&MARK_KEY, sealed)?)
    }

    /// Reads the value of the row [`MARK_KEY`].
    pub(super) fn from_value(value: &[u8]) -> Option<Self> {
        let (nonce, rest) = value.split_first_chunk::<NONCE_BYTES>()?;
        let (number, rest) = rest.split_first_chunk::<8>()?;
        let (synced, rest) = rest.split_first_chunk::<8>()?;
        Some(Self {
            nonce: Nonce(*nonce),
            number: u64::from_be_bytes(*number),
            synced: u64::from_be_bytes(*synced),
            sequence_min: u64::from_be_bytes(rest.try_into().ok()?),
        })
    }
}
