//! What is known about a directory before the store opens it. Nothing is written.

use std::path::{Path, PathBuf};

use super::closed::{Closed, End};
use super::directory::{LOG, TABLES};
use super::failure::damaged;
use super::log::Log;
use super::manifest::Files;
use super::nonce::Nonce;
use super::synced;
use crate::error::Error;

/// Every file except the contents of tables, verified.
pub(super) struct Inspection {
    pub(super) files: Files,
    pub(super) log: Log,
    pub(super) was_closed: bool,
}

/// The condition of a database's files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Condition {
    pub(crate) was_closed: bool,
    pub(crate) unfinished: Option<Unfinished>,
}

/// Commits that were being written when the process or the machine stopped. They were not
/// acknowledged as durable; opening the database cuts them off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfinished {
    /// The file of the log that they are in.
    pub file: PathBuf,
    /// The byte they start at.
    pub at: u64,
    /// The number of bytes of them that were written.
    pub bytes: u64,
    /// The number of commits: one, unless durability was relaxed.
    pub commits: u64,
}

impl Inspection {
    /// Verifies the files of the database in `path`.
    pub(super) fn read(path: &Path, nonce: Nonce) -> Result<Self, Error> {
        let log = path.join(LOG);
        let closed = Closed::read(path)?;
        if let Some(closed) = &closed {
            closed.check_presence(&log)?;
        }
        let files = Files::verify(&path.join(TABLES))?;
        let synced = synced::read(path, nonce)?;
        let log = Log::read(&log, nonce, synced)?;
        if let Some(closed) = &closed {
            closed.verify(log.segments.iter().map(|segment| End {
                path: &segment.path,
                bytes: segment.end,
                is_torn: segment.torn.is_some(),
            }))?;
        }
        Ok(Self { files, log, was_closed: closed.is_some() })
    }

    /// Verifies the contents of every table, too.
    pub(super) fn check_tables(&self) -> Result<(), Error> {
        check_tables(&self.files)
    }

    /// Returns why the tree was not opened although it looked complete: a table with damaged
    /// contents, if there is one.
    pub(super) fn explain(&self, path: &Path, reason: &str) -> Error {
        match self.check_tables() {
            Err(error) => error,
            Ok(()) => {
                Error::Open(format!("the database in {} can't be opened: {reason}", path.display()))
            }
        }
    }

    pub(super) fn condition(&self) -> Condition {
        let newest = self.log.newest();
        let unfinished = newest.torn.map(|torn| Unfinished {
            file: newest.path.clone(),
            at: newest.end,
            bytes: torn.bytes,
            commits: torn.frames,
        });
        Condition { was_closed: self.was_closed, unfinished }
    }
}

/// Verifies the contents of every table of a tree.
pub(super) fn check_tables(files: &Files) -> Result<(), Error> {
    match files.damaged_tables()?.as_slice() {
        [] => Ok(()),
        [first, more @ ..] => {
            let others = more.iter().map(|path| format!(", so is {}", path.display()));
            Err(damaged(first, &format!("damaged{}", others.collect::<String>())))
        }
    }
}
