//! Databases of formats 1 and 2: read, and converted when they are opened.
//!
//! A conversion copies the files that the tree would change, creates links to the table files, adds
//! the rows of the journals, and then writes the marker of this format. Until then the old database
//! is unchanged, and an interrupted conversion starts again.

mod journal;
mod mark;

use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use tempfile::TempDir;

use self::journal::Journal;
use self::mark::{MARK_KEY, Mark};
use super::checkpoint::{CHECKPOINT_KEY, Checkpoint};
use super::closed::{self, Closed, End};
use super::directory::{self, LOG, MARKER, OLD_ROWS, TABLES};
use super::disk::random_nonce;
use super::failure::io_failure;
use super::inspection::{Condition, Unfinished, check_tables};
use super::log::Writer;
use super::manifest::Files;
use super::nonce::Nonce;
use super::tables::Tables;
use super::{copy, synced};
use crate::check::CheckDepth;
use crate::error::Error;

/// The tree below the folder of the rows.
const TREE: &str = "keyspaces/1";
/// The tree of an unfinished conversion.
const DRAFT: &str = "tables.new";

/// The files of an old database, verified except for the contents of tables.
struct OldDatabase {
    nonce: Option<Nonce>,
    files: Files,
    log: journal::Log,
    synced: u64,
    was_closed: bool,
}

impl OldDatabase {
    fn read(path: &Path, nonce: Option<Nonce>) -> Result<Self, Error> {
        let rows = path.join(OLD_ROWS);
        let closed = Closed::read(path)?;
        if let Some(closed) = &closed {
            closed.check_presence(&rows)?;
        }
        let files = Files::verify(&rows.join(TREE))?;
        let synced = nonce.map_or(Ok(0), |nonce| synced::read(path, nonce))?;
        let log = journal::Log::read(&rows, nonce, synced)?;
        if let Some(closed) = &closed {
            closed.verify(log.journals.iter().map(|journal| End {
                path: &journal.path,
                bytes: journal.end,
                is_torn: journal.torn.is_some(),
            }))?;
        }
        Ok(Self { nonce, files, log, synced, was_closed: closed.is_some() })
    }

    /// Opens a copy of the tree in a directory, and adds the rows of the journals to it.
    fn open(&self, directory: &Path, cache_bytes: u64) -> Result<Arc<Tables>, Error> {
        let original = &self.files.directory;
        let tables = Tables::open(directory, original, cache_bytes).map_err(|reason| {
            let tree = self.files.directory.display();
            check_tables(&self.files)
                .err()
                .unwrap_or_else(|| Error::Open(format!("{tree} can't be opened: {reason}")))
        })?;
        let active = tables.active();
        self.log.rows(|sequence, row| {
            tables.skip_to(sequence);
            let value = row.value.map(Bytes::copy_from_slice);
            active.insert(Bytes::copy_from_slice(row.key), value, sequence);
        })?;
        tables.publish();
        self.check_mark(&tables)?;
        Ok(tables)
    }

    /// Checks that the newest mark in the tables belongs to the newest batch in the journals.
    fn check_mark(&self, tables: &Arc<Tables>) -> Result<(), Error> {
        let row = tables.read().get(&MARK_KEY)?;
        let mark = row.as_deref().and_then(Mark::from_value);
        let is_foreign = self.nonce.is_some() && mark.map(|mark| mark.nonce) != self.nonce;
        if is_foreign || (self.log.newest.is_some() && mark != self.log.newest) {
            return Err(Error::Corrupted(
                "the tables and the journals do not belong together; restore the database from a \
                 backup"
                    .to_owned(),
            ));
        }
        self.log.check_end(mark, self.synced)
    }

    fn condition(&self) -> Condition {
        let unfinished = self.log.torn_end().map(|(journal, torn)| {
            let Journal { path, end, .. } = journal;
            let (file, at) = (path.clone(), *end);
            Unfinished { file, at, bytes: torn.bytes, commits: torn.batches }
        });
        Condition { was_closed: self.was_closed, unfinished }
    }
}

/// Converts the database in `path`, which this process has locked, and returns its new nonce.
pub(super) fn convert(path: &Path, nonce: Option<Nonce>) -> Result<Nonce, Error> {
    let old = OldDatabase::read(path, nonce)?;
    let new = random_nonce()?;
    let (draft, log) = (path.join(DRAFT), path.join(LOG));
    remove_directory(&draft)?;
    remove_unfinished(&log, |name| name.bytes().all(|byte| byte.is_ascii_digit()))?;
    remove_unfinished(&path.join(TABLES), is_of_tree)?;
    directory::create_directory(&draft)?;
    copy::make_at(&old.files, &draft)?;
    let tables = old.open(&draft, 0)?;
    let checkpoint = Checkpoint::start(new).to_sealed();
    let key = Bytes::copy_from_slice(&CHECKPOINT_KEY);
    tables.active().insert(key, Some(checkpoint), tables.next_sequence());
    tables.rotate();
    tables.flush().map_err(|error| {
        let reason = super::failure::describe(&error);
        Error::Open(format!("{} can't be written: {reason}", draft.display()))
    })?;
    drop(tables);
    directory::create_directory(&log)?;
    drop(Writer::create(&log, new)?);
    let tables = path.join(TABLES);
    directory::restrict_and_sync(&draft).map_err(|error| io_failure(&draft, "synced", &error))?;
    fs::rename(&draft, &tables).map_err(|error| io_failure(&tables, "written", &error))?;
    // Both records are about the old log, and no format needs them.
    closed::remove(path)?;
    remove_file(&path.join(synced::RECORD))?;
    directory::sync(path)?;
    directory::replace(&path.join(MARKER), directory::marker_text(new).as_bytes())?;
    Ok(new)
}

/// Removes the remaining files of the old database after a conversion.
pub(super) fn remove(path: &Path) -> Result<(), Error> {
    remove_directory(&path.join(OLD_ROWS))
}

/// Opens a copy of the tables in `path` with the rows of the journals; see
/// [`DiskStore::open_copy`](super::disk::DiskStore::open_copy).
pub(super) fn open_copy(
    path: &Path,
    nonce: Option<Nonce>,
    cache_bytes: u64,
    depth: CheckDepth,
) -> Result<(TempDir, Arc<Tables>, Condition), Error> {
    let old = OldDatabase::read(path, nonce)?;
    if depth == CheckDepth::UntilDamage {
        check_tables(&old.files)?;
    }
    let copy = copy::make(&old.files)?;
    let tables = old.open(copy.path(), cache_bytes)?;
    Ok((copy, tables, old.condition()))
}

/// Removes a directory that an earlier conversion has created. Another directory of this name is
/// left alone.
fn remove_unfinished(path: &Path, is_ours: impl Fn(&str) -> bool) -> Result<(), Error> {
    let Ok(entries) = fs::read_dir(path) else {
        return done_or_gone(path, fs::remove_dir_all(path));
    };
    for entry in entries {
        let entry = entry.map_err(|error| io_failure(path, "read", &error))?;
        if !entry.file_name().to_str().is_some_and(&is_ours) {
            return Err(Error::Open(format!(
                "{} does not belong to the database, which needs this name; move it to another directory",
                path.display()
            )));
        }
    }
    remove_directory(path)
}

fn is_of_tree(name: &str) -> bool {
    name == "current" || name == "tables" || name.starts_with('v') || name.starts_with(".tmp")
}

fn remove_directory(path: &Path) -> Result<(), Error> {
    done_or_gone(path, fs::remove_dir_all(path))
}

fn remove_file(path: &Path) -> Result<(), Error> {
    done_or_gone(path, fs::remove_file(path))
}

fn done_or_gone(path: &Path, result: io::Result<()>) -> Result<(), Error> {
    match result {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(io_failure(path, "removed", &error))
        }
        _ => Ok(()),
    }
}
