//! The directory of a database: created atomically, marked with its format, locked by one process,
//! inaccessible to other users.

use std::ffi::{OsStr, OsString};
use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use xxhash_rust::xxh3::xxh3_64;

use super::failure::{explain, io_failure};
use super::nonce::Nonce;
use crate::error::Error;

/// Identifies a Monotable directory and its format version.
pub(super) const MARKER: &str = "MONOTABLE";
/// The folder of the log.
pub(super) const LOG: &str = "log";
/// The folder of segments that are kept after their rows are in table files.
pub(super) const HISTORY: &str = "history";
/// The folder of the tree of table files.
pub(super) const TABLES: &str = "tables";
/// The folder of both in formats 1 and 2.
pub(super) const OLD_ROWS: &str = "rows";
const FORMAT: &str = "monotable database, format ";
const FORMAT_1: &str = "monotable database, format 1\n";
const FORMAT_2: &str = "monotable database, format 2\nnonce ";
const FORMAT_3: &str = "monotable database, format 3\nnonce ";

/// How long opening waits for a lock that another process holds.
const LOCK_WAIT_MAX: Duration = Duration::from_secs(1);
/// How often a new draft is started because other processes removed it as abandoned before its
/// marker was locked.
const DRAFTS_MAX: usize = 10;
/// The pause between two attempts.
const LOCK_WAIT_STEP: Duration = Duration::from_millis(10);

/// The format of a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// A format that is converted when the database is opened: 1, without a nonce, or 2.
    Old(Option<Nonce>),
    /// The format of this version.
    Current(Nonce),
}

impl Format {
    /// Reads the marker of the database in `path`.
    pub(super) fn read(path: &Path) -> Result<Self, Error> {
        let file = path.join(MARKER);
        let bytes = fs::read(&file).map_err(|error| marker_failure(&file, "read", &error))?;
        let text = String::from_utf8_lossy(&bytes);
        if text == FORMAT_1 {
            return Ok(Self::Old(None));
        }
        if let Some(nonce) = parse_nonce(&text, FORMAT_2) {
            return Ok(Self::Old(Some(nonce)));
        }
        if let Some(nonce) = parse_nonce(&text, FORMAT_3) {
            return Ok(Self::Current(nonce));
        }
        let known = [FORMAT_1, FORMAT_2, FORMAT_3].map(|format| format.lines().next());
        if !text.starts_with(FORMAT) || known.contains(&text.lines().next()) {
            return Err(Error::Corrupted(format!(
                "{} is damaged; restore it from a backup of this database",
                file.display()
            )));
        }
        Err(Error::Open(format!(
            "the database in {} has the format \"{}\", which this version does not know; open it \
             with the version that wrote it, or a later one",
            path.display(),
            text.trim_end()
        )))
    }
}

/// Returns the error for an unusable marker. A directory with rows has lost it.
fn marker_failure(file: &Path, action: &str, error: &io::Error) -> Error {
    match error.kind() {
        io::ErrorKind::NotFound => Error::Corrupted(format!(
            "the file {} is missing; restore it from a backup of this database",
            file.display()
        )),
        _ => io_failure(file, action, error),
    }
}

fn parse_nonce(text: &str, format: &str) -> Option<Nonce> {
    let digits = text.strip_prefix(format)?.get(..32)?;
    let nonce = Nonce(u128::from_str_radix(digits, 16).ok()?.to_be_bytes());
    (text_with_nonce(format, nonce) == text).then_some(nonce)
}

fn text_with_nonce(format: &str, nonce: Nonce) -> String {
    let number = u128::from_be_bytes(nonce.0);
    format!("{format}{number:032x} {:08x}\n", xxh3_64(&nonce.0) as u32)
}

/// Returns the marker of a database of this version: the nonce and its checksum.
pub(super) fn marker_text(nonce: Nonce) -> String {
    text_with_nonce(FORMAT_3, nonce)
}

/// Creates a new database next to `path` and renames it, so that a crash leaves either nothing or a
/// complete database. `build` gets the directory, whose marker is locked.
pub(super) fn create(
    path: &Path,
    nonce: Nonce,
    build: impl FnOnce(&Path) -> Result<(), Error>,
) -> Result<(), Error> {
    if path.is_file() {
        return Err(Error::Open(format!("{} is a file; give a directory", path.display())));
    }
    let has_contents = fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_some());
    if has_contents {
        return Err(Error::Open(format!(
            "{} holds files but no Monotable database; give an empty or new directory",
            path.display()
        )));
    }
    let failure = |reason: &str| {
        Error::Open(format!("a database can't be created in {}: {reason}", path.display()))
    };
    let draft = Draft::new(path, nonce).map_err(|error| failure(&explain(&error)))?;
    build(&draft.path).map_err(|error| failure(&error.to_string()))?;
    draft.finish(path).map_err(|error| failure(&explain(&error)))
}

/// A database that is being created.
struct Draft {
    path: PathBuf,
    /// Locked as long as this process lives.
    _marker: File,
}

impl Draft {
    fn new(database: &Path, nonce: Nonce) -> io::Result<Self> {
        let database = std::path::absolute(database)?;
        let (Some(parent), Some(name)) = (database.parent(), database.file_name()) else {
            return Err(io::Error::other("the root directory can't be a database"));
        };
        fs::create_dir_all(parent)?;
        let mut prefix = name.to_owned();
        prefix.push(".creating-");
        remove_abandoned(parent, &prefix)?;
        let mut name: OsString = prefix;
        name.push(std::process::id().to_string());
        let path = parent.join(name);
        let builder = private_builder();
        for _ in 1..DRAFTS_MAX {
            match begin(&builder, &path, nonce) {
                Ok(_marker) => return Ok(Self { path, _marker }),
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                Err(_) => {}
            }
        }
        Ok(Self { _marker: begin(&builder, &path, nonce)?, path })
    }

    fn finish(self, database: &Path) -> io::Result<()> {
        restrict_and_sync(&self.path)?;
        match fs::rename(&self.path, database) {
            Ok(()) => Ok(()),
            // Another process may have been faster; then its database is opened.
            Err(_) if database.join(MARKER).exists() => Ok(()),
            Err(error) => Err(error),
        }
    }
}

/// Creates the directory of a draft and its locked marker, or nothing.
fn begin(builder: &DirBuilder, path: &Path, nonce: Nonce) -> io::Result<File> {
    builder.create(path)?;
    locked_marker(path, nonce).inspect_err(|_| {
        let _ = fs::remove_dir_all(path);
    })
}

fn locked_marker(draft: &Path, nonce: Nonce) -> io::Result<File> {
    let mut marker = create_private(&draft.join(MARKER))?;
    marker.try_lock()?;
    marker.write_all(marker_text(nonce).as_bytes())?;
    Ok(marker)
}

impl Drop for Draft {
    fn drop(&mut self) {
        // It does not exist any more if it became the database.
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// Removes the drafts of processes that died while they created a database of this name. The marker
/// of a draft is locked as long as its process lives.
fn remove_abandoned(parent: &Path, prefix: &OsStr) -> io::Result<()> {
    for entry in fs::read_dir(parent)? {
        let entry = entry?;
        let is_draft = entry.file_name().as_encoded_bytes().starts_with(prefix.as_encoded_bytes());
        if !is_draft {
            continue;
        }
        let is_alive = File::open(entry.path().join(MARKER))
            .is_ok_and(|marker| matches!(marker.try_lock(), Err(TryLockError::WouldBlock)));
        if !is_alive {
            // A draft that can't be removed belongs to another user, and is harmless.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
    Ok(())
}

fn private_builder() -> DirBuilder {
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
}

/// Creates a directory that only its owner can read.
pub(super) fn create_directory(path: &Path) -> Result<(), Error> {
    private_builder().create(path).map_err(|error| io_failure(path, "created", &error))
}

/// Returns the size of the files below a directory.
pub(super) fn bytes_on_disk(directory: &Path) -> io::Result<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        bytes += match entry.metadata() {
            Ok(metadata) if metadata.is_dir() => bytes_on_disk(&entry.path())?,
            Ok(metadata) => file_bytes(&metadata),
            // Files are created and removed while the database is open.
            Err(error) if error.kind() == io::ErrorKind::NotFound => 0,
            Err(error) => return Err(error),
        };
    }
    Ok(bytes)
}

/// Returns the size of a file: its blocks, because files of the log are mostly holes at first.
fn file_bytes(metadata: &fs::Metadata) -> u64 {
    #[cfg(unix)]
    return std::os::unix::fs::MetadataExt::blocks(metadata) * 512;
    #[cfg(not(unix))]
    metadata.len()
}

/// Creates a file that only its owner can read.
pub(super) fn create_private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Makes everything below a directory durable, and inaccessible to other users.
pub(super) fn restrict_and_sync(path: &Path) -> io::Result<()> {
    let is_directory = path.is_dir();
    if is_directory {
        for entry in fs::read_dir(path)? {
            restrict_and_sync(&entry?.path())?;
        }
    }
    let file = File::open(path)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = if is_directory { 0o700 } else { 0o600 };
        file.set_permissions(fs::Permissions::from_mode(mode))?;
    }
    file.sync_all()
}

/// Replaces a file as a whole, and makes that durable.
pub(super) fn replace(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let draft = path.with_extension("new");
    let write = || {
        let mut file = create_private(&draft)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&draft, path)
    };
    write().map_err(|error| io_failure(path, "written", &error))?;
    path.parent().map_or(Ok(()), sync)
}

/// Makes the names in a directory durable.
pub(super) fn sync(directory: &Path) -> Result<(), Error> {
    File::open(directory)
        .and_then(|file| file.sync_all())
        .map_err(|error| io_failure(directory, "synced", &error))
}

/// Makes the directory's own name durable.
pub(super) fn sync_parent(path: &Path) -> Result<(), Error> {
    let path = std::path::absolute(path).map_err(|error| io_failure(path, "found", &error))?;
    path.parent().map_or(Ok(()), sync)
}

/// Locks the directory for this process. The lock ends with the process, however it ends.
///
/// Waits briefly for a lock that is about to be released: a process that forks while the database
/// is open passes the lock to its child until the child runs another program.
pub(super) fn lock(path: &Path) -> Result<File, Error> {
    let file = path.join(MARKER);
    let marker = File::open(&file).map_err(|error| marker_failure(&file, "opened", &error))?;
    let started = Instant::now();
    loop {
        match marker.try_lock() {
            Ok(()) => return Ok(marker),
            Err(TryLockError::WouldBlock) if started.elapsed() < LOCK_WAIT_MAX => {
                std::thread::sleep(LOCK_WAIT_STEP);
            }
            Err(TryLockError::WouldBlock) => {
                return Err(Error::Open(format!(
                    "the database in {} is in use by another process; stop that process, or choose \
                     another directory",
                    path.display()
                )));
            }
            Err(TryLockError::Error(error)) => return Err(io_failure(&file, "locked", &error)),
        }
    }
}
