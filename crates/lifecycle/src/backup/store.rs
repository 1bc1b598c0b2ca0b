//! The directory of the backups: one set of files each.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use super::manifest::Manifest;
use super::set::{Set, unfinished_directory};
use crate::disk;
use crate::error::{Error, Result};

/// The prefixes of the names of directories that are not sets: those being written, those being
/// removed, and those of drills.
pub(super) const CREATING: &str = ".creating-";
const DELETED: &str = ".deleted-";
pub(super) const DRILL: &str = ".drill-";

/// The sets in a directory. Manifests never change, so each is read only once.
pub(crate) struct Store {
    pub(crate) root: PathBuf,
    known: Mutex<BTreeMap<String, Arc<Manifest>>>,
}

impl Store {
    pub(crate) fn new(root: PathBuf) -> Self {
        Self { root, known: Mutex::default() }
    }

    /// Returns the manifests of all complete sets, oldest first, without those that can't be read;
    /// opening such a set by name returns the error.
    pub(crate) fn list(&self) -> Result<Vec<Arc<Manifest>>> {
        let entries = match fs::read_dir(&self.root) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(Error::io(&self.root, "read", &error)),
        };
        let mut ids = Vec::new();
        for entry in entries {
            let entry = entry.map_err(|error| Error::io(&self.root, "read", &error))?;
            if let Ok(name) = entry.file_name().into_string()
                && !name.starts_with('.')
                && Set::is_in(&entry.path())
            {
                ids.push(name);
            }
        }
        ids.sort_unstable();
        Ok(ids.iter().filter_map(|id| self.manifest(id).ok().flatten()).collect())
    }

    /// Returns the manifest of a set, if there is one.
    pub(crate) fn manifest(&self, id: &str) -> Result<Option<Arc<Manifest>>> {
        let directory = self.root.join(id);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if !Set::is_in(&directory) {
            known.remove(id);
            return Ok(None);
        }
        if let Some(manifest) = known.get(id) {
            return Ok(Some(Arc::clone(manifest)));
        }
        let manifest = Arc::new(Manifest::read(&directory)?);
        if manifest.id != id {
            let why = format!("{} is the manifest of another backup", directory.display());
            return Err(Error::Damaged(why));
        }
        known.insert(id.to_owned(), Arc::clone(&manifest));
        Ok(Some(manifest))
    }

    /// Opens a set.
    pub(crate) fn open(&self, id: &str) -> Result<Set> {
        Set::open(&self.root.join(id))
    }

    /// Hides a set immediately, and then removes its files.
    pub(crate) fn remove(&self, id: &str) -> Result<()> {
        let hidden = self.root.join(format!("{DELETED}{id}"));
        disk::rename(&self.root.join(id), &hidden)?;
        self.known.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
        disk::remove_directory(&hidden)
    }

    /// Removes the files of an unfinished set.
    pub(crate) fn abandon(&self, id: &str) -> Result<()> {
        disk::remove_directory(&unfinished_directory(&self.root, id))
    }

    /// Removes the files of interrupted removals and of sets that will not be completed.
    pub(crate) fn tidy(&self, is_being_written: impl Fn(&str) -> bool) -> Result<()> {
        let Ok(entries) = fs::read_dir(&self.root) else { return Ok(()) };
        for entry in entries.flatten() {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            let is_left = match name.strip_prefix(CREATING) {
                Some(id) => !is_being_written(id),
                None => name.starts_with(DELETED) || name.starts_with(DRILL),
            };
            if is_left {
                disk::remove_directory(&entry.path())?;
            }
        }
        Ok(())
    }

    /// Returns whether the set of this name is complete.
    pub(crate) fn has(&self, id: &str) -> bool {
        Set::is_in(&self.root.join(id))
    }
}
