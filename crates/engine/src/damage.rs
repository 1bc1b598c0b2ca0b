//! Descriptions of damaged files: which rows they contain.

use std::fmt;
use std::path::PathBuf;

use crate::layout::row_key::{BASE_AREA, area_of_row};
use crate::store::{DamagedFile, Scrubbed};
use crate::table::{Catalog, Table};

/// The result of verifying the files since the database was opened; see
/// [`Database::maintain`](crate::Database::maintain).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScrubReport {
    /// How often every table file was compared with its checksum.
    pub passes: u64,
    /// How many bytes were read for that.
    pub bytes: u64,
    /// The damaged files.
    pub damage: Vec<Damage>,
}

/// A table file whose bytes have changed. Rows in other files, and in intact blocks of this one,
/// can still be read; others return errors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The file.
    pub file: PathBuf,
    /// The table and area of its first row.
    pub first: String,
    /// The table and area of its last row.
    pub last: String,
}

impl fmt::Display for Damage {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, first, last } = self;
        write!(formatter, "{} is damaged: it holds rows from {first} to {last}", file.display())
    }
}

impl ScrubReport {
    pub(crate) fn new(scrubbed: Scrubbed, catalog: &Catalog) -> Self {
        let damage = scrubbed.damaged.iter().map(|damaged| Damage::new(damaged, catalog));
        Self { passes: scrubbed.passes, bytes: scrubbed.bytes, damage: damage.collect() }
    }
}

impl Damage {
    pub(crate) fn new(damaged: &DamagedFile, catalog: &Catalog) -> Self {
        Self {
            file: damaged.path.clone(),
            first: describe_row(&damaged.first_key, catalog),
            last: describe_row(&damaged.last_key, catalog),
        }
    }
}

/// Returns the table and area of a row.
fn describe_row(row_key: &[u8], catalog: &Catalog) -> String {
    const OWN: &str = "the database's own rows";
    match area_of_row(row_key) {
        Some((id, area)) => match catalog.by_id(id) {
            Some(table) if area == BASE_AREA => match table.key_of_row(row_key) {
                Ok(key) => format!("item {key:?} of table {}", table.name),
                Err(_) => format!("an item of table {}", table.name),
            },
            Some(table) => format!("{} of table {}", describe_area(table, area), table.name),
            None if id == crate::layout::row_key::SYSTEM_TABLE => OWN.to_owned(),
            None => "a deleted table".to_owned(),
        },
        None => OWN.to_owned(),
    }
}

fn describe_area(table: &Table, area: crate::layout::row_key::AreaId) -> String {
    if let Some(index) = table.indexes.iter().find(|index| index.area == area) {
        return format!("index {}", index.name);
    }
    if table.ttl.as_ref().is_some_and(|ttl| ttl.area == area) {
        return "the order of expiry".to_owned();
    }
    if table.streams.iter().any(|stream| stream.area == area) {
        return "the change records".to_owned();
    }
    "a deleted index or stream".to_owned()
}
