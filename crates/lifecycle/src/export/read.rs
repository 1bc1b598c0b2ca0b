//! Exports as directories: verified and read again.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use md5::{Digest as _, Md5};
use monotable_engine::Item;
use serde::Deserialize;

use super::manifest::base64;
use crate::codec::ItemCodec;
use crate::error::{Error, Result};
use crate::import::{Compression, ImportFormat, Objects, Source};
use crate::jobs::Control;

/// An export in a directory, with valid manifests.
pub struct ExportFolder {
    directory: PathBuf,
    format: ImportFormat,
    files: Vec<FileLine>,
    codec: Arc<dyn ItemCodec>,
}

/// The needed members of `manifest-summary.json`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Summary {
    item_count: u64,
    output_format: String,
    export_type: Option<String>,
}

/// A line of `manifest-files.json`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct FileLine {
    item_count: u64,
    md5_checksum: String,
    data_file_s3_key: String,
}

const SUMMARY: &str = "manifest-summary";
const FILES: &str = "manifest-files";
/// The folder of the data files.
const DATA: &str = "data/";

impl ExportFolder {
    /// Returns whether a directory contains a complete export.
    pub fn is_in(directory: &Path) -> bool {
        directory.join(format!("{SUMMARY}.json")).is_file()
    }

    /// Opens the full export in a directory, which must contain the manifests.
    ///
    /// # Errors
    /// Fails if a manifest is missing or does not match its checksum, or if the export is
    /// incremental.
    pub fn open(directory: &Path, codec: Arc<dyn ItemCodec>) -> Result<Self> {
        let summary = read_with_checksum(directory, SUMMARY)?;
        let malformed = |name: &str, error: &serde_json::Error| {
            Error::Damaged(format!("{name}.json of {} is malformed: {error}", directory.display()))
        };
        let summary: Summary =
            serde_json::from_str(&summary).map_err(|error| malformed(SUMMARY, &error))?;
        if summary.export_type.as_deref().is_some_and(|kind| kind != "FULL_EXPORT") {
            return Err(Error::Io(format!(
                "{} is an incremental export, which does not contain a complete table",
                directory.display()
            )));
        }
        let format = match summary.output_format.as_str() {
            "ION" => ImportFormat::Ion,
            _ => ImportFormat::DynamoDbJson,
        };
        let lines = read_with_checksum(directory, FILES)?;
        let files: Vec<FileLine> = lines
            .lines()
            .map(|line| serde_json::from_str(line).map_err(|error| malformed(FILES, &error)))
            .collect::<Result<_>>()?;
        if files.iter().map(|file| file.item_count).sum::<u64>() != summary.item_count {
            return Err(Error::Damaged(format!(
                "the manifests of {} count different numbers of items",
                directory.display()
            )));
        }
        Ok(Self { directory: directory.to_owned(), format, files, codec })
    }

    /// Returns the format of the data files.
    pub fn format(&self) -> ImportFormat {
        self.format
    }

    /// Returns how many items there are.
    pub fn items(&self) -> u64 {
        self.files.iter().map(|file| file.item_count).sum()
    }

    /// Compares every data file with its checksum.
    ///
    /// # Errors
    /// Fails with [`Error::Damaged`], which names the file that differs, or with
    /// [`Error::Interrupted`].
    pub fn verify(&self, control: &Control) -> Result<()> {
        for file in &self.files {
            let path = self.directory.join(key_in_folder(file));
            if md5_of(&path, control)? != file.md5_checksum {
                return Err(Error::Damaged(format!(
                    "{} does not match its checksum in the manifest",
                    path.display()
                )));
            }
        }
        Ok(())
    }

    /// Reads all items. Every item that the manifests count must be readable.
    ///
    /// # Errors
    /// Fails if a file or an item can't be read, with [`Error::Interrupted`], or with an error of
    /// `each`.
    pub fn read<E: From<Error>>(
        &self,
        control: &Control,
        mut each: impl FnMut(Item) -> Result<(), E>,
    ) -> Result<(), E> {
        let source = Source {
            format: self.format,
            csv: None,
            compression: Compression::Gzip,
            definitions: Vec::new(),
            codec: Arc::clone(&self.codec),
        };
        let objects = Objects::list(&self.directory, DATA)?;
        for file in &self.files {
            let key = key_in_folder(file);
            let damaged = |why: &str| {
                Error::Damaged(format!("{}: {why}", self.directory.join(&key).display()))
            };
            let mut items = source.open(&objects, &key)?;
            let mut count = 0;
            while let Some(item) = items.next() {
                control.check()?;
                let item = item.map_err(|problem| damaged(problem.error.text()))?;
                count += 1;
                control.count(1, 0);
                each(item)?;
            }
            if count != file.item_count {
                return Err(damaged("the number of items does not match the manifest").into());
            }
        }
        Ok(())
    }
}

/// Returns the path of a data file relative to the directory of its export, which may have been
/// moved.
fn key_in_folder(file: &FileLine) -> String {
    let name = file.data_file_s3_key.rsplit('/').next().unwrap_or_default();
    format!("{DATA}{name}")
}

fn read_with_checksum(directory: &Path, name: &str) -> Result<String> {
    let read = |extension: &str| {
        let path = directory.join(format!("{name}.{extension}"));
        fs::read_to_string(&path).map_err(|error| Error::io(&path, "read", &error))
    };
    let (text, checksum) = (read("json")?, read("checksum")?);
    if base64(&Md5::digest(text.as_bytes())) == checksum.trim_end() {
        Ok(text)
    } else {
        Err(Error::Damaged(format!(
            "{name}.json of {} does not match its checksum",
            directory.display()
        )))
    }
}

fn md5_of(path: &Path, control: &Control) -> Result<String> {
    let cannot = |error: std::io::Error| Error::io(path, "read", &error);
    let mut file = fs::File::open(path).map_err(cannot)?;
    let mut buffer = vec![0; 256 << 10];
    let mut md5 = Md5::new();
    loop {
        control.check()?;
        match file.read(&mut buffer).map_err(cannot)? {
            0 => return Ok(base64(&md5.finalize())),
            count => md5.update(&buffer[..count]),
        }
    }
}
