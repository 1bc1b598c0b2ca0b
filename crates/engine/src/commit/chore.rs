//! Work that is too long for one batch: reclaiming a dropped area, filling a new one.
//!
//! A chore is a row until it is done, so it survives a crash, and every step is idempotent. The
//! committer runs one bounded step at a time between batches; callers never wait for a whole chore.

use bytes::Bytes;

use super::Stage;
use super::stage::Shift;
use crate::error::Result;
use crate::layout::Malformed;
use crate::layout::row_key::{
    AREA_PREFIX_BYTES, AreaId, BASE_AREA, RowRange, TableId, area_prefix,
};
use crate::store::{Order, Snapshot};
use crate::stored::StoredItem;
use crate::system;
use crate::table::{Index, IndexState, Table, Ttl};

/// How many rows one step reads.
const STEP_ROWS_MAX: usize = 500;

/// A chore that is not finished.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Chore {
    /// Remove the rows of an area, or of a whole table.
    Reclaim { table: TableId, area: Option<AreaId> },
    /// Add the items of a table to a new area: an index, or the order of expiry.
    Backfill { table: TableId, area: AreaId },
}

const RECLAIM_TABLE: u8 = 0;
const RECLAIM_AREA: u8 = 1;
const BACKFILL: u8 = 2;

/// Whether a chore continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    More,
    Done,
}

impl Chore {
    /// Returns the key of the chore's row; a backfill stores its progress there.
    pub(crate) fn key(&self) -> Vec<u8> {
        match *self {
            Self::Reclaim { table, area: None } => system::chore_key(RECLAIM_TABLE, table, 0),
            Self::Reclaim { table, area: Some(area) } => {
                system::chore_key(RECLAIM_AREA, table, area)
            }
            Self::Backfill { table, area } => system::chore_key(BACKFILL, table, area),
        }
    }

    fn parse(key: &[u8]) -> Option<Self> {
        let (&kind, rest) = key.get(AREA_PREFIX_BYTES..)?.split_first()?;
        let (table, area) = rest.split_first_chunk::<4>()?;
        let table = TableId::from_be_bytes(*table);
        let area = AreaId::from_be_bytes(area.try_into().ok()?);
        match kind {
            RECLAIM_TABLE => Some(Self::Reclaim { table, area: None }),
            RECLAIM_AREA => Some(Self::Reclaim { table, area: Some(area) }),
            BACKFILL => Some(Self::Backfill { table, area }),
            _ => None,
        }
    }

    /// Returns the chores that a previous process left unfinished.
    pub(crate) fn unfinished(snapshot: &dyn Snapshot) -> Result<Vec<Self>> {
        let range =
            RowRange::prefix(&area_prefix(crate::layout::row_key::SYSTEM_TABLE, system::CHORES));
        snapshot
            .range(&range, Order::Ascending)
            .map(|row| {
                let (key, _) = row?;
                Ok(Self::parse(&key).ok_or(Malformed("chore row is malformed"))?)
            })
            .collect()
    }

    /// Runs one bounded step. The stage must be empty: a step is a batch of its own.
    pub(crate) fn step(&self, stage: &mut Stage<'_>) -> Result<Progress> {
        debug_assert!(stage.is_empty(), "a chore reads committed rows only");
        let progress = match *self {
            Self::Reclaim { table, area } => reclaim(stage, table, area)?,
            Self::Backfill { table, area } => self.backfill(stage, table, area)?,
        };
        if progress == Progress::Done {
            stage.remove(self.key());
        }
        Ok(progress)
    }

    fn backfill(&self, stage: &mut Stage<'_>, table: TableId, area: AreaId) -> Result<Progress> {
        // The table or the area may have been dropped since; then there is nothing to fill.
        let Some(table) = stage.catalog().by_id(table).cloned() else {
            return Ok(Progress::Done);
        };
        let Some(target) = Target::find(&table, area) else {
            return Ok(Progress::Done);
        };
        let mut range = RowRange::prefix(&area_prefix(table.id, BASE_AREA));
        if let Some(reached) = stage.get(&self.key())?.filter(|reached| !reached.is_empty()) {
            range = range.after(reached.to_vec());
        }
        let snapshot = stage.committed();
        let mut reached = None;
        let mut count = 0;
        for row in snapshot.range(&range, Order::Ascending).take(STEP_ROWS_MAX) {
            let (row_key, bytes) = row?;
            target.enter(stage, &table, &row_key, &StoredItem::new(bytes)?)?;
            reached = Some(row_key);
            count += 1;
        }
        if count < STEP_ROWS_MAX {
            let mut filled = Table::clone(&table);
            target.activate(&mut filled);
            stage.save_table(filled);
            return Ok(Progress::Done);
        }
        if let Some(reached) = reached {
            stage.put(self.key(), reached.to_bytes());
        }
        Ok(Progress::More)
    }
}

fn reclaim(stage: &mut Stage<'_>, table: TableId, area: Option<AreaId>) -> Result<Progress> {
    let range = match area {
        Some(area) => RowRange::prefix(&area_prefix(table, area)),
        None => RowRange::prefix(&table.to_be_bytes()),
    };
    let snapshot = stage.committed();
    let mut count = 0;
    for row in snapshot.range(&range, Order::Ascending).take(STEP_ROWS_MAX) {
        stage.remove(row?.0.to_bytes());
        count += 1;
    }
    Ok(if count < STEP_ROWS_MAX { Progress::Done } else { Progress::More })
}

/// The area that a backfill fills.
enum Target<'a> {
    Index(&'a Index),
    Expiry(&'a Ttl),
}

impl<'a> Target<'a> {
    fn find(table: &'a Table, area: AreaId) -> Option<Self> {
        let index = table.indexes.iter().find(|index| index.area == area).map(Self::Index);
        index.or_else(|| table.ttl.as_ref().filter(|ttl| ttl.area == area).map(Self::Expiry))
    }

    /// Adds one item, unless it is there already or does not belong there.
    fn enter(
        &self,
        stage: &mut Stage<'_>,
        table: &Table,
        row_key: &[u8],
        item: &StoredItem,
    ) -> Result<()> {
        match self {
            Self::Index(index) => {
                let Some(row) = table.index_row(index, item, row_key) else {
                    return Ok(());
                };
                if stage.get(&row.key)?.is_none() {
                    let entry_bytes = table.index_entry_bytes(index, &item.decode()?);
                    stage.put(row.key, row.value.to_vec());
                    stage.shift_counts(Shift {
                        table: table.id,
                        area: index.area,
                        before_bytes: None,
                        after_bytes: Some(entry_bytes),
                    });
                }
            }
            Self::Expiry(ttl) => {
                if let Some(key) = table.ttl_row(ttl, item, row_key) {
                    stage.put(key, Bytes::new());
                }
            }
        }
        Ok(())
    }

    fn activate(&self, table: &mut Table) {
        match self {
            Self::Index(index) => table
                .indexes
                .iter_mut()
                .filter(|known| known.area == index.area)
                .for_each(|known| known.state = IndexState::Active),
            Self::Expiry(_) => {
                if let Some(ttl) = &mut table.ttl {
                    ttl.state = IndexState::Active;
                }
            }
        }
    }
}
