//! The data files of an export: compressed, hashed as they are written, and visible when they
//! are complete.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use md5::{Digest as _, Md5};

use crate::disk;
use crate::error::{Error, Result};

/// A file is closed at this size before compression.
const FILE_BYTES: u64 = 64 << 20;
const BUFFER_BYTES: usize = 256 << 10;

/// A file with its hash.
#[derive(Clone, Debug)]
pub(super) struct DataFile {
    pub(super) key: String,
    pub(super) items: u64,
    pub(super) md5: [u8; 16],
}

/// Writes to a file and hashes the bytes.
struct Hashed {
    file: File,
    md5: Md5,
}

impl Write for Hashed {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let count = self.file.write(bytes)?;
        self.md5.update(&bytes[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.flush()
    }
}

/// Writes lines to as many files as needed.
pub(super) struct DataFiles<'a> {
    bucket: &'a Path,
    /// Returns the key of a file by its number.
    name: Box<dyn Fn(u32) -> String + 'a>,
    open: Option<OpenFile>,
    finished: Vec<DataFile>,
}

struct OpenFile {
    key: String,
    unfinished: PathBuf,
    encoder: GzEncoder<BufWriter<Hashed>>,
    items: u64,
    bytes: u64,
}

impl<'a> DataFiles<'a> {
    pub(super) fn new(bucket: &'a Path, name: impl Fn(u32) -> String + 'a) -> Self {
        Self { bucket, name: Box::new(name), open: None, finished: Vec::new() }
    }

    /// Writes a line that contains the item.
    pub(super) fn line(&mut self, line: &[u8]) -> Result<()> {
        if self.open.as_ref().is_some_and(|open| open.bytes >= FILE_BYTES) {
            self.close()?;
        }
        let open = match &mut self.open {
            Some(open) => open,
            None => self
                .open
                .insert(OpenFile::create(self.bucket, (self.name)(self.finished.len() as u32))?),
        };
        open.encoder
            .write_all(line)
            .map_err(|error| Error::io(&open.unfinished, "written", &error))?;
        open.items += 1;
        open.bytes += line.len() as u64;
        Ok(())
    }

    fn close(&mut self) -> Result<()> {
        if let Some(open) = self.open.take() {
            self.finished.push(open.finish(self.bucket)?);
        }
        Ok(())
    }

    /// Ends the last file. There is at least one, as on AWS.
    pub(super) fn finish(mut self) -> Result<Vec<DataFile>> {
        if self.open.is_none() && self.finished.is_empty() {
            self.open = Some(OpenFile::create(self.bucket, (self.name)(0))?);
        }
        self.close()?;
        Ok(self.finished)
    }
}

impl OpenFile {
    fn create(bucket: &Path, key: String) -> Result<Self> {
        let unfinished = bucket.join(format!("{key}.tmp"));
        if let Some(folder) = unfinished.parent() {
            disk::create_directory(folder)?;
        }
        let file =
            File::create(&unfinished).map_err(|error| Error::io(&unfinished, "created", &error))?;
        let hashed = Hashed { file, md5: Md5::new() };
        let buffer = BufWriter::with_capacity(BUFFER_BYTES, hashed);
        let encoder = GzEncoder::new(buffer, Compression::fast());
        Ok(Self { key, unfinished, encoder, items: 0, bytes: 0 })
    }

    fn finish(self, bucket: &Path) -> Result<DataFile> {
        let cannot = |error: std::io::Error| Error::io(&self.unfinished, "written", &error);
        let buffer = self.encoder.finish().map_err(cannot)?;
        let hashed = buffer.into_inner().map_err(|error| cannot(error.into_error()))?;
        hashed.file.sync_all().map_err(cannot)?;
        disk::rename(&self.unfinished, &bucket.join(&self.key))?;
        Ok(DataFile { key: self.key, items: self.items, md5: hashed.md5.finalize().into() })
    }
}
