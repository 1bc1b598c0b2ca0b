//! The record of a clean shutdown: where each file of the log ended.
//!
//! After a crash the newest file may end in a frame that was never completed, which looks like one
//! that was damaged later. After a clean shutdown it must end where it did, so damage is detected.
//! The record is removed before the store is opened again.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use xxhash_rust::xxh3::xxh3_64;

use super::directory::{self, LOG};
use super::failure::{damaged, io_failure, missing};
use super::log::Log;
use super::nonce::Nonce;
use crate::error::Error;

pub(super) const RECORD: &str = "CLOSED";
const HEADING: &str = "closed cleanly\n";
const CHECKSUM: &str = "checksum ";

/// The files of the log and their lengths when the database was closed.
pub(super) struct Closed(Vec<(String, u64)>);

/// The current end of a file of the log.
pub(super) struct End<'a> {
    pub(super) path: &'a Path,
    pub(super) bytes: u64,
    /// Whether incomplete data follows.
    pub(super) is_torn: bool,
}

impl Closed {
    /// Returns the record of the database in `path`; `None` after a crash.
    pub(super) fn read(path: &Path) -> Result<Option<Self>, Error> {
        let file = path.join(RECORD);
        let bytes = match fs::read(&file) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(io_failure(&file, "read", &error)),
        };
        match std::str::from_utf8(&bytes).ok().and_then(parse) {
            Some(files) => Ok(Some(Self(files))),
            None => Err(Error::Corrupted(format!(
                "{} is damaged; remove it to open the database as after a crash",
                file.display()
            ))),
        }
    }

    /// Checks that the recorded files are still there.
    pub(super) fn check_presence(&self, log: &Path) -> Result<(), Error> {
        let mut files = self.0.iter().map(|(name, _)| log.join(name));
        match files.find(|file| !file.exists()) {
            Some(file) => Err(missing(&file, "")),
            None => Ok(()),
        }
    }

    /// Checks that the files are unchanged.
    pub(super) fn verify<'a>(&self, files: impl Iterator<Item = End<'a>>) -> Result<(), Error> {
        for file in files {
            let recorded = self.0.iter().find(|(name, _)| *name == name_of(file.path));
            let Some((_, bytes)) = recorded else {
                return Err(damaged(file.path, "newer than the clean shutdown in CLOSED"));
            };
            if file.bytes != *bytes || file.is_torn {
                return Err(damaged(
                    file.path,
                    &format!(
                        "damaged at byte {}: it had {bytes} bytes when the database was closed",
                        file.bytes
                    ),
                ));
            }
        }
        Ok(())
    }
}

fn name_of(file: &Path) -> String {
    file.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn parse(text: &str) -> Option<Vec<(String, u64)>> {
    let (files, checksum) = text.rsplit_once(CHECKSUM)?;
    if checksum != checksum_line(files) {
        return None;
    }
    let lines = files.strip_prefix(HEADING)?.lines();
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

/// Records that the database in `path` is closed; its log loses the padding. Without the record the next
/// opening proceeds as after a crash.
pub(super) fn write(path: &Path, nonce: Nonce) -> Result<(), Error> {
    let log = Log::read(&path.join(LOG), nonce, 0)?;
    let mut text = HEADING.to_owned();
    for segment in &log.segments {
        segment.cut()?;
        text += &format!("{} {}\n", name_of(&segment.path), segment.end);
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
