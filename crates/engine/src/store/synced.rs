//! The record of the newest frame of the log that was synced.
//!
//! A log that lost complete frames at its end looks like one that never had them. The number of the
//! newest synced frame is written here after every sync and not synced itself: after the process is
//! killed it is exact, and after a power failure it may be an earlier one. Two positions alternate,
//! so that a write that fails halfway leaves the previous number.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use super::StoreError;
use super::directory;
use super::failure::{explain, io_failure};
use super::nonce::Nonce;
use crate::error::Error;

pub(super) const RECORD: &str = "SYNCED";
const PLACE_BYTES: usize = 16;

/// The record of an open database.
pub(super) struct Synced {
    path: PathBuf,
    file: File,
    nonce: Nonce,
}

impl Synced {
    /// Opens the record of the database in `path`, whose newest frame has this number.
    pub(super) fn open(path: &Path, nonce: Nonce, number: u64) -> Result<Self, Error> {
        let record = path.join(RECORD);
        if !record.exists() {
            directory::replace(&record, &encode(nonce, number).repeat(2))?;
        }
        match OpenOptions::new().write(true).open(&record) {
            Ok(file) => Ok(Self { path: record, file, nonce }),
            Err(error) => Err(io_failure(&record, "opened", &error)),
        }
    }

    /// Records that everything up to this frame is synced.
    pub(super) fn record(&self, number: u64) -> Result<(), StoreError> {
        let write = || {
            let mut file = &self.file;
            file.seek(SeekFrom::Start(number % 2 * PLACE_BYTES as u64))?;
            file.write_all(&encode(self.nonce, number))
        };
        write().map_err(|error: io::Error| {
            StoreError::Write(format!(
                "{} can't be written: {}",
                self.path.display(),
                explain(&error)
            ))
        })
    }
}

/// Returns the number of the newest frame of the database in `path` that is known to have been
/// synced; 0 if nothing is known.
pub(super) fn read(path: &Path, nonce: Nonce) -> Result<u64, Error> {
    let record = path.join(RECORD);
    let bytes = match fs::read(&record) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(0),
        Err(error) => return Err(io_failure(&record, "read", &error)),
    };
    let numbers = bytes.chunks(PLACE_BYTES).filter_map(|place| {
        let number = u64::from_be_bytes(*place.first_chunk()?);
        (place == encode(nonce, number)).then_some(number)
    });
    if let Some(number) = numbers.max() {
        return Ok(number);
    }
    Err(Error::Corrupted(format!(
        "{} is damaged; remove it to open the database without knowing how far it was synced",
        record.display()
    )))
}

/// Returns the number, and a checksum that binds it to the database.
fn encode(nonce: Nonce, number: u64) -> Vec<u8> {
    let number = number.to_be_bytes();
    let checksum = xxh3_64(&[nonce.0.as_slice(), &number].concat());
    [number, checksum.to_be_bytes()].concat()
}
