//! The files of rows: blocks of items, each with a checksum that includes its position.
//!
//! A file is `MTBACKUP`, the format (4 bytes, little-endian as everything here), its number (4), and blocks:
//! `table (4) · items (4) · bytes of the items (4) · bytes that follow (4) · checksum (8)` and then the items, each as its
//! length (4) and its stored form, compressed with LZ4 if that makes them fewer bytes. The checksum is XXH3-64 of the backup's
//! identifier, the file's number, the block's offset and the block without its checksum.

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use bytes::Bytes;
use xxhash_rust::xxh3::Xxh3;

use super::manifest::{FileEntry, Manifest, TableEntry};
use crate::error::{Error, Result};

const MAGIC: &[u8; 8] = b"MTBACKUP";
const FORMAT: u32 = 1;
const HEAD_BYTES: usize = 16;
const BLOCK_HEAD_BYTES: usize = 24;
/// A block is written when its items reach this size.
const BLOCK_BYTES: usize = 256 << 10;
/// No block is larger: the last item adds less than half a megabyte.
const BLOCK_BYTES_MAX: usize = 1 << 20;
/// A file is closed when it reaches this size.
const FILE_BYTES: u64 = 64 << 20;
/// The bytes that are written between two syncs, so that no sync keeps the disk busy for long.
const SYNC_BYTES: u64 = 4 << 20;

fn file_name(number: u32) -> String {
    format!("rows-{number:05}")
}

fn checksum(id: &str, file: u32, offset: u64, head: &[u8], payload: &[u8]) -> u64 {
    let mut hash = Xxh3::new();
    hash.update(id.as_bytes());
    hash.update(&file.to_le_bytes());
    hash.update(&offset.to_le_bytes());
    hash.update(head);
    hash.update(payload);
    hash.digest()
}

/// The digest of the items of a table, which depends on each item and on their order.
#[derive(Clone, Default)]
pub(crate) struct Digest(Xxh3);

impl Digest {
    pub(crate) fn add(&mut self, stored: &[u8]) {
        self.0.update(&(stored.len() as u64).to_le_bytes());
        self.0.update(stored);
    }

    pub(crate) fn text(&self) -> String {
        format!("{:032x}", self.0.digest128())
    }
}

/// Writes the rows of a backup.
pub(super) struct RowsWriter {
    directory: PathBuf,
    id: String,
    file: Option<OpenFile>,
    files: Vec<FileEntry>,
    table: u32,
    block: Vec<u8>,
    block_items: u32,
    packed: Vec<u8>,
}

struct OpenFile {
    file: File,
    path: PathBuf,
    number: u32,
    bytes: u64,
    synced_bytes: u64,
    hash: Xxh3,
}

impl OpenFile {
    fn create(directory: &Path, number: u32) -> Result<Self> {
        let path = directory.join(file_name(number));
        let file = File::create(&path).map_err(|error| Error::io(&path, "created", &error))?;
        let mut open = Self { file, path, number, bytes: 0, synced_bytes: 0, hash: Xxh3::new() };
        let mut head = [0; HEAD_BYTES];
        head[..8].copy_from_slice(MAGIC);
        head[8..12].copy_from_slice(&FORMAT.to_le_bytes());
        head[12..].copy_from_slice(&number.to_le_bytes());
        open.write(&head)?;
        Ok(open)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.file.write_all(bytes).map_err(|error| Error::io(&self.path, "written", &error))?;
        self.hash.update(bytes);
        self.bytes += bytes.len() as u64;
        if self.bytes - self.synced_bytes >= SYNC_BYTES {
            self.sync()?;
        }
        Ok(())
    }

    fn sync(&mut self) -> Result<()> {
        self.file.sync_all().map_err(|error| Error::io(&self.path, "synced", &error))?;
        self.synced_bytes = self.bytes;
        Ok(())
    }

    fn finish(mut self) -> Result<FileEntry> {
        self.sync()?;
        let xxh3 = format!("{:032x}", self.hash.digest128());
        Ok(FileEntry { name: file_name(self.number), bytes: self.bytes, xxh3 })
    }
}

impl RowsWriter {
    pub(super) fn new(directory: PathBuf, id: &str) -> Self {
        Self {
            directory,
            id: id.to_owned(),
            file: None,
            files: Vec::new(),
            table: 0,
            block: Vec::with_capacity(BLOCK_BYTES_MAX),
            block_items: 0,
            packed: Vec::new(),
        }
    }

    /// Begins the rows of the table at this position of the manifest. Returns the position of the
    /// first row.
    pub(super) fn begin(&mut self, table: u32) -> Result<(u32, u64)> {
        self.flush()?;
        self.table = table;
        let file = self.open_file()?;
        Ok((file.number, file.bytes))
    }

    pub(super) fn add(&mut self, stored: &[u8]) -> Result<()> {
        self.block.extend_from_slice(&(stored.len() as u32).to_le_bytes());
        self.block.extend_from_slice(stored);
        self.block_items += 1;
        if self.block.len() >= BLOCK_BYTES { self.flush() } else { Ok(()) }
    }

    fn open_file(&mut self) -> Result<&mut OpenFile> {
        if let Some(full) = self.file.take_if(|file| file.bytes >= FILE_BYTES) {
            self.files.push(full.finish()?);
        }
        let file = match self.file.take() {
            Some(file) => file,
            None => OpenFile::create(&self.directory, self.files.len() as u32)?,
        };
        Ok(self.file.insert(file))
    }

    fn flush(&mut self) -> Result<()> {
        if self.block_items == 0 {
            return Ok(());
        }
        self.packed.resize(lz4_flex::block::get_maximum_output_size(self.block.len()), 0);
        let packed = lz4_flex::block::compress_into(&self.block, &mut self.packed).ok();
        let block = std::mem::take(&mut self.block);
        let packed_bytes = packed.filter(|bytes| *bytes < block.len());
        let packed = std::mem::take(&mut self.packed);
        let payload = packed_bytes.map_or(&block[..], |bytes| &packed[..bytes]);
        let mut head = [0; BLOCK_HEAD_BYTES];
        head[..4].copy_from_slice(&self.table.to_le_bytes());
        head[4..8].copy_from_slice(&self.block_items.to_le_bytes());
        head[8..12].copy_from_slice(&(block.len() as u32).to_le_bytes());
        head[12..16].copy_from_slice(&(payload.len() as u32).to_le_bytes());
        let id = self.id.clone();
        let file = self.open_file()?;
        let sum = checksum(&id, file.number, file.bytes, &head[..16], payload);
        head[16..].copy_from_slice(&sum.to_le_bytes());
        file.write(&head)?;
        file.write(payload)?;
        (self.block, self.packed) = (block, packed);
        self.block.clear();
        self.block_items = 0;
        Ok(())
    }

    /// Ends and syncs the last file.
    pub(super) fn finish(mut self) -> Result<Vec<FileEntry>> {
        self.flush()?;
        if let Some(file) = self.file.take() {
            self.files.push(file.finish()?);
        }
        Ok(self.files)
    }
}

/// The rows of one table of a backup, verified as they are read.
pub(crate) struct TableRows<'a> {
    directory: &'a Path,
    manifest: &'a Manifest,
    table: u32,
    entry: &'a TableEntry,
    file: Option<(u32, File)>,
    offset: u64,
    block: Bytes,
    block_items: u32,
    items: u64,
    digest: Digest,
}

impl<'a> TableRows<'a> {
    pub(super) fn new(directory: &'a Path, manifest: &'a Manifest, table: usize) -> Self {
        let entry = &manifest.tables[table];
        Self {
            directory,
            manifest,
            table: table as u32,
            entry,
            file: None,
            offset: entry.offset,
            block: Bytes::new(),
            block_items: 0,
            items: 0,
            digest: Digest::default(),
        }
    }

    /// Returns the next item in its stored form. At the end it compares count and digest.
    pub(crate) fn next(&mut self) -> Result<Option<Bytes>> {
        if self.block_items == 0 {
            if self.items == self.entry.items {
                return self.end();
            }
            self.read_block()?;
        }
        let damaged = || self.damaged("the items of a block do not match its header");
        let length = self.block.get(..4).and_then(|bytes| bytes.try_into().ok());
        let length = u32::from_le_bytes(length.ok_or_else(damaged)?) as usize;
        if self.block.len() < 4 + length {
            return Err(damaged());
        }
        let _ = self.block.split_to(4);
        let item = self.block.split_to(length);
        self.block_items -= 1;
        if self.block_items == 0 && !self.block.is_empty() {
            return Err(self.damaged("the items of a block do not match its header"));
        }
        self.items += 1;
        if self.items > self.entry.items {
            return Err(self.damaged("there are more items than in the manifest"));
        }
        self.digest.add(&item);
        Ok(Some(item))
    }

    fn end(&self) -> Result<Option<Bytes>> {
        if self.block_items == 0 && self.digest.text() == self.entry.digest {
            Ok(None)
        } else {
            Err(self.damaged("the items do not match the manifest"))
        }
    }

    fn damaged(&self, why: &str) -> Error {
        let file = self.file.as_ref().map_or(self.entry.file, |(number, _)| *number);
        let path = self.directory.join(file_name(file));
        Error::Damaged(format!("{}: {why} (table {})", path.display(), self.entry.name))
    }

    fn open(&mut self, number: u32, offset: u64) -> Result<()> {
        let path = self.directory.join(file_name(number));
        let mut file = File::open(&path).map_err(|error| Error::io(&path, "read", &error))?;
        let mut head = [0; HEAD_BYTES];
        let read = file.read_exact(&mut head).and_then(|()| file.seek(SeekFrom::Start(offset)));
        read.map_err(|error| Error::io(&path, "read", &error))?;
        let is_right = head[..8] == *MAGIC
            && head[8..12] == FORMAT.to_le_bytes()
            && head[12..] == number.to_le_bytes();
        self.file = Some((number, file));
        self.offset = offset;
        if is_right { Ok(()) } else { Err(self.damaged("the header of a file of rows is missing")) }
    }

    fn read_block(&mut self) -> Result<()> {
        if self.file.is_none() {
            self.open(self.entry.file, self.entry.offset)?;
        }
        let at_end = |rows: &Self| {
            let number = rows.file.as_ref().map_or(0, |(number, _)| *number);
            let file = rows.manifest.files.get(number as usize);
            file.is_none_or(|file| rows.offset >= file.bytes).then_some(number)
        };
        if let Some(number) = at_end(self) {
            if number as usize + 1 >= self.manifest.files.len() {
                return Err(self.damaged("items are missing at the end"));
            }
            self.open(number + 1, HEAD_BYTES as u64)?;
        }
        let mut head = [0; BLOCK_HEAD_BYTES];
        self.read(&mut head)?;
        let number =
            |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        let (table, items) = (number(0), number(4));
        let (bytes, payload_bytes) = (number(8) as usize, number(12) as usize);
        if bytes > BLOCK_BYTES_MAX || payload_bytes > bytes || table != self.table || items == 0 {
            return Err(self.damaged("a block is malformed"));
        }
        let mut payload = vec![0; payload_bytes];
        self.read(&mut payload)?;
        let file = self.file.as_ref().map_or(0, |(number, _)| *number);
        let sum = checksum(&self.manifest.id, file, self.offset, &head[..16], &payload);
        if head[16..] != sum.to_le_bytes() {
            return Err(self.damaged("a block does not match its checksum"));
        }
        self.offset += (BLOCK_HEAD_BYTES + payload_bytes) as u64;
        let block = if payload_bytes == bytes {
            payload
        } else {
            let mut block = vec![0; bytes];
            match lz4_flex::block::decompress_into(&payload, &mut block) {
                Ok(written) if written == bytes => block,
                _ => return Err(self.damaged("a block can't be decompressed")),
            }
        };
        (self.block, self.block_items) = (block.into(), items);
        Ok(())
    }

    fn read(&mut self, into: &mut [u8]) -> Result<()> {
        let read = match &mut self.file {
            Some((_, file)) => file.read_exact(into),
            None => Ok(()),
        };
        read.map_err(|error| self.damaged(&format!("a block can't be read: {error}")))
    }
}
