//! Opening: the store, then its catalog.

use std::path::Path;
use std::sync::Arc;

use crate::check::CheckDepth;
use crate::commit::Shared;
use crate::error::{Error, Result};
use crate::layout::item::Encoded;
use crate::layout::row_key::{RowRange, SYSTEM_TABLE, TableId, area_prefix};
use crate::options::Options;
use crate::store::disk::DiskStore;
use crate::store::memory::MemoryStore;
use crate::store::{Condition, Order, Snapshot, Store};
use crate::system;
use crate::table::{Arn, Catalog, CountsByArea, TableCounts, decode_table};

/// Returns a new database in memory.
pub(crate) fn memory(options: Options) -> Shared {
    Shared::new(Box::new(MemoryStore::default()), options, Catalog::default())
}

/// Returns the database in a directory.
pub(crate) fn disk(path: &Path, options: Options) -> Result<Shared> {
    let store = DiskStore::open(path, &options)?;
    let catalog = load_catalog(&*store.newest().snapshot(), &options)?;
    Ok(Shared::new(Box::new(store), options, catalog))
}

/// Opens a copy of the database in a directory; the directory is not changed.
pub(crate) fn copy(
    path: &Path,
    options: Options,
    depth: CheckDepth,
) -> Result<(Shared, Condition)> {
    let (store, condition) = DiskStore::open_copy(path, &options, depth)?;
    let catalog = load_catalog(&*store.newest().snapshot(), &options)?;
    Ok((Shared::new(Box::new(store), options, catalog), condition))
}

fn load_catalog(snapshot: &dyn Snapshot, options: &Options) -> Result<Catalog> {
    let next_table_id = match snapshot.get(&system::next_table_key())? {
        Some(row) => TableId::from_be_bytes(
            row.as_ref()
                .try_into()
                .map_err(|_| Error::Corrupted("the next table number is malformed".to_owned()))?,
        ),
        None => 0,
    };
    let arn = Arn { region: options.region.clone(), account: options.account.clone() };
    let mut tables = Vec::new();
    let definitions = RowRange::prefix(&area_prefix(SYSTEM_TABLE, system::TABLES));
    for row in snapshot.range(&definitions, Order::Ascending) {
        let (key, value) = row?;
        let id = system::table_of_key(&key)
            .ok_or_else(|| Error::Corrupted("a table's row key is malformed".to_owned()))?;
        let counts = match snapshot.get(&system::counts_key(id))? {
            Some(row) => CountsByArea::decode(&row)?,
            None => CountsByArea::default(),
        };
        let definition = Encoded::parse(&value)?.decode()?;
        let counts = Arc::new(TableCounts::new(counts));
        tables.push(decode_table(&definition, arn.clone(), counts)?);
    }
    Ok(Catalog::new(next_table_id, tables))
}
