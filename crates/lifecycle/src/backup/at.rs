//! Restores all tables as they were at a time: from the backup before it and the later commits.

use std::collections::BTreeMap;
use std::path::Path;

use monotable_engine::{
    Database, EndLoad, History, LogBeginning, LoggedChange, LoggedCommit, Options, ReadItem,
    TableDefinition,
};

use super::restore::Filling;
use super::whole::{
    BackupSet, JOB, apply_settings, begin_load, check_whole, no_record, refuse_files,
};
use super::{BackupKind, Manifest, parse_definition};
use crate::disk;
use crate::error::{Error, Refusal, Result};
use crate::jobs::Control;
use crate::past::{self, BackupRows};

/// Commits from a little before the backup are applied too, because its time is read after its
/// snapshot is taken. Applying a commit that the backup already contains changes nothing.
pub(crate) const MARGIN_MS: u64 = 60_000;

/// Returns the time from which on commits are applied to a backup of this time.
pub(super) fn replayed_from_ms(created_ms: u64) -> u64 {
    created_ms.saturating_sub(MARGIN_MS)
}

/// Returns whether a log with this beginning contains every commit since a backup. A backup with
/// tables from before the first commit belongs to another database.
pub(super) fn covers(beginning: LogBeginning, backup: &Manifest) -> bool {
    if beginning.is_of_database {
        backup.tables.is_empty() || beginning.time_ms <= backup.created_ms
    } else {
        beginning.time_ms <= replayed_from_ms(backup.created_ms)
    }
}

/// A table as it was at the time.
struct PastTable {
    definition: TableDefinition,
    /// Its position in the backup; `None` if it was created later.
    base: Option<usize>,
}

impl BackupSet {
    /// Restores all tables, or some, as they were at a time after the backup, in milliseconds since
    /// the epoch: with every commit up to that time and no later ones. `history` must be that of
    /// the same database. The directory appears when it is complete and checked.
    ///
    /// # Errors
    /// Fails if the directory contains files, the history does not reach back to the backup, a
    /// table did not exist, or something is damaged, or with [`Error::Interrupted`].
    pub fn restore_at(
        &self,
        history: &History,
        at_ms: u64,
        into: &Path,
        tables: Option<&[String]>,
        options: Options,
        control: &Control,
    ) -> Result<()> {
        refuse_files(into)?;
        let replay = self.replay(history, at_ms, &options)?;
        let past = self.tables_at(&replay, tables)?;
        let work = self.work_directory(into, &format!("-{at_ms}"))?;
        disk::remove_directory(&work)?;
        if let Some(parent) = work.parent() {
            disk::create_directory(parent)?;
        }
        let database = Database::open(&work, options.clone())?;
        self.fill(&database, &past, &replay, control)?;
        for table in past.values() {
            apply_settings(&database, &table.definition)?;
        }
        if tables.is_none() {
            self.restore_files(&work, control)?;
        }
        check_whole(&database)?;
        drop(database);
        disk::rename(&work, into)
    }

    /// Visits the items of a table as they were at a time after the backup, in milliseconds since
    /// the epoch, in no particular order. `history` must be that of the same database, which may be
    /// in use.
    ///
    /// # Errors
    /// Fails if the history does not reach back to the backup, the table did not exist, or
    /// something is damaged, with [`Error::Interrupted`], or with an error of `each`.
    pub fn items_at(
        &self,
        history: &History,
        table: &str,
        at_ms: u64,
        options: &Options,
        control: &Control,
        each: &mut dyn FnMut(ReadItem) -> Result<()>,
    ) -> Result<()> {
        let replay = self.replay(history, at_ms, options)?;
        for PastTable { definition, base } in
            self.tables_at(&replay, Some(&[table.to_owned()]))?.into_values()
        {
            let rows = base.map(|table| BackupRows { set: self.set().clone(), table });
            let past = past::PastTable::new(definition, rows, replay.from_ms, history.clone());
            past.items(at_ms, control, &mut |row| {
                control.count(1, row.size_bytes() as u64);
                each(row.item())
            })?;
        }
        Ok(())
    }

    /// Returns the commits between the backup and a time, which must be there.
    fn replay<'a>(
        &self,
        history: &'a History,
        at_ms: u64,
        options: &'a Options,
    ) -> Result<Replay<'a>> {
        let manifest = self.manifest();
        if manifest.kind != BackupKind::Scheduled || at_ms < manifest.created_ms {
            return Err(Error::Io(
                "a time is restored from a backup of all tables that was made before it".to_owned(),
            ));
        }
        let from_ms = replayed_from_ms(manifest.created_ms);
        let beginning = history.beginning()?;
        if !beginning.is_some_and(|beginning| covers(beginning, manifest)) {
            return Err(Error::Io(
                "the history does not reach back to the backup: commits since then are missing"
                    .to_owned(),
            ));
        }
        Ok(Replay { history, from_ms, at_ms, region: &options.region, account: &options.account })
    }

    /// Returns the tables that existed at the time, by their numbers.
    fn tables_at(
        &self,
        replay: &Replay<'_>,
        names: Option<&[String]>,
    ) -> Result<BTreeMap<u32, PastTable>> {
        let mut past = BTreeMap::new();
        for (at, entry) in self.manifest().tables.iter().enumerate() {
            let definition = parse_definition(&entry.definition, &entry.arn)?;
            past.insert(definition.number(), PastTable { definition, base: Some(at) });
        }
        replay.run(|commit| {
            for change in commit.changes {
                match change {
                    LoggedChange::Table(definition) => {
                        let number = definition.number();
                        let base = past.get(&number).and_then(|table: &PastTable| table.base);
                        past.insert(number, PastTable { definition: *definition, base });
                    }
                    LoggedChange::TableDeleted(number) => drop(past.remove(&number)),
                    LoggedChange::Item { .. } => {}
                }
            }
            Ok(())
        })?;
        past.retain(|_, table| !table.definition.is_loading());
        let is_partial = |table: &&PastTable| {
            table.base.is_none() && table.definition.description().creation_ms < replay.from_ms
        };
        if let Some(table) = past.values().find(is_partial) {
            return Err(Error::Io(format!(
                "the table {} was being filled when the backup was made; take an older or a newer one",
                table.definition.description().table_name
            )));
        }
        let Some(names) = names else { return Ok(past) };
        let name_of = |table: &PastTable| table.definition.description().table_name;
        for name in names {
            if !past.values().any(|table| name_of(table) == *name) {
                return Err(Refusal::TableNotFound.with(format!("there was no table {name}")));
            }
        }
        past.retain(|_, table| names.contains(&name_of(table)));
        Ok(past)
    }

    /// Fills the tables from the backup, and then applies the commits.
    fn fill(
        &self,
        database: &Database,
        past: &BTreeMap<u32, PastTable>,
        replay: &Replay<'_>,
        control: &Control,
    ) -> Result<()> {
        let mut fillings = BTreeMap::new();
        for (number, table) in past {
            let begin = begin_load(&table.definition, self.manifest())?;
            let name = begin.table.table_name.clone();
            database.begin_load(begin)?;
            let mut filling = Filling::new(database.loader(&name, JOB)?);
            if let Some(at) = table.base {
                let mut rows = self.rows(at);
                while let Some(stored) = rows.next()? {
                    control.check()?;
                    control.count(1, stored.len() as u64);
                    filling.put_stored(stored)?;
                }
            }
            fillings.insert(*number, (name, filling));
        }
        replay.run(|commit| {
            control.check()?;
            for change in commit.changes {
                let LoggedChange::Item { table, position, stored } = change else { continue };
                let Some((_, filling)) = fillings.get_mut(&table) else { continue };
                control.count(1, stored.as_ref().map_or(0, |stored| stored.len() as u64));
                filling.put_change(&position, stored)?;
            }
            Ok(())
        })?;
        for (table_name, filling) in fillings.into_values() {
            filling.finish()?;
            let (job, record) = (JOB.to_owned(), no_record());
            database.end_load(EndLoad { table_name, job, is_whole: true, record })?;
        }
        Ok(())
    }
}

/// The commits between the backup and the time.
struct Replay<'a> {
    history: &'a History,
    from_ms: u64,
    at_ms: u64,
    region: &'a str,
    account: &'a str,
}

impl Replay<'_> {
    fn run(&self, visit: impl FnMut(LoggedCommit) -> Result<()>) -> Result<()> {
        self.history.replay(self.from_ms..=self.at_ms, self.region, self.account, visit)
    }
}
