//! Blobs as files below a directory, which only its owner can read.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use monotable::model::time::Timestamp;

use super::{BlobError, BlobKey, BlobStore, StoredBlob, Storing};
use crate::randomness::{Randomness as _, SystemRandomness};

/// The directory of files that are being written. No key begins with a dot.
const DRAFTS: &str = ".drafts";
/// The age at which a draft is removed that a process has left behind.
const DRAFT_MAX: Duration = Duration::from_secs(24 * 60 * 60);
/// Blobs in one call of `list`.
const LISTED_MAX: usize = 1_000;
/// How often moving a file to its final path is tried: deleting the last blob of a directory
/// removes the directory.
const ATTEMPTS_MAX: usize = 10;

/// A store in a directory. The key of a blob is the path of its file. Clones are handles to the
/// same store.
#[derive(Clone, Debug)]
pub struct DirectoryBlobs {
    root: Arc<Path>,
}

impl DirectoryBlobs {
    /// Opens the store in a directory, and creates the directory if it does not exist.
    ///
    /// # Errors
    /// Fails if the directory can't be created or read.
    pub fn open(root: impl Into<PathBuf>) -> io::Result<Self> {
        let root = root.into();
        let drafts = root.join(DRAFTS);
        create_directories(&drafts)?;
        for draft in fs::read_dir(&drafts)? {
            let draft = draft?;
            let age = draft.metadata()?.modified()?.elapsed().unwrap_or_default();
            if age > DRAFT_MAX {
                fs::remove_file(draft.path())?;
            }
        }
        Ok(Self { root: root.into() })
    }

    fn path(&self, key: &BlobKey) -> PathBuf {
        self.root.join(key.as_str())
    }

    /// Runs a function on a thread that may block on the disk.
    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Self) -> io::Result<T> + Send + 'static,
    ) -> Result<T, BlobError> {
        let store = self.clone();
        let done = tokio::task::spawn_blocking(move || work(&store)).await;
        let done = done.unwrap_or_else(|error| Err(io::Error::other(error)));
        done.map_err(|error| BlobError(error.kind().to_string()))
    }

    /// Writes a draft completely and syncs it before it gets its final name.
    fn write(&self, path: &Path, bytes: &[u8], now: Timestamp) -> io::Result<()> {
        let mut name = [0; 16];
        SystemRandomness.fill(&mut name);
        let draft = self.root.join(DRAFTS).join(hex::encode(name));
        let written = private(&draft).and_then(|mut file| {
            file.write_all(bytes)?;
            file.set_modified(system_time(now))?;
            file.sync_all()?;
            self.publish(&draft, path)
        });
        if written.is_err() {
            let _ = fs::remove_file(&draft);
        }
        written
    }

    /// Moves a draft to its final path.
    fn publish(&self, draft: &Path, path: &Path) -> io::Result<()> {
        let directory = path.parent().unwrap_or(&self.root);
        let mut attempts = 0;
        loop {
            create_directories(directory)?;
            match fs::rename(draft, path) {
                Err(error) if error.kind() == ErrorKind::NotFound && attempts < ATTEMPTS_MAX => {
                    attempts += 1;
                }
                renamed => {
                    renamed?;
                    break;
                }
            }
        }
        // The directory entries on the path to the file must be synced, too.
        for directory in directory.ancestors().take_while(|it| it.starts_with(&self.root)) {
            File::open(directory)?.sync_all()?;
        }
        Ok(())
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        match fs::remove_file(path) {
            Err(error) if is_absent(&error) => return Ok(()),
            removed => removed?,
        }
        for directory in path.ancestors().skip(1).take_while(|it| *it != &*self.root) {
            // A directory with other blobs stays.
            if fs::remove_dir(directory).is_err() {
                return File::open(directory).and_then(|it| it.sync_all()).or_else(if_present);
            }
        }
        File::open(&self.root)?.sync_all()
    }

    /// Adds the blobs in a directory that follow a key, in the order of their segments.
    fn collect(
        &self,
        directory: &Path,
        segments: &mut Vec<String>,
        after: Option<&[&str]>,
        listed: &mut Vec<StoredBlob>,
    ) -> io::Result<()> {
        let entries = match fs::read_dir(directory) {
            Err(error) if is_absent(&error) => return Ok(()),
            entries => entries?,
        };
        let mut names = Vec::new();
        for entry in entries {
            let entry = entry?;
            if let Ok(name) = entry.file_name().into_string() {
                names.push((name, entry.path()));
            }
        }
        names.sort();
        let (first, rest) = match after {
            Some([first, rest @ ..]) => (Some(*first), rest),
            _ => (None, &[][..]),
        };
        for (name, path) in names {
            if listed.len() >= LISTED_MAX {
                break;
            }
            let is_first = first == Some(name.as_str());
            if first.is_some_and(|first| name.as_str() < first) {
                continue;
            }
            let Ok(metadata) = fs::symlink_metadata(&path) else { continue };
            segments.push(name);
            if metadata.is_dir() {
                self.collect(&path, segments, is_first.then_some(rest), listed)?;
            } else if metadata.is_file()
                && !is_first
                && let Ok(key) = segments.join("/").parse()
            {
                listed.push(StoredBlob { key, stored_at: timestamp(metadata.modified()?)? });
            }
            segments.pop();
        }
        Ok(())
    }
}

impl BlobStore for DirectoryBlobs {
    fn put<'a>(&'a self, key: &'a BlobKey, bytes: Bytes, now: Timestamp) -> Storing<'a, ()> {
        let path = self.path(key);
        Box::pin(self.run(move |store| store.write(&path, &bytes, now)))
    }

    fn get<'a>(&'a self, key: &'a BlobKey) -> Storing<'a, Option<Bytes>> {
        let path = self.path(key);
        Box::pin(self.run(move |_| match fs::read(path) {
            Err(error) if is_absent(&error) => Ok(None),
            bytes => bytes.map(|bytes| Some(bytes.into())),
        }))
    }

    fn delete<'a>(&'a self, key: &'a BlobKey) -> Storing<'a, ()> {
        let path = self.path(key);
        Box::pin(self.run(move |store| store.remove(&path)))
    }

    fn list<'a>(
        &'a self,
        first_segment: &'a str,
        after: Option<&'a BlobKey>,
    ) -> Storing<'a, Vec<StoredBlob>> {
        let (first, after) = (first_segment.to_owned(), after.cloned());
        Box::pin(self.run(move |store| {
            let mut listed = Vec::new();
            let after: Option<Vec<&str>> =
                after.as_ref().map(|key| key.segments().skip(1).collect());
            let directory = store.root.join(&first);
            store.collect(&directory, &mut vec![first], after.as_deref(), &mut listed)?;
            Ok(listed)
        }))
    }
}

/// Creates a file that only its owner can read.
fn private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Creates directories that only their owner can read.
fn create_directories(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Returns whether there is no such file, or no such directory.
fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::IsADirectory)
}

fn if_present(error: io::Error) -> io::Result<()> {
    if is_absent(&error) { Ok(()) } else { Err(error) }
}

fn system_time(time: Timestamp) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_millis(u64::try_from(time.as_ms()).unwrap_or(0))
}

fn timestamp(time: SystemTime) -> io::Result<Timestamp> {
    let since = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let ms = i64::try_from(since.as_millis()).map_err(io::Error::other)?;
    Timestamp::from_ms(ms).map_err(io::Error::other)
}
