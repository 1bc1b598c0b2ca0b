//! Writing the log: a frame per commit, a new segment when enough has been written.

use std::fs::File;
use std::io::{self, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use super::frame::{self, Head, Kind};
use super::read::Log;
use super::segment::{self, RESERVED_BYTES, SegmentHead};
use crate::error::Error;
use crate::store::StoreError;
use crate::store::failure::{explain, io_failure};
use crate::store::nonce::Nonce;
use crate::store::sealed::SealedRows;
use crate::store::synced::Synced;

/// The buffer capacity that is kept for the next commit.
const BUFFER_BYTES_MAX: usize = 1 << 20;

/// Where a log continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::store) struct Position {
    /// The number of the next frame.
    pub(in crate::store) next: u64,
    /// The checksum of the last one.
    pub(in crate::store) previous: u64,
    /// Its sequence number; 0 if it is not in the log.
    pub(in crate::store) sequence: u64,
}

/// The end of the log, where frames are added. After an error it is not used again.
pub(in crate::store) struct Writer {
    log: PathBuf,
    nonce: Nonce,
    position: Position,
    segment: u64,
    path: PathBuf,
    file: File,
    /// Frames that were not written yet.
    buffer: Vec<u8>,
    /// The newest frame that is synced, and the file that records it.
    synced: u64,
    record: Option<Synced>,
}

impl Writer {
    /// Creates a new log whose first segment is empty.
    pub(in crate::store) fn create(log: &Path, nonce: Nonce) -> Result<Self, Error> {
        let position = Position { next: 1, previous: 0, sequence: 0 };
        Self::begin_segment(log, nonce, 1, position)
    }

    fn begin_segment(
        log: &Path,
        nonce: Nonce,
        segment: u64,
        position: Position,
    ) -> Result<Self, Error> {
        let Position { next: first, previous, .. } = position;
        let head = SegmentHead { number: segment, first, previous };
        let (path, file) = head.create(log, nonce)?;
        Ok(Self {
            log: log.to_owned(),
            nonce,
            position,
            segment,
            path,
            file,
            buffer: Vec::new(),
            synced: position.next - 1,
            record: None,
        })
    }

    /// Continues a log that was recovered.
    pub(in crate::store) fn resume(log: &Log, nonce: Nonce) -> Result<Self, Error> {
        let newest = log.newest();
        let directory = newest.path.parent().unwrap_or(Path::new(""));
        if newest.is_ended {
            return Self::begin_segment(directory, nonce, newest.head.number + 1, log.position);
        }
        let open = || {
            let mut file = segment::open(&newest.path)?;
            file.set_len(newest.end.max(RESERVED_BYTES))?;
            file.seek(SeekFrom::Start(newest.end))?;
            Ok(file)
        };
        let file = open().map_err(|error: io::Error| io_failure(&newest.path, "opened", &error))?;
        Ok(Self {
            log: directory.to_owned(),
            nonce,
            position: log.position,
            segment: newest.head.number,
            path: newest.path.clone(),
            file,
            buffer: Vec::new(),
            synced: log.position.next - 1,
            record: None,
        })
    }

    /// Records how far the log is synced in this file.
    pub(in crate::store) fn record_in(&mut self, record: Synced) {
        self.record = Some(record);
    }

    /// Returns the number of the newest frame.
    pub(in crate::store) fn newest(&self) -> u64 {
        self.position.next - 1
    }

    /// Returns the checksum of the newest frame.
    pub(in crate::store) fn checksum(&self) -> u64 {
        self.position.previous
    }

    /// Returns the sequence number of the newest frame.
    pub(in crate::store) fn sequence(&self) -> u64 {
        self.position.sequence
    }

    /// Returns the file that is written.
    pub(in crate::store) fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a commit; [`Self::write`] writes it.
    pub(in crate::store) fn add_commit(
        &mut self,
        sequence: u64,
        time_ms: u64,
        rows: &SealedRows,
    ) -> Result<(), StoreError> {
        self.add(Kind::Commit, sequence, time_ms, |out| {
            for (key, value) in rows {
                frame::append_row(out, key, value.as_deref());
            }
        })
    }

    /// Adds the end of the segment.
    pub(in crate::store) fn add_end(
        &mut self,
        sequence: u64,
        time_ms: u64,
    ) -> Result<(), StoreError> {
        self.add(Kind::End, sequence, time_ms, |_| {})
    }

    fn add(
        &mut self,
        kind: Kind,
        sequence: u64,
        time_ms: u64,
        rows: impl FnOnce(&mut Vec<u8>),
    ) -> Result<(), StoreError> {
        let Position { next: number, previous, .. } = self.position;
        let head = Head { kind, number, sequence, time_ms, synced: self.synced, previous };
        let checksum = frame::append(&mut self.buffer, self.nonce, &head, rows)
            .map_err(|error| self.failure("written", error.0))?;
        self.position = Position { next: number + 1, previous: checksum, sequence };
        Ok(())
    }

    /// Writes the added frames to the operating system.
    pub(in crate::store) fn write(&mut self) -> Result<(), StoreError> {
        let written = self.file.write_all(&self.buffer);
        written.map_err(|error| self.failure("written", &explain(&error)))?;
        self.buffer.clear();
        self.buffer.shrink_to(BUFFER_BYTES_MAX);
        Ok(())
    }

    /// Makes everything that was written durable.
    pub(in crate::store) fn sync(&mut self) -> Result<(), StoreError> {
        let newest = self.newest();
        if self.synced == newest {
            return Ok(());
        }
        let synced = self.file.sync_data();
        synced.map_err(|error| self.failure("synced", &explain(&error)))?;
        self.synced = newest;
        self.record.as_ref().map_or(Ok(()), |record| record.record(newest))
    }

    /// Continues in a new segment, after one that has an end and is synced.
    pub(in crate::store) fn next_segment(&mut self) -> Result<(), StoreError> {
        let next = Self::begin_segment(&self.log, self.nonce, self.segment + 1, self.position);
        let next = next.map_err(|error| StoreError::Write(error.to_string()))?;
        let record = self.record.take();
        *self = next;
        self.record = record;
        Ok(())
    }

    fn failure(&self, verb: &str, reason: &str) -> StoreError {
        StoreError::Write(format!("{} can't be {verb}: {reason}", self.path.display()))
    }
}
