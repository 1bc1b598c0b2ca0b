//! What a request uses, for logs: tables and units, and nothing of its content.

use std::collections::BTreeSet;

use monotable_engine::Capacity;
use monotable_types::TableName;

use crate::access::Resource;
use crate::touch::Touch;

/// The most tables that are noted of one request.
const TABLES_MAX: usize = 10;

/// What a request uses.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Observation {
    /// The names of its tables, at most ten. Invalid names are left out, because they may contain anything.
    pub tables: BTreeSet<String>,
    /// The units that it used, if the operation succeeded and uses any.
    pub used: Option<Capacity>,
}

impl Observation {
    pub(crate) fn note_tables(&mut self, touches: &[Touch<'_>]) {
        let names = touches.iter().filter_map(|touch| match Resource::of(touch.table?) {
            Resource::Table(name) if TableName::try_from(name).is_ok() => Some(name),
            Resource::Table(_) | Resource::Unclear(_) => None,
        });
        for name in names {
            if self.tables.len() == TABLES_MAX {
                return;
            }
            if !self.tables.contains(name) {
                self.tables.insert(name.to_owned());
            }
        }
    }
}
