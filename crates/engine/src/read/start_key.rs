//! Where a page starts: converts `ExclusiveStartKey` to the row after which reading continues.

use std::collections::BTreeSet;

use monotable_expression::KeyCondition;
use monotable_types::Item;

use crate::error::{Error, Result};
use crate::layout::row_key::RowRange;
use crate::store::Order;
use crate::table::{Index, KeySpec, Table};
use crate::validate;

const INVALID: &str = "The provided starting key is invalid";
const MISMATCH: &str = "The provided starting key is invalid: The provided key element does not match \
     the schema";

/// The row key, in the area being read, after which a page starts.
#[derive(Clone, Debug)]
pub(crate) struct StartKey(pub(crate) Vec<u8>);

impl StartKey {
    /// Returns the position of a start key in the area that a Query reads.
    pub(crate) fn of_query(table: &Table, index: Option<&Index>, start: &Item) -> Result<Self> {
        Self::new(table, index, start, INVALID)
    }

    /// Does the same for a Scan, which also reports why a key is not one of the table.
    pub(crate) fn of_scan(table: &Table, index: Option<&Index>, start: &Item) -> Result<Self> {
        Self::new(table, index, start, MISMATCH)
    }

    /// Converts a start key. `mismatch` is AWS's message for a key that is not one of the table.
    fn new(table: &Table, index: Option<&Index>, start: &Item, mismatch: &str) -> Result<Self> {
        let keys = || {
            let index_keys = index.into_iter().flat_map(|index| index.keys.attributes());
            table.keys.attributes().chain(index_keys)
        };
        let distinct: BTreeSet<&str> = keys().map(|key| key.name.as_str()).collect();
        let fits = start.len() == distinct.len()
            && keys().all(|key| start.get(&key.name).is_some_and(|value| key.kind.matches(value)));
        if !fits {
            return Err(Error::validation(mismatch));
        }
        let row_key = validate::key(table, &table.keys.project(start))?;
        match index {
            None => Ok(StartKey(row_key)),
            Some(index) => table
                .index_row(index, start, &row_key)
                .map(|row| StartKey(row.key))
                .ok_or_else(|| Error::validation(mismatch)),
        }
    }

    /// Checks that the start satisfies the key condition. The partitions of a table without a sort
    /// key have one row, so no page can follow.
    pub(crate) fn check_within(
        index: Option<&Index>,
        keys: &KeySpec,
        start: &Item,
        condition: &KeyCondition,
    ) -> Result<()> {
        if index.is_none() && keys.sort.is_empty() {
            return Err(at_most_one_row());
        }
        let sort_test = keys
            .sort
            .iter()
            .rev()
            .find_map(|key| Some((start.get(&key.name)?, condition.test_of(&key.name)?)));
        let sort_matches = sort_test.is_none_or(|(value, test)| test.matches(value));
        let partition_matches = keys.partition.iter().all(|key| {
            let value = start.get(&key.name);
            value.zip(condition.test_of(&key.name)).is_some_and(|(value, test)| test.matches(value))
        });
        match (partition_matches, sort_matches, sort_test.is_some()) {
            (true, true, _) => Ok(()),
            (_, false, _) => Err(Error::validation(
                "The provided starting key does not match the range key predicate",
            )),
            (false, true, true) => Err(at_most_one_row()),
            (false, true, false) => Err(Error::validation(
                "The provided starting key is outside query boundaries based on provided conditions",
            )),
        }
    }

    /// Restricts the range to the rows after the start.
    pub(crate) fn narrow(self, range: RowRange, order: Order) -> RowRange {
        match order {
            Order::Ascending => range.after(self.0),
            Order::Descending => range.before(self.0),
        }
    }
}

fn at_most_one_row() -> Error {
    Error::validation("The query can return at most one row and cannot be restarted")
}
