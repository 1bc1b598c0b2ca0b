//! The costs of a design's access patterns in DynamoDB's units.

use monotable::design::meta::{EntityMeta, Operation, PatternMeta, Shape};
use monotable_host::TableMeta;

/// A read unit is this many bytes read consistently, or twice as many otherwise.
const READ_UNIT_BYTES: u64 = 4_096;
const WRITE_UNIT_BYTES: u64 = 1_024;

/// The rows that costs are shown for.
pub(super) struct Costs {
    pub(super) row_bytes: u32,
    pub(super) rows: u32,
}

impl Costs {
    /// Describes the reads and the writes of a table.
    pub(super) fn describe(&self, table: &TableMeta) -> String {
        let size = format!("rows of {} bytes", self.row_bytes);
        let lists = format!("lists of {}", self.rows);
        let mut text = format!("  read units of a call ({size}, {lists}):\n");
        for pattern in table.pattern_sets.iter().flat_map(|set| set.patterns) {
            let place = pattern.index.unwrap_or("table");
            let units = match self.read(pattern) {
                Some(units) => format!("{units}"),
                None => "0.5 for each 4 KB of the table".to_owned(),
            };
            let operation = operation(pattern.operation);
            text += &format!("    {:<34} {operation:<9} {place:<6} {units}\n", pattern.name);
        }
        text += "  write units of a new row (in a transaction, which most commands are):\n";
        for entity in table.entities {
            let (alone, transacted) = (self.write(entity), self.write_in_transaction(entity));
            text += &format!("    {:<34} {alone} ({transacted})\n", entity.name);
        }
        text
    }

    /// Returns the read units of a call; `None` for a call that reads everything.
    fn read(&self, pattern: &PatternMeta) -> Option<f64> {
        let rows = match (pattern.operation, pattern.shape) {
            (Operation::Scan, _) => return None,
            (Operation::Get, _) | (_, Shape::One) => 1,
            (Operation::Query | Operation::BatchGet, _) => self.listed(pattern),
        };
        let row = u64::from(self.row_bytes);
        let blocks = match pattern.operation {
            // Each row is read separately.
            Operation::Get | Operation::BatchGet => rows * row.div_ceil(READ_UNIT_BYTES),
            // One call for each partition that the list is spread over.
            Operation::Query | Operation::Scan => {
                let calls = u64::from(pattern.shards.unwrap_or(1)).max(1);
                calls * (rows.div_ceil(calls) * row).div_ceil(READ_UNIT_BYTES).max(1)
            }
        };
        let share = if pattern.is_consistent { 1.0 } else { 0.5 };
        // The sentinel of a unique value is read before its owner.
        let sentinel = if pattern.unique.is_some() { share } else { 0.0 };
        Some(blocks as f64 * share + sentinel)
    }

    /// Returns the number of rows in a list, limited by the pattern.
    fn listed(&self, pattern: &PatternMeta) -> u64 {
        let known_max = pattern.items_max.into_iter().chain(pattern.limit).min();
        u64::from(known_max.unwrap_or(u32::MAX).min(self.rows))
    }

    /// Returns the write units of a row and of everything that is derived from it.
    fn write(&self, entity: &EntityMeta) -> u64 {
        self.rows_of(entity) + self.index_entries(entity)
    }

    /// Does the same in a transaction, which charges rows twice and index entries once.
    fn write_in_transaction(&self, entity: &EntityMeta) -> u64 {
        2 * self.rows_of(entity) + self.index_entries(entity)
    }

    /// Returns the units of a row, of its mirrors, and of its sentinels.
    fn rows_of(&self, entity: &EntityMeta) -> u64 {
        let copies = 1 + entity.mirrors.len() as u64;
        copies * u64::from(self.row_bytes).div_ceil(WRITE_UNIT_BYTES) + entity.unique.len() as u64
    }

    /// Returns the units of its index entries, as if each had all attributes.
    fn index_entries(&self, entity: &EntityMeta) -> u64 {
        entity.indexes.len() as u64 * u64::from(self.row_bytes).div_ceil(WRITE_UNIT_BYTES)
    }
}

fn operation(operation: Operation) -> &'static str {
    match operation {
        Operation::Get => "GetItem",
        Operation::Query => "Query",
        Operation::BatchGet => "BatchGet",
        Operation::Scan => "Scan",
    }
}

#[cfg(test)]
mod tests {
    use monotable_hacktracker::HackTrackerService;
    use monotable_host::Service as _;

    use super::*;

    /// The units of a pattern of HackTracker.
    fn read(name: &str, row_bytes: u32, rows: u32) -> Option<f64> {
        let table = HackTrackerService::default().table();
        let mut patterns = table.pattern_sets.iter().flat_map(|set| set.patterns);
        Costs { row_bytes, rows }.read(patterns.find(|pattern| pattern.name == name).unwrap())
    }

    #[test]
    fn reads_cost_half_a_unit_for_each_started_block() {
        assert_eq!(read("player", 500, 20), Some(0.5));
        assert_eq!(read("player", 4_097, 20), Some(1.0));
        assert_eq!(read("roster", 500, 8), Some(0.5));
        assert_eq!(read("roster", 500, 20), Some(1.5));
    }

    #[test]
    fn writes_cost_a_unit_for_the_row_and_each_entry_and_twice_in_transactions() {
        let table = HackTrackerService::default().table();
        let player = table.entities.iter().find(|entity| entity.name == "Player").unwrap();
        let costs = Costs { row_bytes: 1_024, rows: 1 };
        let (rows, entries) = (1 + player.unique.len() as u64, player.indexes.len() as u64);
        assert_eq!(costs.write(player), rows + entries);
        assert_eq!(costs.write_in_transaction(player), 2 * rows + entries);
        assert_eq!(Costs { row_bytes: 1_025, rows: 1 }.write(player), rows + 1 + 2 * entries);
    }
}
