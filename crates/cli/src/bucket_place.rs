//! Directories as buckets, for commands: the directory is the bucket, and its parent contains all
//! buckets.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

/// A directory for exports and imports.
pub(crate) struct BucketPlace {
    /// The parent directory of the bucket.
    pub(crate) buckets: PathBuf,
    /// The name of the bucket.
    pub(crate) name: String,
}

impl BucketPlace {
    /// Uses an existing directory as a bucket.
    pub(crate) fn of(directory: &Path) -> Result<Self> {
        let path = std::fs::canonicalize(directory)
            .with_context(|| format!("{} can't be used", directory.display()))?;
        let name = path.file_name().and_then(|name| name.to_str());
        let is_bucket = |name: &&str| {
            let is_known = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
            let ends = [name.bytes().next(), name.bytes().last()];
            (3..=255).contains(&name.len())
                && name.bytes().all(is_known)
                && ends.iter().flatten().all(u8::is_ascii_alphanumeric)
        };
        match (path.parent(), name.filter(is_bucket)) {
            (Some(buckets), Some(name)) if path.is_dir() => {
                Ok(Self { buckets: buckets.to_owned(), name: name.to_owned() })
            }
            _ => bail!(
                "{} can't be a bucket: it must be a directory whose name has 3 to 255 letters, digits, '-', '_' and '.'",
                directory.display()
            ),
        }
    }

    /// Returns the path of a key.
    pub(crate) fn path(&self, key: &str) -> PathBuf {
        self.buckets.join(&self.name).join(key)
    }
}
