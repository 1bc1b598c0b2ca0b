//! The mark at the beginning of every batch of format 2: the database and the commit that it
//! belongs to.
//!
//! The checksum of a batch covers its rows but not its sequence number, and does not distinguish a
//! batch from bytes that a client stored. The mark is a row of the batch, so the checksum covers
//! it, and it contains the database's nonce, which no client knows.

use crate::layout::row_key::{AREA_PREFIX_BYTES, SYSTEM_TABLE, area_prefix};
use crate::store::nonce::Nonce;
use crate::store::sealed::{CHECKSUM_BYTES, opened};
use crate::system;

/// The row that holds the newest mark.
pub(super) const MARK_KEY: [u8; AREA_PREFIX_BYTES] = area_prefix(SYSTEM_TABLE, system::CHECKPOINT);

const NONCE_BYTES: usize = 16;
const MARK_BYTES: usize = NONCE_BYTES + 3 * 8;
/// Bytes of a mark in a batch.
pub(super) const SEALED_MARK_BYTES: usize = MARK_BYTES + CHECKSUM_BYTES;

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
