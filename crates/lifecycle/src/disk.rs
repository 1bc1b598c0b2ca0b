//! Files that appear complete: they are written under another name, synced, and renamed.

use std::fs::{self, File};
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// Creates a directory and its parents, and syncs them.
pub(crate) fn create_directory(path: &Path) -> Result<()> {
    fs::create_dir_all(path).map_err(|error| Error::io(path, "created", &error))?;
    path.parent().map_or(Ok(()), sync_directory)
}

/// Syncs the names in a directory.
pub(crate) fn sync_directory(path: &Path) -> Result<()> {
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    let synced = File::open(path).and_then(|directory| directory.sync_all());
    synced.map_err(|error| Error::io(path, "synced", &error))
}

/// Writes a complete file.
pub(crate) fn write_file(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut unfinished = path.as_os_str().to_owned();
    unfinished.push(".tmp");
    let unfinished = PathBuf::from(unfinished);
    let written = File::create(&unfinished).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    written.map_err(|error| Error::io(&unfinished, "written", &error))?;
    rename(&unfinished, path)
}

/// Returns the files below a directory, as relative paths. Files and directories whose names begin
/// with a dot are left out. A missing directory has no files.
pub(crate) fn files(directory: &Path) -> Result<Vec<String>> {
    let mut found = Vec::new();
    let mut waiting = vec![String::new()];
    while let Some(folder) = waiting.pop() {
        let path = directory.join(&folder);
        let entries = match fs::read_dir(&path) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            Err(error) => return Err(Error::io(&path, "read", &error)),
        };
        for entry in entries {
            let entry = entry.map_err(|error| Error::io(&path, "read", &error))?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            if name.starts_with('.') {
                continue;
            }
            let kind =
                entry.file_type().map_err(|error| Error::io(&entry.path(), "read", &error))?;
            if kind.is_dir() {
                waiting.push(format!("{folder}{name}/"));
            } else if kind.is_file() {
                found.push(format!("{folder}{name}"));
            }
        }
    }
    found.sort_unstable();
    Ok(found)
}

/// Copies a file and syncs the copy. Returns whether the file existed.
pub(crate) fn copy_file(from: &Path, to: &Path) -> Result<bool> {
    if let Some(folder) = to.parent() {
        create_directory(folder)?;
    }
    match fs::copy(from, to) {
        Ok(_) => {}
        Err(error) if error.kind() == ErrorKind::NotFound && !from.exists() => return Ok(false),
        Err(error) => return Err(Error::io(to, "copied", &error)),
    }
    let synced = File::open(to).and_then(|file| file.sync_all());
    synced.map_err(|error| Error::io(to, "synced", &error))?;
    to.parent().map_or(Ok(()), sync_directory)?;
    Ok(true)
}

/// Gives a file or directory its final name.
pub(crate) fn rename(from: &Path, to: &Path) -> Result<()> {
    fs::rename(from, to).map_err(|error| Error::io(to, "put in place", &error))?;
    to.parent().map_or(Ok(()), sync_directory)
}

/// Removes a directory with its content, if it exists.
pub(crate) fn remove_directory(path: &Path) -> Result<()> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(Error::io(path, "removed", &error))
        }
        _ => Ok(()),
    }
}
