//! The row that ends a set of rows that is flushed together: how far the tables reach in the log.
//!
//! It is written into memory after the last rows of a segment of the log, and becomes part of the
//! same table file. It binds the tables to the log: by the nonce, and by the checksum of the frame,
//! which covers every frame before it.

use bytes::Bytes;

use super::nonce::Nonce;
use super::sealed::seal;
use crate::layout::row_key::{AREA_PREFIX_BYTES, SYSTEM_TABLE, area_prefix};
use crate::system;

/// The row that holds it.
pub(super) const CHECKPOINT_KEY: [u8; AREA_PREFIX_BYTES] =
    area_prefix(SYSTEM_TABLE, system::CHECKPOINT);

/// A position in the log. The rows of all frames up to it are in table files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Checkpoint {
    pub(super) nonce: Nonce,
    /// The number of the frame; 0 for the position before the first one.
    pub(super) number: u64,
    /// Its checksum; 0 for that position.
    pub(super) checksum: u64,
}

impl Checkpoint {
    /// Returns the position before the first frame of a database.
    pub(super) fn start(nonce: Nonce) -> Self {
        Self { nonce, number: 0, checksum: 0 }
    }

    pub(super) fn to_sealed(self) -> Bytes {
        let mut value = self.nonce.0.to_vec();
        value.extend_from_slice(&self.number.to_le_bytes());
        value.extend_from_slice(&self.checksum.to_le_bytes());
        seal(&CHECKPOINT_KEY, &value)
    }

    /// Reads the value of the row [`CHECKPOINT_KEY`].
    pub(super) fn from_value(value: &[u8]) -> Option<Self> {
        let (nonce, rest) = value.split_first_chunk()?;
        let (number, rest) = rest.split_first_chunk()?;
        Some(Self {
            nonce: Nonce(*nonce),
            number: u64::from_le_bytes(*number),
            checksum: u64::from_le_bytes(rest.try_into().ok()?),
        })
    }
}
