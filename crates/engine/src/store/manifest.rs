//! The store's other files, verified before the store opens them: lsm-tree trusts the bytes of its
//! manifests, treats a missing one as an empty database, and panics on some damaged ones.
//!
//! A tree is a directory with `current`: `version (8) · XXH3-128 of the manifest (16) · 0`; with the
//! manifest `v<version>`; and with one file for each table in `tables`. Manifests and tables are archives:
//! sections, then their list `TOC! · count (4) · (position (8) · length (8) · name length (2) · name)`, then
//! `SFA! · 1 · 0 · XXH3-128 of the list (16) · position of the list (8) · length of the list (8)`. The
//! section `tables` of a manifest has the number of levels (1), for each the number of runs (1), for each
//! the number of tables (4), for each `number (8) · 0 · XXH3-128 of the file (16) · sequence number (8)`. All
//! integers are little-endian.

use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::{Xxh3Default, xxh3_128};

use super::failure::{damaged, io_failure};
use crate::error::Error;
use crate::layout::Malformed;
use crate::layout::varint::{take, take_byte};

const TRAILER_BYTES: usize = 38;
const CHUNK_BYTES: usize = 1 << 20;

/// The files of a tree.
pub(super) struct Files {
    pub(super) directory: PathBuf,
    /// Small files that are rewritten when the database changes.
    pub(super) small: Vec<PathBuf>,
    pub(super) tables: Vec<TableFile>,
}

/// A file that is written once.
pub(super) struct TableFile {
    pub(super) path: PathBuf,
    checksum: u128,
}

impl Files {
    /// Lists the files that the manifest of a tree names, after verifying that each exists, that
    /// the manifest is unchanged and that every table has an intact list of sections.
    pub(super) fn verify(directory: &Path) -> Result<Self, Error> {
        let current = directory.join("current");
        let bytes = read(&current)?;
        only(directory, |name, path| match name.strip_prefix('v') {
            Some(version) => path.is_file() && version.parse::<u64>().is_ok(),
            None => match name {
                "tables" => path.is_dir(),
                _ => path.is_file() && (name == "current" || is_left_behind(name)),
            },
        })?;
        let (number, checksum) = parse_current(&bytes).map_err(|_| damaged(&current, "damaged"))?;
        let manifest = directory.join(format!("v{number}"));
        let bytes = read(&manifest)?;
        if xxh3_128(&bytes) != checksum {
            return Err(damaged(&manifest, "damaged, or `current` next to it is"));
        }
        let entries = parse_tables(&bytes).map_err(|_| damaged(&manifest, "damaged"))?;
        let folder = directory.join("tables");
        // Without tables the folder is empty, and copies of directories may leave it out.
        if folder.exists() {
            only(&folder, |name, path| {
                path.is_file() && (is_left_behind(name) || name.parse::<u64>().is_ok())
            })?;
        }
        let mut tables = Vec::with_capacity(entries.len());
        for (number, checksum) in entries {
            let path = folder.join(number.to_string());
            match has_whole_list(&path) {
                Ok(true) => tables.push(TableFile { path, checksum }),
                Ok(false) => return Err(damaged(&path, "damaged")),
                Err(error) => return Err(io_failure(&path, "read", &error)),
            }
        }
        Ok(Self { directory: directory.to_owned(), small: vec![current, manifest], tables })
    }

    /// Reads every table file, and lists those with changed bytes.
    pub(super) fn damaged_tables(&self) -> Result<Vec<&Path>, Error> {
        let mut damaged = Vec::new();
        for table in &self.tables {
            if !table.is_whole()? {
                damaged.push(table.path.as_path());
            }
        }
        Ok(damaged)
    }
}

impl TableFile {
    /// Compares the whole file with the checksum in the manifest.
    fn is_whole(&self) -> Result<bool, Error> {
        let hash = || {
            let mut file = File::open(&self.path)?;
            let mut hasher = Xxh3Default::new();
            let mut chunk = vec![0; CHUNK_BYTES];
            loop {
                match file.read(&mut chunk)? {
                    0 => return Ok(hasher.digest128()),
                    length => hasher.update(&chunk[..length]),
                }
            }
        };
        let hash = hash().map_err(|error| io_failure(&self.path, "read", &error))?;
        Ok(hash == self.checksum)
    }
}

fn read(path: &Path) -> Result<Vec<u8>, Error> {
    fs::read(path).map_err(|error| io_failure(path, "read", &error))
}

/// Returns whether a file comes from a desktop, or from a process that died while it replaced a
/// file.
fn is_left_behind(name: &str) -> bool {
    name == ".DS_Store" || name.starts_with("._") || name.starts_with(".tmp")
}

/// Refuses a directory with unknown entries: the store panics on some of them.
fn only(directory: &Path, is_known: impl Fn(&str, &Path) -> bool) -> Result<(), Error> {
    let unreadable = |error| io_failure(directory, "read", &error);
    for entry in fs::read_dir(directory).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let path = entry.path();
        if !entry.file_name().to_str().is_some_and(|name| is_known(name, &path)) {
            return Err(Error::Open(format!(
                "{} does not belong to the database; move it to another directory",
                path.display()
            )));
        }
    }
    Ok(())
}

fn parse_current(mut bytes: &[u8]) -> Result<(u64, u128), Malformed> {
    let number = take_u64(&mut bytes)?;
    let checksum = take_u128(&mut bytes)?;
    match bytes {
        [0] => Ok((number, checksum)),
        _ => Err(Malformed("unknown kind of checksum")),
    }
}

/// Returns the numbers and checksums of the tables that a manifest names.
fn parse_tables(manifest: &[u8]) -> Result<Vec<(u64, u128)>, Malformed> {
    let mut section = section(manifest, b"tables")?;
    let mut tables = Vec::new();
    for _ in 0..take_byte(&mut section)? {
        for _ in 0..take_byte(&mut section)? {
            for _ in 0..take_u32(&mut section)? {
                let number = take_u64(&mut section)?;
                take_byte(&mut section)?;
                tables.push((number, take_u128(&mut section)?));
                take_u64(&mut section)?;
            }
        }
    }
    Ok(tables)
}

/// Returns a section of an archive that was verified.
fn section<'a>(archive: &'a [u8], name: &[u8]) -> Result<&'a [u8], Malformed> {
    const BAD: Malformed = Malformed("the list of sections is damaged");
    let (list_at, list_end) = {
        let at = archive.len().checked_sub(TRAILER_BYTES).ok_or(BAD)?;
        let trailer = Trailer::parse(&archive[at..])?;
        (usize::try_from(trailer.list_at).map_err(|_| BAD)?, at)
    };
    let mut list = archive.get(list_at..list_end).ok_or(BAD)?;
    take(&mut list, 4)?;
    for _ in 0..take_u32(&mut list)? {
        let position = usize::try_from(take_u64(&mut list)?).map_err(|_| BAD)?;
        let length = usize::try_from(take_u64(&mut list)?).map_err(|_| BAD)?;
        let name_length = u16::from_le_bytes(take_array(&mut list)?);
        if take(&mut list, name_length.into())? == name {
            return archive.get(position..position.saturating_add(length)).ok_or(BAD);
        }
    }
    Err(BAD)
}

/// Returns whether the list of sections at the end of a table file is intact. The blocks in the
/// list have checksums of their own, which the store verifies.
fn has_whole_list(path: &Path) -> io::Result<bool> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    let Some(list_end) = length.checked_sub(TRAILER_BYTES as u64) else {
        return Ok(false);
    };
    let mut trailer = [0; TRAILER_BYTES];
    file.seek(SeekFrom::Start(list_end))?;
    file.read_exact(&mut trailer)?;
    let Ok(trailer) = Trailer::parse(&trailer) else {
        return Ok(false);
    };
    if trailer.list_at.checked_add(trailer.list_bytes) != Some(list_end) {
        return Ok(false);
    }
    file.seek(SeekFrom::Start(trailer.list_at))?;
    let mut list = Vec::new();
    file.take(trailer.list_bytes).read_to_end(&mut list)?;
    Ok(xxh3_128(&list) == trailer.checksum)
}

/// The end of an archive.
struct Trailer {
    checksum: u128,
    list_at: u64,
    list_bytes: u64,
}

impl Trailer {
    fn parse(mut bytes: &[u8]) -> Result<Self, Malformed> {
        if take(&mut bytes, 6)? != b"SFA!\x01\x00" {
            return Err(Malformed("no end of an archive"));
        }
        let checksum = take_u128(&mut bytes)?;
        Ok(Self { checksum, list_at: take_u64(&mut bytes)?, list_bytes: take_u64(&mut bytes)? })
    }
}

fn take_array<const N: usize>(input: &mut &[u8]) -> Result<[u8; N], Malformed> {
    let (array, rest) = input.split_first_chunk().ok_or(Malformed("bytes end early"))?;
    *input = rest;
    Ok(*array)
}

fn take_u32(input: &mut &[u8]) -> Result<u32, Malformed> {
    take_array(input).map(u32::from_le_bytes)
}

fn take_u64(input: &mut &[u8]) -> Result<u64, Malformed> {
    take_array(input).map(u64::from_le_bytes)
}

fn take_u128(input: &mut &[u8]) -> Result<u128, Malformed> {
    take_array(input).map(u128::from_le_bytes)
}
