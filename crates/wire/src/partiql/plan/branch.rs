//! Splits a condition into branches: each names a partition, tests the sort key, and filters.

use monotable_expression::{Comparator, Condition, KeyTest, Operand};
use monotable_types::AttributeValue;

use super::PlanKeys;
use crate::error::Result;
use crate::partiql::key::check_type;
use crate::partiql::problem::refused;
use crate::partiql::sort_range::SortRange;

/// How many branches AWS reads for one statement.
const BRANCHES_MAX: usize = 50;

/// One alternative of the condition.
#[derive(Clone, Debug, Default)]
pub(super) struct Branch {
    pub(super) partition: Option<AttributeValue>,
    /// Whether the partition key must equal a second value as well, so that nothing matches.
    contradicts: bool,
    pub(super) tests: Vec<KeyTest>,
    pub(super) filters: Vec<Condition>,
}

/// The test of a key that a condition consists of.
enum KeyPart {
    Partitions(Vec<AttributeValue>),
    Sorts(Vec<KeyTest>),
}

impl PlanKeys<'_> {
    /// Returns whether the condition holds only in partitions that it names.
    pub(super) fn pins(&self, condition: &Condition) -> bool {
        match condition {
            Condition::And(parts) => parts.iter().any(|part| self.pins(part)),
            Condition::Or(parts) => !parts.is_empty() && parts.iter().all(|part| self.pins(part)),
            other => matches!(self.key_part(other), Some(KeyPart::Partitions(_))),
        }
    }

    /// Returns the test of a key, if the condition is one and nothing else.
    fn key_part(&self, condition: &Condition) -> Option<KeyPart> {
        match condition {
            Condition::Compare { left, comparator, right } => {
                let (path, comparator, value) = match (left, right) {
                    (Operand::Path(path), Operand::Value(value)) => (path, *comparator, value),
                    (Operand::Value(value), Operand::Path(path)) => {
                        (path, comparator.flipped(), value)
                    }
                    _ => return None,
                };
                if self.is_partition(path) {
                    return (comparator == Comparator::Eq)
                        .then(|| KeyPart::Partitions(vec![value.clone()]));
                }
                let test = match comparator {
                    Comparator::Eq => KeyTest::Eq,
                    Comparator::Lt => KeyTest::Lt,
                    Comparator::Le => KeyTest::Le,
                    Comparator::Gt => KeyTest::Gt,
                    Comparator::Ge => KeyTest::Ge,
                    Comparator::Ne => return None,
                };
                self.is_sort(path).then(|| KeyPart::Sorts(vec![test(value.clone())]))
            }
            Condition::In { operand: Operand::Path(path), list } => {
                let values: Option<Vec<AttributeValue>> = list.iter().map(value_of).collect();
                let values = values?;
                if self.is_partition(path) {
                    return Some(KeyPart::Partitions(values));
                }
                self.is_sort(path)
                    .then(|| KeyPart::Sorts(values.into_iter().map(KeyTest::Eq).collect()))
            }
            Condition::Between { operand: Operand::Path(path), low, high }
                if self.is_sort(path) =>
            {
                Some(KeyPart::Sorts(vec![KeyTest::Between(value_of(low)?, value_of(high)?)]))
            }
            Condition::BeginsWith(Operand::Path(path), prefix) if self.is_sort(path) => {
                Some(KeyPart::Sorts(vec![KeyTest::BeginsWith(value_of(prefix)?)]))
            }
            _ => None,
        }
    }

    /// Returns whether a key is tested in a position that branches can be made of.
    fn tests_key(&self, condition: &Condition) -> bool {
        match condition {
            Condition::And(parts) | Condition::Or(parts) => {
                parts.iter().any(|part| self.tests_key(part))
            }
            other => self.key_part(other).is_some(),
        }
    }

    /// Returns how many branches a condition has.
    fn count(&self, condition: &Condition) -> usize {
        match condition {
            Condition::And(parts) => {
                parts.iter().fold(1, |count: usize, part| count.saturating_mul(self.count(part)))
            }
            Condition::Or(parts) if self.tests_key(condition) => {
                parts.iter().fold(0, |count: usize, part| count.saturating_add(self.count(part)))
            }
            other => match self.key_part(other) {
                Some(KeyPart::Partitions(values)) => values.len(),
                Some(KeyPart::Sorts(tests)) => tests.len(),
                None => 1,
            },
        }
    }

    /// Returns the branches of a condition, each of which must name its partition. Returns none if
    /// a branch contradicts itself: AWS does not read such a condition by its key.
    pub(super) fn keyed_branches(&self, condition: &Condition) -> Result<Option<Vec<Branch>>> {
        if self.count(condition) > BRANCHES_MAX {
            return Err(refused("Too many decomposed read operations for a given query."));
        }
        let branches = self.branches(condition);
        for branch in &branches {
            self.check_types(branch)?;
        }
        if branches.iter().any(|branch| branch.contradicts) {
            return Ok(None);
        }
        self.check_overlap(&branches)?;
        Ok(Some(branches))
    }

    fn branches(&self, condition: &Condition) -> Vec<Branch> {
        match condition {
            Condition::And(parts) => {
                parts.iter().fold(vec![Branch::default()], |branches, part| {
                    let further = self.branches(part);
                    branches
                        .iter()
                        .flat_map(|branch| further.iter().map(|other| branch.and(other)))
                        .collect()
                })
            }
            Condition::Or(parts) if self.tests_key(condition) => {
                parts.iter().flat_map(|part| self.branches(part)).collect()
            }
            other => match self.key_part(other) {
                Some(KeyPart::Partitions(values)) => values
                    .into_iter()
                    .map(|value| Branch { partition: Some(value), ..Branch::default() })
                    .collect(),
                Some(KeyPart::Sorts(tests)) => tests
                    .into_iter()
                    .map(|test| Branch { tests: vec![test], ..Branch::default() })
                    .collect(),
                None => vec![Branch { filters: vec![other.clone()], ..Branch::default() }],
            },
        }
    }

    fn check_types(&self, branch: &Branch) -> Result<()> {
        let (name, scalar_type) = self.partition;
        if let Some(value) = &branch.partition {
            check_type(name, scalar_type, value)?;
        }
        if let Some((name, scalar_type)) = self.sort {
            for value in branch.tests.iter().flat_map(KeyTest::values) {
                check_type(name, scalar_type, value)?;
            }
        }
        Ok(())
    }

    /// Refuses branches that share items, except where a branch excludes values of the sort key.
    fn check_overlap(&self, branches: &[Branch]) -> Result<()> {
        if branches.iter().any(|branch| self.excludes_sort_keys(branch)) {
            return Ok(());
        }
        if overlap(branches) {
            Err(refused("Overlapping conditions with range keys are not supported in where clause"))
        } else {
            Ok(())
        }
    }

    pub(super) fn excludes_sort_keys(&self, branch: &Branch) -> bool {
        branch.filters.iter().any(|filter| {
            let negative = matches!(
                filter,
                Condition::Not(_) | Condition::Compare { comparator: Comparator::Ne, .. }
            );
            let mut reads_sort = false;
            filter.for_each_path(&mut |path| reads_sort |= self.is_sort(path));
            negative && reads_sort
        })
    }
}

impl Branch {
    fn and(&self, other: &Self) -> Self {
        let mut both = self.clone();
        match (&both.partition, &other.partition) {
            (Some(one), Some(two)) if one != two => both.contradicts = true,
            (None, Some(_)) => both.partition.clone_from(&other.partition),
            _ => {}
        }
        both.contradicts |= other.contradicts;
        both.tests.extend(other.tests.iter().cloned());
        both.filters.extend(other.filters.iter().cloned());
        both
    }
}

/// Returns whether an item may match two of the branches, judging by their keys.
pub(super) fn overlap(branches: &[Branch]) -> bool {
    let ranges: Vec<SortRange> =
        branches.iter().map(|branch| SortRange::of(&branch.tests)).collect();
    branches.iter().enumerate().any(|(at, branch)| {
        let mut later = branches.iter().zip(&ranges).skip(at + 1);
        later.any(|(other, range)| {
            other.partition == branch.partition && range.overlaps(&ranges[at])
        })
    })
}

fn value_of(operand: &Operand) -> Option<AttributeValue> {
    match operand {
        Operand::Value(value) => Some(value.clone()),
        Operand::Path(_) | Operand::Size(_) => None,
    }
}
