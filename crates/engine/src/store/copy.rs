//! Copies of the tree's files: opening a tree changes its directory, which a check or a conversion
//! must not do.

use std::fs;
use std::io;
use std::path::Path;

use tempfile::TempDir;

use super::failure::{explain, io_failure};
use super::manifest::Files;
use crate::error::Error;

/// Copies the files that the tree would change to a temporary directory, and creates links to the
/// table files, which it only reads.
pub(super) fn make(files: &Files) -> Result<TempDir, Error> {
    let copy = || {
        let directory = tempfile::Builder::new().prefix("monotable-check-").tempdir()?;
        fill(files, directory.path(), soft_link)?;
        Ok(directory)
    };
    copy().map_err(|error: io::Error| {
        Error::Open(format!(
            "a copy of {} for the check can't be made in {}: {}",
            files.directory.display(),
            std::env::temp_dir().display(),
            explain(&error)
        ))
    })
}

/// Copies the files to a directory next to them. The table files are hard links where the file
/// system supports them.
pub(super) fn make_at(files: &Files, target: &Path) -> Result<(), Error> {
    let link = |from: &Path, to: &Path| {
        fs::hard_link(from, to).or_else(|_| fs::copy(from, to).map(|_| ()))
    };
    fill(files, target, link).map_err(|error| io_failure(target, "written", &error))
}

fn fill(
    files: &Files,
    target: &Path,
    link: impl Fn(&Path, &Path) -> io::Result<()>,
) -> io::Result<()> {
    let from = std::path::absolute(&files.directory)?;
    let relative = |file: &Path| {
        let file = std::path::absolute(file)?;
        let relative = file.strip_prefix(&from).map_err(io::Error::other)?;
        let to = target.join(relative);
        to.parent().map_or(Ok(()), fs::create_dir_all)?;
        Ok::<_, io::Error>((file, to))
    };
    for file in &files.small {
        let (file, to) = relative(file)?;
        fs::copy(file, to)?;
    }
    for table in &files.tables {
        let (file, to) = relative(&table.path)?;
        link(&file, &to)?;
    }
    Ok(())
}

#[cfg(unix)]
fn soft_link(file: &Path, target: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(file, target)
}

#[cfg(not(unix))]
fn soft_link(file: &Path, target: &Path) -> io::Result<()> {
    fs::copy(file, target).map(|_| ())
}
