//! Verifies table files while the database is in use, a little at a time.
//!
//! A pass reads every table file that the manifest lists and compares it with the checksum there.
//! Rows of damaged files stay readable as far as their blocks are intact.

use std::fs::File;
use std::io::{ErrorKind, Read as _};
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use xxhash_rust::xxh3::Xxh3Default;

use super::tables::{LiveFile, Tables};

const CHUNK_BYTES: usize = 256 << 10;

/// A table file whose bytes have changed, or one that can't be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DamagedFile {
    pub(crate) path: PathBuf,
    /// The keys of its first and last row.
    pub(crate) first_key: Bytes,
    pub(crate) last_key: Bytes,
}

/// The result since the store was opened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Scrubbed {
    /// How often every file was read.
    pub(crate) passes: u64,
    /// How much was read.
    pub(crate) bytes: u64,
    /// The damaged files that are in use.
    pub(crate) damaged: Vec<DamagedFile>,
}

/// The verification of one store's files.
#[derive(Default)]
pub(super) struct Scrub(Mutex<State>);

#[derive(Default)]
struct State {
    scrubbed: Scrubbed,
    /// The files that this pass has not started, if there is a pass.
    remaining: Option<Vec<LiveFile>>,
    reading: Option<Reading>,
}

/// A file that has been read in part.
struct Reading {
    live: LiveFile,
    file: File,
    hasher: Xxh3Default,
}

impl Scrub {
    /// Returns the result so far.
    pub(super) fn scrubbed(&self) -> Scrubbed {
        self.state().scrubbed.clone()
    }

    /// Continues for about `bytes_max` bytes, up to the end of a pass.
    pub(super) fn advance(&self, tables: &Tables, bytes_max: usize) {
        let mut state = self.state();
        let mut bytes = 0;
        while bytes < bytes_max {
            match state.reading.take() {
                Some(reading) => bytes += state.read(tables, reading),
                None if state.open_next(tables) => {}
                None => return,
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Opens the next file; returns false at the end of a pass.
    fn open_next(&mut self, tables: &Tables) -> bool {
        let scrubbed = &mut self.scrubbed;
        let remaining = self.remaining.get_or_insert_with(|| {
            let files = tables.files();
            let is_live = |path: &PathBuf| files.iter().any(|live| live.shown_path == *path);
            scrubbed.damaged.retain(|damaged| is_live(&damaged.path));
            files
        });
        let Some(live) = remaining.pop() else {
            self.remaining = None;
            self.scrubbed.passes += 1;
            return false;
        };
        match File::open(&live.path) {
            Ok(file) => {
                self.reading = Some(Reading { live, file, hasher: Xxh3Default::new() });
            }
            // Merging removes files.
            Err(error) if error.kind() == ErrorKind::NotFound && !tables.has_file(&live) => {}
            Err(_) => self.found_damaged(live),
        }
        true
    }

    /// Reads a part of a file, and returns its size.
    fn read(&mut self, tables: &Tables, mut reading: Reading) -> usize {
        let mut chunk = vec![0; CHUNK_BYTES];
        match reading.file.read(&mut chunk) {
            Ok(0) if reading.hasher.digest128() == reading.live.checksum => 0,
            Ok(0) | Err(_) => {
                if tables.has_file(&reading.live) {
                    self.found_damaged(reading.live);
                }
                0
            }
            Ok(length) => {
                reading.hasher.update(&chunk[..length]);
                self.reading = Some(reading);
                self.scrubbed.bytes += length as u64;
                length
            }
        }
    }

    fn found_damaged(&mut self, live: LiveFile) {
        let LiveFile { shown_path: path, first_key, last_key, .. } = live;
        let damaged = DamagedFile { path, first_key, last_key };
        if !self.scrubbed.damaged.contains(&damaged) {
            self.scrubbed.damaged.push(damaged);
        }
    }
}
