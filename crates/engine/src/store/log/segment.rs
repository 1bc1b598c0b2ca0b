//! The files of the log: named by their numbers, each with a head that contains its start.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use crate::error::Error;
use crate::store::directory;
use crate::store::failure::{io_failure, missing};
use crate::store::nonce::Nonce;

const MAGIC: &[u8; 8] = b"MONOLOG\x01";
pub(super) const HEAD_BYTES: usize = 56;
const CHECKSUM_AT: usize = HEAD_BYTES - 8;
/// The initial length of a segment, most of it a hole: syncing bytes inside a file is cheaper than
/// syncing bytes that extend it.
pub(super) const RESERVED_BYTES: u64 = 16 << 20;
/// A segment that is being created.
const DRAFT: &str = "new";

/// The metadata of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::store) struct SegmentHead {
    /// Segments are numbered without gaps.
    pub(in crate::store) number: u64,
    /// The number of its first frame.
    pub(in crate::store) first: u64,
    /// The checksum of the frame before the first one.
    pub(in crate::store) previous: u64,
}

impl SegmentHead {
    fn encode(&self, nonce: Nonce) -> [u8; HEAD_BYTES] {
        let mut bytes = [0; HEAD_BYTES];
        bytes[..8].copy_from_slice(MAGIC);
        bytes[8..24].copy_from_slice(&nonce.0);
        bytes[24..32].copy_from_slice(&self.number.to_le_bytes());
        bytes[32..40].copy_from_slice(&self.first.to_le_bytes());
        bytes[40..48].copy_from_slice(&self.previous.to_le_bytes());
        let checksum = xxh3_64(&bytes[..CHECKSUM_AT]);
        bytes[CHECKSUM_AT..].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    /// Reads the head of the segment that must have this number.
    pub(super) fn parse(bytes: &[u8], nonce: Nonce, number: u64) -> Result<Self, &'static str> {
        const DAMAGED: &str = "the head of the segment is not whole";
        let head: &[u8; HEAD_BYTES] = bytes.first_chunk().ok_or(DAMAGED)?;
        let integer = |at: usize| {
            let integer = head[at..at + 8].iter().rev();
            integer.fold(0, |integer, &byte| integer << 8 | u64::from(byte))
        };
        let parsed = Self { number: integer(24), first: integer(32), previous: integer(40) };
        if integer(CHECKSUM_AT) != xxh3_64(&head[..CHECKSUM_AT]) || head[..8] != *MAGIC {
            return Err(DAMAGED);
        }
        if head[8..24] != nonce.0 {
            return Err("the segment belongs to another database");
        }
        if parsed.number != number {
            return Err("the segment has the name of another one");
        }
        Ok(parsed)
    }

    /// Creates the file of this segment below `log` atomically, and opens it after its head.
    pub(super) fn create(&self, log: &Path, nonce: Nonce) -> Result<(PathBuf, File), Error> {
        let path = path(log, self.number);
        let draft = path.with_extension(DRAFT);
        let create = || {
            let mut file = directory::create_private(&draft)?;
            file.write_all(&self.encode(nonce))?;
            file.set_len(RESERVED_BYTES)?;
            file.sync_all()?;
            fs::rename(&draft, &path)?;
            Ok(file)
        };
        let file = create().map_err(|error: io::Error| io_failure(&path, "written", &error))?;
        directory::sync(log)?;
        Ok((path, file))
    }
}

/// Returns the name of a segment's file.
pub(in crate::store) fn name(number: u64) -> String {
    format!("{number:010}")
}

/// Returns the path of a segment.
pub(super) fn path(log: &Path, number: u64) -> PathBuf {
    log.join(name(number))
}

/// Returns the segments below `log`, the oldest first. They are numbered without gaps.
pub(super) fn list(log: &Path) -> Result<Vec<(u64, PathBuf)>, Error> {
    let unreadable = |error| io_failure(log, "read", &error);
    let mut found = Vec::new();
    for entry in fs::read_dir(log).map_err(unreadable)? {
        let found_path = entry.map_err(unreadable)?.path();
        if found_path.extension().is_some_and(|extension| extension == DRAFT) {
            continue;
        }
        let name = found_path.file_name().and_then(|name| name.to_str());
        match name.and_then(|name| name.parse::<u64>().ok()) {
            Some(number) if found_path == path(log, number) && found_path.is_file() => {
                found.push((number, found_path));
            }
            _ => {
                return Err(Error::Open(format!(
                    "{} is not a part of the log; move it to another directory",
                    found_path.display()
                )));
            }
        }
    }
    found.sort_unstable();
    let Some(&(first, _)) = found.first() else {
        return Err(missing(&path(log, 1), "or a segment of the log with a higher number"));
    };
    if let Some((number, _)) = (first..).zip(&found).find(|(number, (of, _))| number != of) {
        return Err(missing(&path(log, number), "though later segments exist"));
    }
    Ok(found)
}

/// Removes the files of an interrupted creation.
pub(super) fn remove_drafts(log: &Path) -> Result<(), Error> {
    let remove = || {
        for entry in fs::read_dir(log)? {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == DRAFT) {
                fs::remove_file(path)?;
            }
        }
        Ok(())
    };
    remove().map_err(|error: io::Error| io_failure(log, "cleaned", &error))
}

/// Removes a segment whose rows are in tables. The removal is durable before the next one is
/// removed, so that there is never a gap.
pub(in crate::store) fn remove(path: &Path) -> Result<(), Error> {
    fs::remove_file(path).map_err(|error| io_failure(path, "removed", &error))?;
    path.parent().map_or(Ok(()), directory::sync)
}

/// Opens a segment to continue it.
pub(super) fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).open(path)
}

/// Returns the bytes of a file; none if nothing was ever written to it, which is quicker to detect
/// than to read.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, Error> {
    fs::read(path).map_err(|error| io_failure(path, "read", &error))
}
