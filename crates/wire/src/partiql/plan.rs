//! Plans how a `SELECT` reads: the partitions that its condition names, or a scan.
//!
//! The condition is split into branches, one for each partition and range of sort keys. The whole
//! condition is evaluated for every item that is read, so a plan only decides what is read, and
//! what AWS refuses to read.

mod branch;
mod check;

use std::cmp::Ordering;

use monotable_engine::{Direction, KeySchema};
use monotable_expression::{KeyTest, Path};
use monotable_types::{AttributeValue, ScalarType};

use super::bind::{BoundSelect, Order};
use super::problem::refused;
use super::sort_range::SortRange;
use crate::error::Result;
use branch::{Branch, overlap};
use check::{check_filters_projected, check_order};

/// What is read.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Plan {
    /// The whole table or index.
    Scan,
    /// Ranges of partitions, one after the other.
    Ranges(Vec<Range>, Direction),
}

/// A range of sort keys of one partition.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Range {
    pub(super) partition: AttributeValue,
    /// The test of the sort key, if one narrows the range.
    pub(super) test: Option<KeyTest>,
}

/// The keys of a table or index with one partition key and at most one sort key.
pub(super) struct PlanKeys<'a> {
    partition: (&'a str, ScalarType),
    sort: Option<(&'a str, ScalarType)>,
}

impl<'a> PlanKeys<'a> {
    /// Returns the keys.
    ///
    /// # Errors
    ///
    /// The schema has more than one partition key or sort key.
    pub(super) fn of(keys: &'a KeySchema) -> Result<Self> {
        let (mut partition, mut sort) = (keys.partition_key(), keys.sort_key());
        match (partition.next(), partition.next(), sort.next(), sort.next()) {
            (Some(partition), None, sort, None) => Ok(Self { partition, sort }),
            _ => Err(refused(
                "PartiQL statements cannot be executed on tables with multi-attribute HASH keys or \
                 multi-attribute RANGE keys.",
            )),
        }
    }

    /// Returns the name of the partition key.
    pub(super) fn partition(&self) -> &'a str {
        self.partition.0
    }

    /// Returns the name of the sort key.
    pub(super) fn sort(&self) -> Option<&'a str> {
        self.sort.map(|(name, _)| name)
    }

    fn is_sort(&self, path: &Path) -> bool {
        path.is_attribute() && self.sort() == Some(&path.root)
    }

    fn is_partition(&self, path: &Path) -> bool {
        path.is_attribute() && self.partition.0 == path.root
    }

    /// Plans what is read for a statement.
    pub(super) fn plan(&self, select: &BoundSelect, keys: &KeySchema) -> Result<Plan> {
        let condition = select.condition.as_ref();
        let branches = match condition.filter(|condition| self.pins(condition)) {
            Some(condition) => self.keyed_branches(condition)?,
            None => None,
        };
        let Some(branches) = branches else {
            check_order(self, select, &[])?;
            return Ok(Plan::Scan);
        };
        if let Some(index) = &select.index {
            check_filters_projected(index, keys, &branches)?;
        }
        check_order(self, select, &branches)?;
        let direction = self.direction(&select.order);
        Ok(Plan::Ranges(self.ranges(branches, &select.order, direction), direction))
    }

    /// AWS reads backward where an `ORDER BY` leaves out the sort key.
    fn direction(&self, order: &[Order]) -> Direction {
        let term = order.iter().find(|term| Some(term.attribute.as_str()) == self.sort());
        match term {
            None if order.is_empty() => Direction::Forward,
            Some(term) if !term.descending => Direction::Forward,
            None | Some(_) => Direction::Backward,
        }
    }

    fn ranges(&self, branches: Vec<Branch>, order: &[Order], direction: Direction) -> Vec<Range> {
        let mut partitions: Vec<(AttributeValue, Vec<Branch>)> = Vec::new();
        for branch in branches {
            let Some(partition) = branch.partition.clone() else {
                continue;
            };
            match partitions.iter_mut().find(|(known, _)| *known == partition) {
                Some((_, branches)) => branches.push(branch),
                None => partitions.push((partition, vec![branch])),
            }
        }
        if let Some(term) = order.iter().find(|term| term.attribute == self.partition.0) {
            partitions.sort_by(|(one, _), (two, _)| {
                let forward = compare_values(one, two);
                if term.descending { forward.reverse() } else { forward }
            });
        }
        partitions
            .into_iter()
            .flat_map(|(partition, branches)| {
                self.partition_ranges(&partition, branches, direction)
            })
            .collect()
    }

    fn partition_ranges(
        &self,
        partition: &AttributeValue,
        mut branches: Vec<Branch>,
        direction: Direction,
    ) -> Vec<Range> {
        let range = |test| Range { partition: partition.clone(), test };
        // Branches that may overlap are read as one range; the condition selects their items.
        let excludes = |branch: &Branch| self.excludes_sort_keys(branch);
        if branches.len() > 1 && (branches.iter().any(excludes) || overlap(&branches)) {
            return vec![range(None)];
        }
        branches.sort_by(|one, two| {
            let forward = SortRange::of(&one.tests).compare_begin(&SortRange::of(&two.tests));
            match direction {
                Direction::Forward => forward,
                Direction::Backward => forward.reverse(),
            }
        });
        branches
            .into_iter()
            .map(|mut branch| {
                // An equality reads least; the other tests are equally good.
                let at = branch.tests.iter().position(|test| matches!(test, KeyTest::Eq(_)));
                let test = (!branch.tests.is_empty())
                    .then(|| branch.tests.swap_remove(at.unwrap_or_default()));
                range(test)
            })
            .collect()
    }
}

fn compare_values(one: &AttributeValue, two: &AttributeValue) -> Ordering {
    match (one, two) {
        (AttributeValue::N(one), AttributeValue::N(two)) => one.cmp(two),
        (AttributeValue::S(one), AttributeValue::S(two)) => one.cmp(two),
        (AttributeValue::B(one), AttributeValue::B(two)) => one.cmp(two),
        // Unreachable: the types of keys have been checked.
        _ => Ordering::Equal,
    }
}

#[cfg(test)]
mod tests;
