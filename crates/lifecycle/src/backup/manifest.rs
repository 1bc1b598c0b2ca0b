//! The manifest of a backup: its content, with a checksum for every part. It is written last,
//! so a directory with a manifest contains a complete backup.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

use super::BackupKind;
use crate::disk;
use crate::error::{Error, Result};

/// The name of the manifest's file.
pub(super) const NAME: &str = "MANIFEST";
/// The first line, which names the format.
const HEAD: &str = "monotable backup, format 1\n";
const CHECKSUM: &str = "\nchecksum ";
/// Manifests are small: a table takes a few kilobytes.
const BYTES_MAX: u64 = 64 << 20;

/// The content of a backup.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Manifest {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) kind: BackupKind,
    /// The time of the snapshot, common to all tables.
    pub(crate) created_ms: u64,
    pub(crate) expires_ms: Option<u64>,
    pub(crate) tables: Vec<TableEntry>,
    pub(crate) files: Vec<FileEntry>,
    /// Files besides the tables, such as the files of services.
    pub(crate) attachments: Vec<Attachment>,
}

/// A table in a backup.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TableEntry {
    pub(crate) name: String,
    pub(crate) arn: String,
    pub(crate) table_id: String,
    /// The definition as the engine stores it, in hexadecimal digits.
    pub(crate) definition: String,
    pub(crate) items: u64,
    /// The sum of the items' sizes by AWS's rule.
    pub(crate) size_bytes: u64,
    /// XXH3-128 of all items in order.
    pub(crate) digest: String,
    /// The position of its first row.
    pub(crate) file: u32,
    pub(crate) offset: u64,
}

/// A file of rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FileEntry {
    pub(crate) name: String,
    pub(crate) bytes: u64,
    pub(crate) xxh3: String,
}

/// A file that is copied unchanged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Attachment {
    /// Its path in the directory of the database.
    pub(crate) path: String,
    pub(crate) bytes: u64,
    pub(crate) xxh3: String,
}

impl Manifest {
    /// Writes the manifest into a directory whose files are already synced.
    pub(super) fn write(&self, directory: &Path) -> Result<()> {
        let json = serde_json::to_string_pretty(self)
            .map_err(|error| Error::Io(format!("the manifest can't be written: {error}")))?;
        let body = format!("{HEAD}{json}");
        let text = format!("{body}{CHECKSUM}{:032x}\n", xxh3_128(body.as_bytes()));
        disk::write_file(&directory.join(NAME), text.as_bytes())
    }

    /// Reads the manifest of a backup.
    pub(crate) fn read(directory: &Path) -> Result<Self> {
        let path = directory.join(NAME);
        let metadata = fs::metadata(&path).map_err(|error| Error::io(&path, "read", &error))?;
        if metadata.len() > BYTES_MAX {
            return Err(Error::Damaged(format!("{} is too large", path.display())));
        }
        let bytes = fs::read(&path).map_err(|error| Error::io(&path, "read", &error))?;
        let damaged = |why: &str| Error::Damaged(format!("{} {why}", path.display()));
        let text = std::str::from_utf8(&bytes).map_err(|_| damaged("is not text"))?;
        let (body, checksum) =
            text.rsplit_once(CHECKSUM).ok_or_else(|| damaged("lacks its checksum"))?;
        if checksum != format!("{:032x}\n", xxh3_128(body.as_bytes())) {
            return Err(damaged("does not match its checksum"));
        }
        let json = body.strip_prefix(HEAD).ok_or_else(|| damaged("has an unknown format"))?;
        serde_json::from_str(json).map_err(|error| damaged(&format!("is malformed: {error}")))
    }

    /// Returns the position of a table among the others.
    pub(crate) fn position(&self, table_name: &str) -> Option<usize> {
        self.tables.iter().position(|table| table.name == table_name)
    }
}
