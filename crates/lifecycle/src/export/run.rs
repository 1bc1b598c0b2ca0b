//! Writes an export: a table as a snapshot shows it or as it was at an earlier time, or the changes
//! of a period.

use std::path::Path;
use std::sync::atomic::Ordering;

use monotable_engine::{DatabaseSnapshot, Item, ItemFilter, ReadItem, TableRow};

use super::files::{DataFile, DataFiles};
use super::job::{ExportJob, ExportStatus};
use super::line::{ChangeRecord, Lines};
use super::{ExportView, Incremental, manifest};
use crate::bucket::path_of_key;
use crate::disk;
use crate::error::{Error, Result, table_not_found};
use crate::id::file_stem;
use crate::jobs::Control;
use crate::lifecycle::Shared;
use crate::past::{ChangedItem, PastTable};
use crate::record::{self, Record};

/// The source of the items of an export.
enum Source {
    /// A snapshot of the database.
    Snapshot(DatabaseSnapshot),
    /// A backup and the log.
    Past(Box<PastTable>),
}

impl Shared {
    /// Writes the export of a record.
    pub(crate) fn run_export(
        &self,
        id: &str,
        snapshot: Option<DatabaseSnapshot>,
        control: &Control,
    ) -> Result<()> {
        let filter = self.filters().remove(&record::key::<ExportJob>(id));
        let Some(mut job) = record::find::<ExportJob>(&self.database, id)? else { return Ok(()) };
        if !job.is_in_progress() {
            return Ok(());
        }
        let result = self
            .source(&job, snapshot, filter.as_ref())
            .and_then(|source| self.export(&mut job, &source, filter.as_ref(), control));
        match &result {
            Ok(manifest) => {
                job.status = ExportStatus::Completed;
                job.manifest = Some(manifest.clone());
            }
            Err(Error::Interrupted) if job.is_of_past() && filter.is_none() => {
                return result.map(drop);
            }
            // The snapshot and the filter end with the process, so the export can't be written
            // again.
            Err(error) => {
                job.status = ExportStatus::Failed;
                job.failure_code = Some("InternalServerError".to_owned());
                job.failure_message = Some(error.to_string());
            }
        }
        job.end_ms = Some(self.database.now_ms());
        job.save(&self.database)?;
        result.map(drop)
    }

    fn source(
        &self,
        job: &ExportJob,
        snapshot: Option<DatabaseSnapshot>,
        filter: Option<&ItemFilter>,
    ) -> Result<Source> {
        let gone = |why: &str| Err(Error::Io(why.to_owned()));
        match snapshot {
            Some(snapshot) if !job.is_of_past() => Ok(Source::Snapshot(snapshot)),
            None if job.is_of_past() && job.filter.is_some() == filter.is_some() => {
                let table = self.database.snapshot().table(&job.table_arn);
                let definition = table.map(|table| table.definition());
                let definition =
                    definition.filter(|known| known.description().table_id == job.table_id);
                let definition = definition.ok_or_else(|| table_not_found(&job.table_arn))?;
                match self.past_table(definition, job.earliest_ms())? {
                    Some(past) => Ok(Source::Past(Box::new(past))),
                    None => gone("the backups or the log no longer reach back to the time"),
                }
            }
            _ => gone("the server stopped before the export was whole; start it again"),
        }
    }

    fn export(
        &self,
        job: &mut ExportJob,
        source: &Source,
        filter: Option<&ItemFilter>,
        control: &Control,
    ) -> Result<String> {
        let bucket = self.buckets.find(&job.bucket)?;
        let folder = path_of_key(&bucket, &job.folder())?;
        disk::create_directory(&folder)?;
        disk::write_file(&folder.join("_started"), b"")?;
        let files = self.export_items(job, &bucket, source, filter, control)?;
        job.items = files.iter().map(|file| file.items).sum();
        job.billed_bytes = control.bytes.load(Ordering::Relaxed);
        manifest::write(&bucket, job, &files, self.database.now_ms())
    }

    fn export_items(
        &self,
        job: &ExportJob,
        bucket: &Path,
        source: &Source,
        filter: Option<&ItemFilter>,
        control: &Control,
    ) -> Result<Vec<DataFile>> {
        let (folder, extension) = (job.data_folder(), job.format.extension());
        let mut files = DataFiles::new(bucket, |number| {
            format!("{folder}/{}.{extension}", file_stem(&job.id, number))
        });
        let mut lines = Lines::new(job.format, &*self.options.codec);
        let passed = |item: ReadItem| match filter {
            None => Some(item),
            Some(filter) => filter.apply(item),
        };
        let mut item = |row: TableRow| {
            control.check()?;
            control.count(1, row.size_bytes() as u64);
            passed(row.item()).map_or(Ok(()), |item| files.line(lines.item(&item)))
        };
        match (source, &job.incremental) {
            (Source::Snapshot(snapshot), _) => {
                let table = snapshot.table(&job.table_name);
                let table = table.ok_or_else(|| table_not_found(&job.table_name))?;
                table.rows(None).try_for_each(|row| item(row?))?;
            }
            (Source::Past(past), None) => past.items(job.export_ms, control, &mut item)?,
            (Source::Past(past), Some(Incremental { from_ms, to_ms, view })) => {
                let keys = key_names(past);
                past.changed_items(*from_ms, *to_ms, control, &mut |changed| {
                    control.check()?;
                    let rows = [&changed.old, &changed.new].into_iter().flatten();
                    control.count(1, rows.map(|row| row.size_bytes() as u64).sum());
                    let change = change_record(&changed, &keys, *view, &passed);
                    change.map_or(Ok(()), |change| files.line(lines.change(change)))
                })?;
            }
        }
        files.finish()
    }
}

/// Returns the names of the key attributes.
fn key_names(table: &PastTable) -> Vec<String> {
    let keys = table.definition().description().key_schema;
    keys.into_iter().map(|key| key.attribute_name).collect()
}

/// Returns the part of a change that an incremental export contains: nothing if neither the old nor
/// the new item passes the filter. An item that starts to pass it is exported as new, and one that
/// no longer passes as removed.
fn change_record(
    changed: &ChangedItem,
    key_names: &[String],
    view: ExportView,
    passed: &dyn Fn(ReadItem) -> Option<ReadItem>,
) -> Option<ChangeRecord> {
    let [old, new] =
        [&changed.old, &changed.new].map(|row| row.as_ref().and_then(|row| passed(row.item())));
    let known = changed.new.as_ref().or(changed.old.as_ref())?.item();
    let key = |name: &String| Some((name.clone(), known.get(name)?));
    let keys: Item = key_names.iter().filter_map(key).collect();
    (old.is_some() || new.is_some()).then_some(ChangeRecord {
        time_ms: changed.time_ms,
        keys,
        old: old.filter(|_| view == ExportView::NewAndOldImages),
        new,
    })
}
