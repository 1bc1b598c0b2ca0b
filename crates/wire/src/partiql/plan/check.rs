//! Reads that AWS refuses although they would be possible.

use std::cmp::Ordering;

use monotable_engine::KeySchema;

use super::branch::Branch;
use super::{PlanKeys, compare_values};
use crate::error::Result;
use crate::partiql::bind::BoundSelect;
use crate::partiql::problem::refused;

/// Checks the requirements of an `ORDER BY`.
pub(super) fn check_order(
    keys: &PlanKeys<'_>,
    select: &BoundSelect,
    branches: &[Branch],
) -> Result<()> {
    let order = &select.order;
    if order.is_empty() {
        return Ok(());
    }
    if select.condition.is_none() {
        return Err(refused("Must have WHERE clause in the statement when using ORDER BY clause."));
    }
    let is_key = |name: &str| name == keys.partition() || Some(name) == keys.sort();
    if let Some(term) = order.iter().find(|term| !is_key(&term.attribute)) {
        return Err(refused(format!(
            "Attribute {} in ORDER BY clause must be part of the primary key",
            term.attribute
        )));
    }
    let Some(first) = branches.first() else {
        return Err(refused(
            "Must have at least one non-optional hash key condition in WHERE clause when using \
             ORDER BY clause.",
        ));
    };
    let several = branches.iter().any(|branch| branch.partition != first.partition);
    if several && !order.iter().any(|term| term.attribute == keys.partition()) {
        return Err(refused(
            "Must have hash key in ORDER BY clause when more than one hash key condition specified \
             in WHERE clause.",
        ));
    }
    Ok(())
}

/// Refuses filters by attributes that the index lacks, if every branch has one; the message names
/// those of the last partition.
pub(super) fn check_filters_projected(
    index: &str,
    keys: &KeySchema,
    branches: &[Branch],
) -> Result<()> {
    let mut worst: Option<(&Branch, Vec<String>)> = None;
    for branch in branches {
        let mut names: Vec<String> = Vec::new();
        for filter in &branch.filters {
            filter.for_each_path(&mut |path| {
                if !keys.is_projected(&path.root) && !names.contains(&path.root) {
                    names.push(path.root.clone());
                }
            });
        }
        if names.is_empty() {
            return Ok(());
        }
        let is_later = worst.as_ref().is_none_or(|(other, _)| {
            let order = match (&branch.partition, &other.partition) {
                (Some(one), Some(two)) => compare_values(one, two),
                _ => Ordering::Equal,
            };
            order != Ordering::Less
        });
        if is_later {
            worst = Some((branch, names));
        }
    }
    match worst {
        None => Ok(()),
        Some((_, mut names)) => {
            names.sort_by_key(|name| java_bucket(name));
            Err(refused(format!(
                "One or more parameter values were invalid: Secondary index {index} does not \
                 project one or more filter attributes: [{}]",
                names.join(", ")
            )))
        }
    }
}

/// Returns the bucket of a name in a small hash set of Java, whose order AWS's message has.
fn java_bucket(name: &str) -> u32 {
    let hash = name
        .encode_utf16()
        .fold(0_u32, |hash, unit| hash.wrapping_mul(31).wrapping_add(u32::from(unit)));
    (hash ^ (hash >> 16)) & 15
}
