//! The directory of a test, on disk or in memory, which is removed when the test succeeds.

use std::fs::{self, File};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::Outcome;

/// How much is copied at a time.
const CHUNK_BYTES: usize = 1 << 20;

/// A kind of file system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Medium {
    /// The disk that holds the build.
    Disk,
    /// Memory: many more cycles per second.
    Tmpfs,
}

impl Medium {
    /// Returns the directory for temporary directories, if there is one. Prints a notice if there
    /// is none.
    pub fn root(self, build_directory: &str) -> Option<PathBuf> {
        let path = match self {
            Self::Disk => PathBuf::from(build_directory),
            Self::Tmpfs => PathBuf::from("/dev/shm"),
        };
        if !path.is_dir() {
            eprintln!("NOTICE: skipped, {} does not exist", path.display());
            return None;
        }
        Some(path)
    }
}

/// The directory of one test: the database in `data/db`, journals next to it.
pub struct Place {
    root: PathBuf,
}

impl Place {
    /// Returns a new directory under `root`.
    pub fn new(root: &Path) -> Outcome<Self> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("monotable-crash-{}-{number}", std::process::id());
        let root = fs::canonicalize(root)?.join(name);
        if root.exists() {
            fs::remove_dir_all(&root)?;
        }
        fs::create_dir_all(root.join("data"))?;
        Ok(Self { root })
    }

    /// Returns the parent of the database. Everything the engine does happens in here.
    pub fn data(&self) -> PathBuf {
        self.root.join("data")
    }

    /// Returns the directory of the database.
    pub fn database(&self) -> PathBuf {
        self.data().join("db")
    }

    /// Returns a file of the test.
    pub fn file(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    /// Starts over: removes everything.
    pub fn clear(&self) -> Outcome {
        fs::remove_dir_all(&self.root)?;
        Ok(fs::create_dir_all(self.data())?)
    }

    /// Starts over from a copy of another place's database.
    pub fn restore(&self, template: &Self) -> Outcome {
        self.clear()?;
        copy_directory(&template.data(), &self.data())
    }

    /// Removes the directory; if it is dropped otherwise, it stays for inspection.
    pub fn remove(self) -> Outcome {
        Ok(fs::remove_dir_all(&self.root)?)
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}", self.root.display())
    }
}

fn copy_directory(from: &Path, to: &Path) -> Outcome {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_directory(&entry.path(), &target)?;
        } else {
            copy_file(&entry.path(), &target)?;
        }
    }
    Ok(())
}

/// Copies a file without its holes: a store's journal is long and mostly a hole.
fn copy_file(from: &Path, to: &Path) -> Outcome {
    let mut source = File::open(from)?;
    let mut target = File::create(to)?;
    let mut chunk = vec![0; CHUNK_BYTES];
    loop {
        let length = source.read(&mut chunk)?;
        let bytes = &chunk[..length];
        if length == 0 {
            break;
        } else if bytes.iter().all(|byte| *byte == 0) {
            target.seek(SeekFrom::Current(i64::try_from(length)?))?;
        } else {
            target.write_all(bytes)?;
        }
    }
    Ok(target.set_len(source.metadata()?.len())?)
}
