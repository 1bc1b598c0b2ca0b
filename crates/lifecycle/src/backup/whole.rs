//! Backups of all tables as directories: opened, verified, and restored into a new database that is whole or not there.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use monotable_engine::{
    BeginLoad, CreateTable, Database, DescribeTable, DescribeTimeToLive, EndLoad,
    Error as EngineError, InsightsMode, Options, RecordChange, RestoreSource, StreamUpdate,
    TableDefinition, TableDescription, TableSnapshot, UpdateContributorInsights, UpdateTable,
    UpdateTimeToLive, WarmThroughput,
};

use super::list::BackupSetSummary;
use super::manifest::{Attachment, Manifest};
use super::restore::{Filling, RestoreOverrides, restored_table};
use super::rows::{Digest, TableRows};
use super::set::{Set, hash_file};
use super::store::Store;
use super::{BackupKind, parse_definition};
use crate::disk;
use crate::error::{Error, Refusal, Result};
use crate::id::{Kind, arn};
use crate::jobs::Control;

/// The name of the job that fills the tables.
pub(super) const JOB: &str = "restore of a backup";

/// A backup in a directory.
pub struct BackupSet(Set);

impl BackupSet {
    /// Opens the backup in a directory, or the newest one of several in it that has all tables and is not later than
    /// `until_ms`.
    ///
    /// # Errors
    /// There is none, or its manifest is damaged.
    pub fn open(directory: &Path, until_ms: Option<u64>) -> Result<Self> {
        let is_in_time = |manifest: &Manifest| until_ms.is_none_or(|ms| manifest.created_ms <= ms);
        if Set::is_in(directory) {
            let set = Set::open(directory)?;
            return if is_in_time(&set.manifest) {
                Ok(Self(set))
            } else {
                Err(Error::Io(format!("the backup in {} is of a later time", directory.display())))
            };
        }
        let store = Store::new(directory.to_owned());
        let is_of_all = |manifest: &Manifest| manifest.kind == BackupKind::Scheduled;
        let mut sets = store.list()?.into_iter().rev();
        let found = sets.find(|manifest| is_of_all(manifest) && is_in_time(manifest));
        match found {
            Some(manifest) => Ok(Self(store.open(&manifest.id)?)),
            None if until_ms.is_some() => {
                Err(Error::Io(format!("{} has no backup of that time", directory.display())))
            }
            None => Err(Error::Io(format!("there is no backup in {}", directory.display()))),
        }
    }

    /// Returns whether a directory is a backup.
    pub fn is_in(directory: &Path) -> bool {
        Set::is_in(directory)
    }

    /// Describes the backup.
    pub fn summary(&self) -> BackupSetSummary {
        BackupSetSummary::of(&self.0.directory, &self.0.manifest)
    }

    /// Reads every byte of the backup and compares it with the checksums.
    ///
    /// # Errors
    /// [`Error::Damaged`] with the file that differs, or [`Error::Interrupted`].
    pub fn verify(&self, control: &Control) -> Result<()> {
        self.0.verify(control)
    }

    /// Restores tables and files into a new directory, or only some tables. The directory appears when everything is in it
    /// and was compared with the backup. A restore that was cut off is resumed by the next one of the same backup into
    /// the same directory.
    ///
    /// # Errors
    /// The directory has files, a table is not in the backup, the backup is damaged, or [`Error::Interrupted`].
    pub fn restore(
        &self,
        into: &Path,
        tables: Option<&[String]>,
        options: Options,
        control: &Control,
    ) -> Result<()> {
        refuse_files(into)?;
        let chosen = self.chosen(tables)?;
        let subset = tables.map(|tables| {
            let mut digest = Digest::default();
            tables.iter().for_each(|name| digest.add(name.as_bytes()));
            format!("-{}", &digest.text()[..8])
        });
        let work = self.work_directory(into, &subset.unwrap_or_default())?;
        if let Some(parent) = work.parent() {
            disk::create_directory(parent)?;
        }
        let database = Database::open(&work, options)?;
        for at in &chosen {
            self.restore_table(&database, *at, control)?;
        }
        if tables.is_none() {
            self.restore_files(&work, control)?;
        }
        self.compare(&database, &chosen, control)?;
        drop(database);
        disk::rename(&work, into)
    }

    /// The positions of the tables to restore.
    fn chosen(&self, tables: Option<&[String]>) -> Result<Vec<usize>> {
        let manifest = &self.0.manifest;
        let Some(names) = tables else { return Ok((0..manifest.tables.len()).collect()) };
        let position = |name: &String| {
            manifest.position(name).ok_or_else(|| {
                Refusal::TableNotFound.with(format!("the backup has no table {name}"))
            })
        };
        names.iter().map(position).collect()
    }

    pub(super) fn set(&self) -> &Set {
        &self.0
    }

    pub(super) fn manifest(&self) -> &Manifest {
        &self.0.manifest
    }

    /// The rows of the table at this position.
    pub(super) fn rows(&self, table: usize) -> TableRows<'_> {
        self.0.rows(table)
    }

    /// Where the database is until it is whole: beside its place, under a name for this backup and what is restored of it.
    pub(super) fn work_directory(&self, into: &Path, what: &str) -> Result<PathBuf> {
        let into = std::path::absolute(into).map_err(|error| Error::io(into, "found", &error))?;
        let Some(name) = into.file_name() else {
            return Err(Error::Io(format!("{} can't be a database", into.display())));
        };
        let mut work = OsString::from(".");
        work.push(name);
        work.push(format!(".restoring-{}{what}", self.0.manifest.id));
        Ok(into.with_file_name(work))
    }

    /// Restores the files that are no tables.
    pub(super) fn restore_files(&self, into: &Path, control: &Control) -> Result<()> {
        let mut files = self.0.manifest.attachments.iter();
        files.try_for_each(|file| self.restore_file(into, file, control))
    }

    fn restore_table(&self, database: &Database, at: usize, control: &Control) -> Result<()> {
        let entry = &self.0.manifest.tables[at];
        let definition = parse_definition(&entry.definition, &entry.arn)?;
        let found = match database.describe_table(DescribeTable::new(entry.name.as_str())) {
            Ok(output) => Some(output.table),
            Err(EngineError::ResourceNotFound(_)) => None,
            Err(error) => return Err(error.into()),
        };
        let is_whole =
            |table: &TableDescription| table.load.as_ref().is_some_and(|load| !load.in_progress);
        if !found.as_ref().is_some_and(is_whole) {
            if found.is_none() {
                database.begin_load(begin_load(&definition, &self.0.manifest)?)?;
            }
            let mut filling = Filling::new(database.loader(&entry.name, JOB)?);
            let mut rows = self.0.rows(at);
            while let Some(stored) = rows.next()? {
                control.check()?;
                control.count(1, stored.len() as u64);
                filling.put_stored(stored)?;
            }
            filling.finish()?;
            database.end_load(EndLoad {
                table_name: entry.name.clone(),
                job: JOB.to_owned(),
                is_whole: true,
                record: no_record(),
            })?;
        }
        apply_settings(database, &definition)
    }

    fn restore_file(&self, into: &Path, file: &Attachment, control: &Control) -> Result<()> {
        control.check()?;
        let target = into.join(&file.path);
        let expected = (file.bytes, file.xxh3.clone());
        if target.is_file() && hash_file(&target, control)? == expected {
            return Ok(());
        }
        let source = self.0.attachment(&file.path);
        let is_right =
            disk::copy_file(&source, &target)? && hash_file(&target, control)? == expected;
        control.count(0, file.bytes);
        if is_right {
            Ok(())
        } else {
            Err(Error::Damaged(format!("{} is not the file of the manifest", source.display())))
        }
    }

    /// Compares the restored tables with the backup, and their indexes with their items.
    fn compare(&self, database: &Database, chosen: &[usize], control: &Control) -> Result<()> {
        let snapshot = database.snapshot();
        for entry in chosen.iter().map(|at| &self.0.manifest.tables[*at]) {
            let table = snapshot.table(&entry.name);
            let digest = table.map(|table| digest_of(&table, control)).transpose()?;
            if digest != Some((entry.items, entry.digest.clone())) {
                return Err(Error::Damaged(format!(
                    "the restored table {} differs from the backup",
                    entry.name
                )));
            }
        }
        check_whole(database)
    }
}

/// Refuses to restore into a directory that has files.
pub(super) fn refuse_files(into: &Path) -> Result<()> {
    let entries = std::fs::read_dir(into);
    if into.is_file() || entries.is_ok_and(|mut entries| entries.next().is_some()) {
        return Err(Error::Io(format!(
            "{} holds files already; give a new or empty directory",
            into.display()
        )));
    }
    Ok(())
}

/// How a table of a backup is created in a new database.
pub(super) fn begin_load(definition: &TableDefinition, manifest: &Manifest) -> Result<BeginLoad> {
    let description = definition.description();
    let warm = description.warm_throughput;
    let source = RestoreSource {
        backup_arn: Some(arn(&description.table_arn, Kind::Backup, &manifest.id)),
        table_arn: description.table_arn,
        restore_ms: manifest.created_ms,
    };
    let name = &description.table_name;
    let table = CreateTable {
        warm_throughput: Some(WarmThroughput {
            read_units_per_second: Some(warm.read_capacity_units),
            write_units_per_second: Some(warm.write_capacity_units),
        }),
        deletion_protection: description.deletion_protection,
        tags: description.tags,
        resource_policy: definition.policy().map(str::to_owned),
        recovery_days: description.recovery.map(|recovery| recovery.period_days),
        ..restored_table(definition, name, RestoreOverrides::default())?
    };
    Ok(BeginLoad { table, job: JOB.to_owned(), source: Some(source), record: no_record() })
}

/// Checks that everything in a restored database agrees with its items.
pub(super) fn check_whole(database: &Database) -> Result<()> {
    match database.check()?.problems.first() {
        None => Ok(()),
        Some(problem) => {
            Err(Error::Damaged(format!("the restored database is not consistent: {problem}")))
        }
    }
}

/// Returns how many items a table has, and their digest.
fn digest_of(table: &TableSnapshot, control: &Control) -> Result<(u64, String)> {
    let (mut items, mut digest) = (0, Digest::default());
    for row in table.rows(None) {
        control.check()?;
        digest.add(row?.stored());
        items += 1;
    }
    Ok((items, digest.text()))
}

/// Gives a table the settings that it can't have while it is filled.
pub(super) fn apply_settings(database: &Database, definition: &TableDefinition) -> Result<()> {
    let wanted = definition.description();
    let name = wanted.table_name.as_str();
    let table = database.describe_table(DescribeTable::new(name))?.table;
    let stream = wanted.stream.filter(|stream| stream.enabled);
    if let (Some(stream), None) = (stream, &table.stream) {
        let update = StreamUpdate::Enable(stream.view_type);
        database.update_table(UpdateTable::new(name).stream(update))?;
    }
    let ttl = database.describe_time_to_live(DescribeTimeToLive::new(name))?;
    if let (Some(attribute), None) = (definition.ttl_attribute(), ttl.attribute_name) {
        database.update_time_to_live(UpdateTimeToLive::enable(name, attribute))?;
    }
    let insights = |index_name: Option<String>, mode: InsightsMode| UpdateContributorInsights {
        table_name: name.to_owned(),
        index_name,
        enabled: true,
        mode: Some(mode),
    };
    if let Some(enabled) = wanted.contributor_insights {
        database.update_contributor_insights(insights(None, enabled.mode))?;
    }
    for index in &wanted.global_secondary_indexes {
        if let Some(enabled) = index.contributor_insights {
            let index_name = Some(index.index_name.clone());
            database.update_contributor_insights(insights(index_name, enabled.mode))?;
        }
    }
    Ok(())
}

/// The job of a restore is the directory itself: the new database records nothing about it.
pub(super) fn no_record() -> RecordChange {
    RecordChange { key: JOB.to_owned(), value: None }
}
