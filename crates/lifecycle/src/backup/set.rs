//! A backup as a set of files: written under a temporary name, verified, and read.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use monotable_engine::DatabaseSnapshot;
use xxhash_rust::xxh3::Xxh3;

use super::BackupKind;
use super::manifest::{Attachment, Manifest, NAME, TableEntry};
use super::rows::{Digest, RowsWriter, TableRows};
use super::store::CREATING;
use crate::disk;
use crate::error::{Error, Result};
use crate::jobs::Control;
use crate::lifecycle::Attached;

/// The folder of the attachments in a set.
const ATTACHMENTS: &str = "attached";

/// The content of a new set.
pub(super) struct Order<'a> {
    pub(super) id: &'a str,
    pub(super) name: &'a str,
    pub(super) kind: BackupKind,
    pub(super) expires_ms: Option<u64>,
    /// The tables; `None` for all.
    pub(super) tables: Option<&'a [String]>,
    /// Directories whose files are copied unchanged.
    pub(super) attached: &'a [Attached],
}

/// Returns the directory of an unfinished set.
pub(super) fn unfinished_directory(root: &Path, id: &str) -> PathBuf {
    root.join(format!("{CREATING}{id}"))
}

/// Writes a set of the database as `snapshot` returns it, and gives it its final name when it is
/// complete.
pub(super) fn write(
    root: &Path,
    order: &Order<'_>,
    snapshot: impl FnOnce() -> DatabaseSnapshot,
    control: &Control,
) -> Result<Manifest> {
    let directory = unfinished_directory(root, order.id);
    disk::remove_directory(&directory)?;
    disk::create_directory(&directory)?;
    // A file is created before the rows that name it and deleted after them. So all files that
    // the rows of the snapshot name are copied either before the snapshot or, if they are new,
    // after it.
    let mut attachments = Attachments::new(directory.join(ATTACHMENTS));
    attachments.copy_new(order.attached, control)?;
    let snapshot = snapshot();
    let mut manifest = Manifest {
        id: order.id.to_owned(),
        name: order.name.to_owned(),
        kind: order.kind,
        created_ms: snapshot.moment_ms(),
        expires_ms: order.expires_ms,
        tables: Vec::new(),
        files: Vec::new(),
        attachments: Vec::new(),
    };
    let mut rows = RowsWriter::new(directory.clone(), order.id);
    for table in snapshot.tables() {
        if order.tables.is_some_and(|names| !names.iter().any(|name| name == table.name())) {
            continue;
        }
        let (file, offset) = rows.begin(manifest.tables.len() as u32)?;
        let definition = table.definition();
        let description = definition.description();
        let (mut items, mut size_bytes, mut digest) = (0, 0, Digest::default());
        for row in table.rows(None) {
            let row = row?;
            control.check()?;
            rows.add(row.stored())?;
            digest.add(row.stored());
            items += 1;
            size_bytes += row.size_bytes() as u64;
            control.count(1, row.size_bytes() as u64);
        }
        manifest.tables.push(TableEntry {
            name: description.table_name,
            arn: description.table_arn,
            table_id: description.table_id,
            definition: hex::encode(definition.to_bytes()),
            items,
            size_bytes,
            digest: digest.text(),
            file,
            offset,
        });
    }
    manifest.files = rows.finish()?;
    attachments.copy_new(order.attached, control)?;
    manifest.attachments = attachments.copied;
    manifest.write(&directory)?;
    let finished = root.join(order.id);
    disk::rename(&directory, &finished)?;
    Ok(manifest)
}

/// Files that are copied into a set.
struct Attachments {
    to: PathBuf,
    copied: Vec<Attachment>,
    known: BTreeSet<String>,
}

impl Attachments {
    fn new(to: PathBuf) -> Self {
        Self { to, copied: Vec::new(), known: BTreeSet::new() }
    }

    /// Copies the files that were not copied yet, without those that are deleted at the same time.
    fn copy_new(&mut self, attached: &[Attached], control: &Control) -> Result<()> {
        for Attached { name, directory } in attached {
            for file in disk::files(directory)? {
                control.check()?;
                let path = format!("{name}/{file}");
                if !self.known.insert(path.clone()) {
                    continue;
                }
                let target = self.to.join(&path);
                if disk::copy_file(&directory.join(&file), &target)? {
                    let (bytes, xxh3) = hash_file(&target, control)?;
                    control.count(0, bytes);
                    self.copied.push(Attachment { path, bytes, xxh3 });
                }
            }
        }
        self.copied.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(())
    }
}

pub(super) fn hash_file(path: &Path, control: &Control) -> Result<(u64, String)> {
    let mut file = File::open(path).map_err(|error| Error::io(path, "read", &error))?;
    let mut buffer = vec![0; 256 << 10];
    let (mut bytes, mut hash) = (0, Xxh3::new());
    loop {
        control.check()?;
        match file.read(&mut buffer).map_err(|error| Error::io(path, "read", &error))? {
            0 => return Ok((bytes, format!("{:032x}", hash.digest128()))),
            count => {
                hash.update(&buffer[..count]);
                bytes += count as u64;
            }
        }
    }
}

/// A complete set.
#[derive(Clone)]
pub(crate) struct Set {
    pub(crate) directory: PathBuf,
    pub(crate) manifest: Manifest,
}

impl Set {
    /// Returns whether a directory contains a complete set.
    pub(super) fn is_in(directory: &Path) -> bool {
        directory.join(NAME).is_file()
    }

    /// Opens the set in a directory.
    pub(crate) fn open(directory: &Path) -> Result<Self> {
        if !Self::is_in(directory) {
            return Err(Error::Io(format!(
                "{} is not a backup: it has no file {NAME}",
                directory.display()
            )));
        }
        let manifest = Manifest::read(directory)?;
        Ok(Self { directory: directory.to_owned(), manifest })
    }

    /// Returns the rows of the table at this position.
    pub(crate) fn rows(&self, table: usize) -> TableRows<'_> {
        TableRows::new(&self.directory, &self.manifest, table)
    }

    /// Reads everything and compares it with the manifest.
    pub(crate) fn verify(&self, control: &Control) -> Result<()> {
        for file in &self.manifest.files {
            self.compare(
                &file.name,
                &self.directory.join(&file.name),
                file.bytes,
                &file.xxh3,
                control,
            )?;
        }
        for file in &self.manifest.attachments {
            let path = self.attachment(&file.path);
            self.compare(&file.path, &path, file.bytes, &file.xxh3, control)?;
        }
        for table in 0..self.manifest.tables.len() {
            let mut rows = self.rows(table);
            while let Some(item) = rows.next()? {
                control.check()?;
                control.count(1, item.len() as u64);
            }
        }
        Ok(())
    }

    fn compare(
        &self,
        name: &str,
        path: &Path,
        bytes: u64,
        xxh3: &str,
        control: &Control,
    ) -> Result<()> {
        if hash_file(path, control)? == (bytes, xxh3.to_owned()) {
            Ok(())
        } else {
            Err(Error::Damaged(format!(
                "{name} of {} does not match its length or checksum in the manifest",
                self.directory.display()
            )))
        }
    }

    /// Returns the path of an attachment.
    pub(crate) fn attachment(&self, path: &str) -> PathBuf {
        self.directory.join(ATTACHMENTS).join(path)
    }
}
