//! The history of a database: segments of the log that are kept after their rows are in table
//! files.
//!
//! They are moved to a separate directory and never change again. Together with the log they
//! contain every commit since the oldest of them; applied to a backup from that time, they produce
//! any later state.

use std::fs;
use std::ops::{ControlFlow, RangeInclusive};
use std::path::{Path, PathBuf};

use bytes::Bytes;

use super::directory::{self, Format, HISTORY, LOG};
use super::failure::{damaged, io_failure};
use super::log::{self, Frame, Kind, Position};
use super::nonce::Nonce;
use super::sealed::opened;
use crate::error::{Error, Result};
use crate::layout::row_key::{AREA_PREFIX_BYTES, BASE_AREA, SYSTEM_TABLE, area_of_row};
use crate::system;
use crate::table::TableDefinition;

/// What happens to segments whose rows are in table files.
#[derive(Clone, Debug)]
pub(super) enum Retired {
    /// They are removed.
    Removed,
    /// They are kept in this directory.
    Kept(PathBuf),
}

impl Retired {
    /// Creates the setting for the database in `path`.
    pub(super) fn new(path: &Path, keeps_history: bool) -> Result<Self> {
        if !keeps_history {
            return Ok(Self::Removed);
        }
        let history = path.join(HISTORY);
        if !history.is_dir() {
            directory::create_directory(&history)?;
        }
        Ok(Self::Kept(history))
    }

    /// Removes a segment from the log.
    pub(super) fn retire(&self, segment: &Path) -> Result<()> {
        let (Self::Kept(history), Some(name)) = (self, segment.file_name()) else {
            return log::remove(segment);
        };
        let moved = fs::rename(segment, history.join(name));
        moved.map_err(|error| io_failure(segment, "moved", &error))?;
        directory::sync(history)?;
        segment.parent().map_or(Ok(()), directory::sync)
    }
}

/// The changes of a commit to tables and items.
#[derive(Clone, Debug)]
pub struct LoggedCommit {
    /// Commits are numbered without gaps, except for a few numbers of the log itself.
    pub number: u64,
    /// When it was made, in milliseconds since the epoch.
    pub time_ms: u64,
    /// What it changed.
    pub changes: Vec<LoggedChange>,
}

/// One change of a commit.
#[derive(Clone, Debug)]
pub enum LoggedChange {
    /// A table was created or changed.
    Table(Box<TableDefinition>),
    /// The table of this number was deleted.
    TableDeleted(u32),
    /// An item was put, or removed.
    Item {
        /// The number of its table.
        table: u32,
        /// Its position among the others, as in [`TableRow::position`](crate::TableRow::position).
        position: Vec<u8>,
        /// Its stored form; `None` if it was removed.
        stored: Option<Bytes>,
    },
}

/// The oldest commit of a [`History`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogBeginning {
    /// When it was made, in milliseconds since the epoch.
    pub time_ms: u64,
    /// Whether it is the first commit of the database.
    pub is_of_database: bool,
}

/// The commits of a database in a directory, as far back as they are kept. The database may be in use.
#[derive(Clone, Debug)]
pub struct History {
    directory: PathBuf,
    nonce: Nonce,
    /// The numbers of the segments without a gap, oldest first.
    segments: Vec<u64>,
}

impl History {
    /// Returns whether the database in a directory keeps its history, so that the next opening
    /// should continue it.
    pub fn is_kept(directory: impl AsRef<Path>) -> bool {
        directory.as_ref().join(HISTORY).is_dir()
    }

    /// Opens the history of the database in a directory.
    ///
    /// # Errors
    /// Fails if there is no database of the current format, or its directories can't be read.
    pub fn open(directory: impl AsRef<Path>) -> Result<Self> {
        let directory = directory.as_ref().to_owned();
        let Format::Current(nonce) = Format::read(&directory)? else {
            return Err(Error::Open(format!(
                "the database in {} has no log yet; open it once",
                directory.display()
            )));
        };
        // The log first: a segment that moves meanwhile is found in the history.
        let mut numbers = numbers_in(&directory.join(LOG))?;
        let history = directory.join(HISTORY);
        if history.is_dir() {
            numbers.extend(numbers_in(&history)?);
        }
        numbers.sort_unstable();
        numbers.dedup();
        // Segments before a gap can't be used.
        let is_gap = |pair: &[u64]| pair[0] + 1 != pair[1];
        let first = numbers.windows(2).rposition(is_gap).map_or(0, |at| at + 1);
        Ok(Self { directory, nonce, segments: numbers.split_off(first) })
    }

    /// Returns the oldest commit that is kept.
    ///
    /// # Errors
    /// Fails if the oldest segment can't be read.
    pub fn beginning(&self) -> Result<Option<LogBeginning>> {
        let Some(first) = self.segments.first() else { return Ok(None) };
        let mut beginning = None;
        self.segment(*first, None, &mut |frame| {
            let (number, time_ms) = (frame.head.number, frame.head.time_ms);
            beginning = Some(LogBeginning { time_ms, is_of_database: number == 1 });
            Ok(ControlFlow::Break(()))
        })?;
        Ok(beginning)
    }

    /// Visits the commits of a period, both ends included, in order. It verifies each of them, and
    /// that none is missing. `region` and `account` are those of the tables' ARNs.
    ///
    /// # Errors
    /// Fails if a segment is damaged; also returns the errors of `visit`.
    pub fn replay<E: From<Error>>(
        &self,
        times_ms: RangeInclusive<u64>,
        region: &str,
        account: &str,
        mut visit: impl FnMut(LoggedCommit) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut previous = None;
        let mut failure = None;
        for number in &self.segments {
            let mut is_over = false;
            let position = self.segment(*number, previous, &mut |frame| {
                let time_ms = frame.head.time_ms;
                is_over = time_ms > *times_ms.end();
                if is_over {
                    return Ok(ControlFlow::Break(()));
                }
                if time_ms < *times_ms.start() {
                    return Ok(ControlFlow::Continue(()));
                }
                let changes = changes(frame, region, account)?;
                let visited = visit(LoggedCommit { number: frame.head.number, time_ms, changes });
                failure = visited.err();
                Ok(if failure.is_some() {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                })
            })?;
            if let Some(error) = failure {
                return Err(error);
            }
            if is_over {
                return Ok(());
            }
            previous = Some(position);
        }
        Ok(())
    }

    /// Removes the oldest segments that only have commits from before a time, and more of them if
    /// together they have more than `bytes_max` bytes. Returns how many are left.
    ///
    /// # Errors
    /// Fails if a segment can't be read or removed.
    pub fn trim(&self, before_ms: u64, bytes_max: u64) -> Result<usize> {
        let history = self.directory.join(HISTORY);
        let mut kept: Vec<(PathBuf, u64)> = Vec::new();
        for number in &self.segments {
            let path = history.join(log::name(*number));
            if let Ok(metadata) = fs::metadata(&path) {
                kept.push((path, metadata.len()));
            }
        }
        let mut bytes: u64 = kept.iter().map(|(_, bytes)| bytes).sum();
        let mut removed = 0;
        for (at, (path, length)) in kept.iter().enumerate() {
            let next = self.segments.get(at + 1);
            let is_old = match next {
                Some(next) => self.begins_before(*next, before_ms)?,
                None => false,
            };
            if !is_old && bytes <= bytes_max {
                break;
            }
            log::remove(path)?;
            bytes -= length;
            removed += 1;
        }
        Ok(kept.len() - removed)
    }

    /// Returns whether the first commit of a segment is from before a time.
    fn begins_before(&self, segment: u64, time_ms: u64) -> Result<bool> {
        let mut is_before = false;
        self.segment(segment, None, &mut |frame| {
            is_before = frame.head.time_ms < time_ms;
            Ok(ControlFlow::Break(()))
        })?;
        Ok(is_before)
    }

    /// Visits the commits of a segment, which must follow the segment before it. Returns its end.
    fn segment(
        &self,
        number: u64,
        previous: Option<Position>,
        visit: &mut dyn FnMut(&Frame<'_>) -> Result<ControlFlow<()>>,
    ) -> Result<Position> {
        let (path, bytes) = self.read(number)?;
        log::visit(
            &path,
            &bytes,
            number,
            self.nonce,
            previous,
            &mut |frame| match frame.head.kind {
                Kind::Commit => visit(frame),
                Kind::End => Ok(ControlFlow::Continue(())),
            },
        )
    }

    /// Reads a segment, which may be moved from the log to the history meanwhile.
    fn read(&self, number: u64) -> Result<(PathBuf, Vec<u8>)> {
        let name = log::name(number);
        let paths = [LOG, HISTORY, LOG].map(|folder| self.directory.join(folder).join(&name));
        for path in &paths {
            match fs::read(path) {
                Ok(bytes) => return Ok((path.clone(), bytes)),
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                Err(error) => return Err(io_failure(path, "read", &error)),
            }
        }
        Err(damaged(&paths[1], "missing"))
    }
}

/// Returns the numbers of the segments in a directory.
fn numbers_in(directory: &Path) -> Result<Vec<u64>> {
    let unreadable = |error| io_failure(directory, "read", &error);
    let mut numbers = Vec::new();
    for entry in fs::read_dir(directory).map_err(unreadable)? {
        let name = entry.map_err(unreadable)?.file_name();
        numbers.extend(name.to_str().and_then(|name| name.parse::<u64>().ok()));
    }
    Ok(numbers)
}

/// Returns the changes of a frame to tables and items.
fn changes(frame: &Frame<'_>, region: &str, account: &str) -> Result<Vec<LoggedChange>> {
    let mut changes = Vec::new();
    for row in frame.rows() {
        let (key, sealed) = row?;
        let value = sealed.map(|sealed| opened(key, sealed).ok_or_else(|| unsealed(frame)));
        let value = value.transpose()?;
        match area_of_row(key) {
            Some((SYSTEM_TABLE, system::TABLES)) => {
                changes.push(match (value, system::table_of_key(key)) {
                    (Some(bytes), _) => {
                        let definition = TableDefinition::parse(bytes, region, account)?;
                        LoggedChange::Table(Box::new(definition))
                    }
                    (None, Some(table)) => LoggedChange::TableDeleted(table),
                    (None, None) => return Err(unsealed(frame)),
                });
            }
            Some((table, BASE_AREA)) if table != SYSTEM_TABLE => {
                changes.push(LoggedChange::Item {
                    table,
                    position: key[AREA_PREFIX_BYTES..].to_vec(),
                    stored: value.map(Bytes::copy_from_slice),
                });
            }
            _ => {}
        }
    }
    Ok(changes)
}

fn unsealed(frame: &Frame<'_>) -> Error {
    Error::Corrupted(format!("a row of the commit {} is damaged", frame.head.number))
}
