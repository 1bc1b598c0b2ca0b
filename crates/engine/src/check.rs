//! `check`: proves that indexes, counts, expiry order and streams agree with the items.
//!
//! It reads every row of one snapshot, so it also verifies every checksum, and it recomputes every
//! derived row from the items.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use crate::commit::{Chore, Committer, Shared, View};
use crate::damage::Damage;
use crate::error::{Error, Result};
use crate::layout::row_key::{
    AREA_PREFIX_BYTES, AreaId, BASE_AREA, RowRange, SYSTEM_TABLE, TableId, area_prefix,
};
use crate::open;
use crate::options::Options;
use crate::store::{Condition, DamagedFile, Order, Snapshot, Unfinished};
use crate::stored::StoredItem;
use crate::stream;
use crate::system;
use crate::table::{CountsByArea, Index, IndexState, Table, Ttl};

/// How many problems are described before a check only counts them.
const PROBLEMS_MAX: usize = 100;

/// The result of a check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CheckReport {
    /// Tables checked.
    pub tables: u64,
    /// Items read.
    pub items: u64,
    /// Index entries read.
    pub index_entries: u64,
    /// Change records read.
    pub stream_records: u64,
    /// How many problems there are.
    pub problem_count: u64,
    /// The first hundred of them.
    pub problems: Vec<String>,
}

impl CheckReport {
    /// Returns whether there are no problems.
    pub fn is_clean(&self) -> bool {
        self.problem_count == 0
    }

    fn problem(&mut self, text: String) {
        self.problem_count += 1;
        if self.problems.len() < PROBLEMS_MAX {
            self.problems.push(text);
        }
    }
}

/// The result of a check of a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DirectoryReport {
    /// What was read, and the problems.
    pub rows: CheckReport,
    /// Whether the database was closed cleanly.
    pub was_closed: bool,
    /// What the next opening will cut off.
    pub unfinished: Option<Unfinished>,
    /// The damaged files, if the check continues after damage.
    pub damage: Vec<Damage>,
}

/// What a check of a directory does when a table file is damaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CheckDepth {
    /// It ends with an error that names the file.
    UntilDamage,
    /// It continues: it names the keys in each damaged file, and checks the rows that can be read.
    BehindDamage,
}

/// Checks a copy of the database in a directory, which is not changed.
pub(crate) fn check_directory(path: &Path, depth: CheckDepth) -> Result<DirectoryReport> {
    let (shared, condition) = open::copy(path, Options::default(), depth)?;
    let view = shared.view();
    let mut check = Check::new(&view)?;
    if depth == CheckDepth::BehindDamage {
        shared.store.scrub(usize::MAX);
        check.damaged = shared.store.scrubbed().damaged;
    }
    let damage = check.damaged.iter().map(|damaged| Damage::new(damaged, &view.catalog)).collect();
    let rows = check.run()?;
    let Condition { was_closed, unfinished } = condition;
    Ok(DirectoryReport { rows, was_closed, unfinished, damage })
}

/// Checks the newest state. Writes continue meanwhile, except in memory, where a check is quick.
pub(crate) fn check(shared: &Arc<Shared>, committer: &Committer) -> Result<CheckReport> {
    if shared.store.is_durable() {
        return Check::new(&shared.view())?.run();
    }
    // The counts of a database in memory are live, so the committer has to wait.
    let shared = Arc::clone(shared);
    committer.run(move |_| Check::new(&shared.view())?.run())
}

struct Check<'a> {
    view: &'a View,
    chores: Vec<Chore>,
    /// Files whose rows may be unreadable.
    damaged: Vec<DamagedFile>,
    report: CheckReport,
}

impl<'a> Check<'a> {
    fn new(view: &'a View) -> Result<Self> {
        let chores = Chore::unfinished(&*view.snapshot)?;
        Ok(Self { view, chores, damaged: Vec::new(), report: CheckReport::default() })
    }

    fn run(mut self) -> Result<CheckReport> {
        let tables: Vec<Arc<Table>> = self.view.catalog.tables().cloned().collect();
        for table in &tables {
            self.report.tables += 1;
            self.table(table)?;
        }
        self.strays()?;
        Ok(self.report)
    }

    fn snapshot(&self) -> &'a dyn Snapshot {
        &*self.view.snapshot
    }

    /// Reads an area; a damaged row is a problem, not the end of the check.
    fn rows(
        &mut self,
        table: &Table,
        area: AreaId,
        mut visit: impl FnMut(&mut Self, &[u8], &[u8]) -> Result<()>,
    ) -> Result<()> {
        let mut range = RowRange::prefix(&area_prefix(table.id, area));
        let mut next = Some(range.clone());
        while let Some(rest) = next.take() {
            let mut position = None;
            for row in self.snapshot().range(&rest, Order::Ascending) {
                let is_read = row.is_ok();
                let outcome = match row {
                    Ok((key, value)) => {
                        position = (!self.damaged.is_empty()).then(|| key.to_vec());
                        visit(self, &key, &value)
                    }
                    Err(error) => Err(error.into()),
                };
                match outcome {
                    Ok(()) => {}
                    Err(Error::Corrupted(text)) => {
                        self.report.problem(format!("table {}: {text}", table.name));
                    }
                    Err(Error::Storage(text)) if !self.damaged.is_empty() => {
                        self.report.problem(format!("table {}: {text}", table.name));
                        if !is_read {
                            next = self.behind_damage(&mut range, position.as_deref());
                            break;
                        }
                    }
                    Err(error) => return Err(error),
                }
            }
        }
        Ok(())
    }

    /// Returns the position after the damaged file, from which rows of a range can be read again.
    fn behind_damage(&self, range: &mut RowRange, position: Option<&[u8]>) -> Option<RowRange> {
        if let Some(position) = position {
            *range = range.clone().after(position.to_vec());
        }
        let ends = self.damaged.iter().map(|damaged| &damaged.last_key);
        let end = ends.filter(|end| range.contains(end)).min()?;
        *range = range.clone().after(end.to_vec());
        Some(range.clone())
    }

    fn table(&mut self, table: &Table) -> Result<()> {
        let mut counted = CountsByArea::default();
        self.rows(table, BASE_AREA, |check, row_key, value| {
            check.item(table, row_key, value, &mut counted)
        })?;
        for index in &table.indexes {
            self.index(table, index, &mut counted)?;
        }
        if let Some(ttl) = &table.ttl {
            self.expiry(table, ttl)?;
        }
        for stream in &table.streams {
            self.rows(table, stream.area, |check, _, value| {
                check.report.stream_records += 1;
                stream::decode_record(value)?;
                Ok(())
            })?;
        }
        self.counts(table, &counted)
    }

    fn item(
        &mut self,
        table: &Table,
        row_key: &[u8],
        value: &[u8],
        counted: &mut CountsByArea,
    ) -> Result<()> {
        let stored = StoredItem::new(bytes::Bytes::copy_from_slice(value))?;
        let item = stored.decode()?;
        self.report.items += 1;
        counted.shift(BASE_AREA, None, Some(stored.size_bytes()));
        let name = || format!("table {}: item {:?}", table.name, table.keys.project(&item));
        if table.row_key(&item).as_deref() != Some(row_key) {
            self.report.problem(format!("{} is stored under another key", name()));
        }
        if monotable_types::item_size_bytes(&item) != stored.size_bytes() {
            self.report.problem(format!("{} has the wrong size", name()));
        }
        for index in table.indexes.iter().filter(|index| index.state == IndexState::Active) {
            if let Some(row) = table.index_row(index, &item, row_key)
                && self.snapshot().get(&row.key)?.is_none()
            {
                self.report.problem(format!("{} is missing from index {}", name(), index.name));
            }
        }
        if let Some(ttl) = table.ttl.as_ref().filter(|ttl| ttl.state == IndexState::Active)
            && let Some(key) = table.ttl_row(ttl, &item, row_key)
            && self.snapshot().get(&key)?.is_none()
        {
            self.report.problem(format!("{} is missing from the order of expiry", name()));
        }
        Ok(())
    }

    fn index(&mut self, table: &Table, index: &Index, counted: &mut CountsByArea) -> Result<()> {
        self.rows(table, index.area, |check, key, value| {
            check.report.index_entries += 1;
            let row_key = table.row_key_of_index_row(key, value)?;
            let stored = check.snapshot().get(&row_key)?.map(StoredItem::new).transpose()?;
            let item = stored.map(|stored| stored.decode()).transpose()?;
            let expected = item.as_ref().and_then(|item| table.index_row(index, item, &row_key));
            match (item, expected) {
                (Some(item), Some(row)) if row.key == key => {
                    let bytes = table.index_entry_bytes(index, &item);
                    counted.shift(index.area, None, Some(bytes));
                }
                (item, _) => {
                    let what =
                        if item.is_some() { "no longer has its key" } else { "is not there" };
                    check.report.problem(format!(
                        "table {}: index {} has an entry of item {:?}, which {what}",
                        table.name,
                        index.name,
                        table.key_of_row(&row_key)?
                    ));
                }
            }
            Ok(())
        })
    }

    fn expiry(&mut self, table: &Table, ttl: &Ttl) -> Result<()> {
        self.rows(table, ttl.area, |check, key, _| {
            let rest = key
                .get(AREA_PREFIX_BYTES + 8..)
                .ok_or_else(|| Error::Corrupted("expiry row is too short".to_owned()))?;
            let mut row_key = area_prefix(table.id, BASE_AREA).to_vec();
            row_key.extend_from_slice(rest);
            let stored = check.snapshot().get(&row_key)?.map(StoredItem::new).transpose()?;
            let expected = stored.and_then(|stored| table.ttl_row(ttl, &stored, &row_key));
            if expected.as_deref() != Some(key) {
                check.report.problem(format!(
                    "table {}: the order of expiry has a row that no item has",
                    table.name
                ));
            }
            Ok(())
        })
    }

    fn counts(&mut self, table: &Table, counted: &CountsByArea) -> Result<()> {
        // Rows that can't be read are not counted.
        if !self.damaged.is_empty() {
            return Ok(());
        }
        let kept = match self.snapshot().get(&system::counts_key(table.id))? {
            Some(row) => CountsByArea::decode(&row)?,
            None => table.counts.snapshot(),
        };
        let mut areas: BTreeMap<AreaId, &str> = BTreeMap::from([(BASE_AREA, "the table")]);
        areas.extend(table.indexes.iter().map(|index| (index.area, index.name.as_str())));
        for (area, name) in areas {
            let kept = kept.areas.get(&area).copied().unwrap_or_default();
            let counted = counted.areas.get(&area).copied().unwrap_or_default();
            if kept != counted {
                self.report.problem(format!(
                    "table {}: {name} should have {} items of {} bytes, but has {} of {}",
                    table.name, kept.items, kept.bytes, counted.items, counted.bytes
                ));
            }
        }
        Ok(())
    }

    /// Rows that belong to no table, no area and no chore.
    fn strays(&mut self) -> Result<()> {
        let first = RowRange::prefix(&[]).after(vec![0, 0, 0, 0, 0xff, 0xff]);
        let mut from = first;
        let snapshot = self.snapshot();
        loop {
            let Some(row) = snapshot.range(&from, Order::Ascending).next() else {
                return Ok(());
            };
            let key = match row {
                Ok((key, _)) => key,
                Err(_) if !self.damaged.is_empty() => return Ok(()),
                // Damage inside a known area was reported above; elsewhere nothing is known about
                // it.
                Err(error) => return Err(error.into()),
            };
            let Some((prefix, _)) = key.split_first_chunk::<AREA_PREFIX_BYTES>() else {
                self.report.problem("a row key is too short".to_owned());
                return Ok(());
            };
            let [a, b, c, d, e, f] = *prefix;
            let (table, area) = (u32::from_be_bytes([a, b, c, d]), u16::from_be_bytes([e, f]));
            if !self.is_known(table, area) {
                self.report.problem(format!("area {area} of table number {table} has stray rows"));
            }
            let upper = crate::layout::row_key::after_prefix(prefix);
            let std::ops::Bound::Excluded(next) = upper else {
                return Ok(());
            };
            from = RowRange { lower: std::ops::Bound::Included(next), ..RowRange::prefix(&[]) };
        }
    }

    fn is_known(&self, table: TableId, area: AreaId) -> bool {
        let reclaimed = |chore: &Chore| match *chore {
            Chore::Reclaim { table: of, area: None } => of == table,
            Chore::Reclaim { table: of, area: Some(which) } => of == table && which == area,
            Chore::Backfill { .. } => false,
        };
        table == SYSTEM_TABLE
            || self.chores.iter().any(reclaimed)
            || self.view.catalog.by_id(table).is_some_and(|table| {
                area == BASE_AREA
                    || table.indexes.iter().any(|index| index.area == area)
                    || table.ttl.as_ref().is_some_and(|ttl| ttl.area == area)
                    || table.streams.iter().any(|stream| stream.area == area)
            })
    }
}

#[cfg(test)]
mod tests;
