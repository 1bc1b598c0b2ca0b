//! The record of a clean shutdown: where each journal ended.
//!
//! After a crash the newest journal may end in a batch that was never completed, which looks like one
//! that was damaged later. After a clean shutdown it must end where it did, so damage is found. The
//! record is removed before the store is opened again.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use xxhash_rust::xxh3::xxh3_64;

use super::directory::{self, ROWS};
use super::failure::{damaged, io_failure, missing};
use super::journal::{Journal, Log};
use super::mark::Nonce;
use crate::error::Error;

const RECORD: &str = "CLOSED";
const HEADING: &str = "closed cleanly\n";
const CHECKSUM: &str = "checksum ";

/// The journals and their lengths when the database was closed.
pub(super) struct Closed(Vec<(String, u64)>);

impl Closed {
    /// The record of the database in `path`; none after a crash.
    pub(super) fn read(path: &Path) -> Result<Option<Self>, Error> {
        let file = path.join(RECORD);
        let bytes = match fs::read(&file) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(io_failure(&file, "read", &error)),
        };
        match std::str::from_utf8(&bytes).ok().and_then(parse) {
            Some(journals) => Ok(Some(Self(journals))),
            None => Err(Error::Corrupted(format!(
                "{} is damaged; remove it to open the database as after a crash",
                file.display()
            ))),
        }
    }

    /// Whether the journals that were there are still there.
    pub(super) fn check_presence(&self, path: &Path) -> Result<(), Error> {
        let files = self.0.iter().map(|(name, _)| path.join(ROWS).join(name));
        match files.into_iter().find(|file| !file.exists()) {
            Some(file) => Err(missing(&file, "")),
            None => Ok(()),
        }
    }

    /// Whether the journals are as they were.
    pub(super) fn verify(&self, log: &Log) -> Result<(), Error> {
        for journal in &log.journals {
            let recorded = self.0.iter().find(|(name, _)| *name == file_name(journal));
            let Some((_, end)) = recorded else {
                return Err(damaged(&journal.path, "newer than the clean shutdown in CLOSED"));
            };
            if journal.end != *end || journal.torn.is_some() {
                return Err(damaged(
                    &journal.path,
                    &format!(
                        "damaged at byte {}: it had {end} bytes when the database was closed",
                        journal.end
                    ),
                ));
            }
        }
        Ok(())
    }
}

fn file_name(journal: &Journal) -> String {
    journal.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn parse(text: &str) -> Option<Vec<(String, u64)>> {
    let (journals, checksum) = text.rsplit_once(CHECKSUM)?;
    if checksum != checksum_line(journals) {
        return None;
    }
    let lines = journals.strip_prefix(HEADING)?.lines();
    lines
        .map(|line| {
            let (name, end) = line.split_once(' ')?;
            Some((name.to_owned(), end.parse().ok()?))
        })
        .collect()
}

fn checksum_line(text: &str) -> String {
    format!("{:016x}\n", xxh3_64(text.as_bytes()))
}

/// Records that the database in `path` is closed; its journals lose their padding. Without the record
/// the next opening proceeds as after a crash.
pub(super) fn write(path: &Path, nonce: Nonce) -> Result<(), Error> {
    let log = Log::read(&path.join(ROWS), Some(nonce), 0)?;
    let mut text = HEADING.to_owned();
    for journal in &log.journals {
        journal.cut()?;
        text += &format!("{} {}\n", file_name(journal), journal.end);
    }
    text += &format!("{CHECKSUM}{}", checksum_line(&text));
    directory::replace(&path.join(RECORD), text.as_bytes())
}

/// Removes the record, before anything is changed.
pub(super) fn remove(path: &Path) -> Result<(), Error> {
    let file = path.join(RECORD);
    match fs::remove_file(&file) {
        Ok(()) => directory::sync(path),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(io_failure(&file, "removed", &error)),
    }
}
