//! A copy of the store's files for a check: opening the store changes its directory, and a check must
//! not.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::Path;

use tempfile::TempDir;

use super::directory::ROWS;
use super::failure::explain;
use super::inspection::Inspection;
use crate::error::Error;

/// Copies what the store would change to a temporary directory, and links to the tables, which it only
/// reads. Journals end where their whole batches do.
pub(super) fn make(path: &Path, inspection: &Inspection) -> Result<TempDir, Error> {
    let rows = path.join(ROWS);
    let copy = || {
        let rows = std::path::absolute(&rows)?;
        let directory = tempfile::Builder::new().prefix("monotable-check-").tempdir()?;
        let target = |file: &Path| -> io::Result<_> {
            let file = std::path::absolute(file)?;
            let relative = file.strip_prefix(&rows).map_err(io::Error::other)?;
            let target = directory.path().join(relative);
            target.parent().map_or(Ok(()), fs::create_dir_all)?;
            Ok((file, target))
        };
        for file in &inspection.files.small {
            let (file, target) = target(file)?;
            fs::copy(file, target)?;
        }
        for table in &inspection.files.tables {
            let (file, target) = target(&table.path)?;
            link(&file, &target)?;
        }
        for journal in &inspection.log.journals {
            let (file, target) = target(&journal.path)?;
            io::copy(&mut File::open(file)?.take(journal.end), &mut File::create(target)?)?;
        }
        Ok(directory)
    };
    copy().map_err(|error: io::Error| {
        Error::Open(format!(
            "a copy of {} for the check can't be made in {}: {}",
            rows.display(),
            std::env::temp_dir().display(),
            explain(&error)
        ))
    })
}

#[cfg(unix)]
fn link(file: &Path, target: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(file, target)
}

#[cfg(not(unix))]
fn link(file: &Path, target: &Path) -> io::Result<()> {
    fs::copy(file, target).map(|_| ())
}
