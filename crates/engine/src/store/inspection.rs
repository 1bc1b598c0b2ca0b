//! What is known of a directory before the store opens it. Nothing is written.

use std::path::{Path, PathBuf};

use super::closed::Closed;
use super::directory::{Format, ROWS};
use super::failure::damaged;
use super::journal::Log;
use super::manifest::Files;
use super::synced;
use crate::error::Error;

/// Every file but the contents of tables, verified.
pub(super) struct Inspection {
    pub(super) format: Format,
    pub(super) files: Files,
    pub(super) log: Log,
    /// The newest batch that is known to have been synced; 0 if none is.
    pub(super) synced: u64,
    was_closed: bool,
}

/// The condition of a database's files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Condition {
    pub(crate) was_closed: bool,
    pub(crate) unfinished: Option<Unfinished>,
}

/// Batches that were being written when the process or the machine stopped. They were not
/// acknowledged as durable; opening the database cuts them off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfinished {
    /// The journal that they are in.
    pub file: PathBuf,
    /// The byte they start at.
    pub at: u64,
    /// How many bytes were written of them.
    pub bytes: u64,
    /// How many batches they are: one, unless durability was relaxed.
    pub batches: u64,
}

impl Inspection {
    /// Verifies the files of the database in `path`.
    pub(super) fn read(path: &Path) -> Result<Self, Error> {
        let rows = path.join(ROWS);
        let format = Format::read(path)?;
        let closed = Closed::read(path)?;
        if let Some(closed) = &closed {
            closed.check_presence(path)?;
        }
        let files = Files::verify(&rows)?;
        let synced = match format.nonce() {
            Some(nonce) => synced::read(path, nonce)?,
            None => 0,
        };
        let log = Log::read(&rows, format.nonce(), synced)?;
        if let Some(closed) = &closed {
            closed.verify(&log)?;
        }
        Ok(Self { format, files, log, synced, was_closed: closed.is_some() })
    }

    /// Verifies the contents of every table, too.
    pub(super) fn check_tables(&self) -> Result<(), Error> {
        match self.files.damaged_tables()?.as_slice() {
            [] => Ok(()),
            [first, more @ ..] => {
                let others = more.iter().map(|path| format!(", so is {}", path.display()));
                Err(damaged(first, &format!("damaged{}", others.collect::<String>())))
            }
        }
    }

    /// Why the store did not open what looked whole: a table whose contents are damaged, if there is one.
    pub(super) fn explain(&self, path: &Path, reason: &str) -> Error {
        match self.check_tables() {
            Err(error) => error,
            Ok(()) => {
                Error::Open(format!("the database in {} can't be opened: {reason}", path.display()))
            }
        }
    }

    pub(super) fn condition(&self) -> Condition {
        let unfinished = self.log.torn_end().map(|(journal, torn)| Unfinished {
            file: journal.path.clone(),
            at: journal.end,
            bytes: torn.bytes,
            batches: torn.batches,
        });
        Condition { was_closed: self.was_closed, unfinished }
    }
}
