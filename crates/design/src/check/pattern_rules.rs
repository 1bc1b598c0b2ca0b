//! The rules for one access pattern: I01, I07, I08, I11, P01, P03, P04, P05, P10.

use super::arguments::arguments;
use super::attributes::missing_attribute;
use super::filters;
use super::native::{self, Found};
use super::overlap::{is_apart_from, leading_literal};
use super::range::beginning;
use super::report::Report;
use super::rows::{
    Beginning, Row, entity_index, index_row, returns, table_entity, table_index, table_row,
    table_row_count,
};
use super::unique_value::unique_value;
use super::verdict::Message;
use crate::meta::{
    Allow, EntityMeta, IndexKind, IndexMeta, Operation, PatternMeta, Shape, SortTest, TableMeta,
};
use crate::{rules, text};

/// A pattern with what it reads.
#[derive(Clone, Copy)]
struct Read<'a> {
    table: &'a TableMeta,
    pattern: &'a PatternMeta,
    index: Option<&'static IndexMeta>,
    allows: [&'static [Allow]; 3],
}

pub(super) const fn pattern(table: &TableMeta, pattern: &PatternMeta, report: &mut Report) {
    if table.is_unreadable() {
        return;
    }
    let mut returns = pattern.returns;
    while let [entity, rest @ ..] = returns {
        if entity.is_unreadable() {
            return;
        }
        returns = rest;
    }
    if let Some(unique) = &pattern.unique {
        return unique_value(table, pattern, unique, report);
    }
    let index = match pattern.index {
        None => None,
        Some(name) => match table_index(table, name) {
            Some(index) => Some(index),
            None => return unknown_index(table, pattern, name, report),
        },
    };
    let index_allows: &[Allow] = match index {
        Some(index) => index.allows,
        None => &[],
    };
    let allows = [pattern.allows, index_allows, table.allows];
    let read = Read { table, pattern, index, allows };
    if no_partition(read, report) {
        return;
    }
    key_shape(read, report);
    consistency(read, report);
    bounds(read, report);
    filters::filters(table, pattern, report);
    found(read, report);
    if !matches!(pattern.operation, Operation::Scan | Operation::BatchGet) {
        leaks(read, report);
    }
}

const fn begin(read: Read<'_>, rule: &'static rules::Rule) -> Message {
    Message::new(rule).push("pattern ").push(read.pattern.name)
}

/// I01: the index does not exist.
const fn unknown_index(table: &TableMeta, pattern: &PatternMeta, name: &str, report: &mut Report) {
    if report.wants(&rules::I01, &[pattern.allows, table.allows]) {
        let message = Message::new(&rules::I01).push("pattern ").push(pattern.name);
        let message = message.push(" reads index ").push(name).push(", which ").push(table.name);
        report.add(message.push(" does not declare").end_with(
            "DynamoDB refuses a request for an index that does not exist",
            "declare the index in the table, or correct its name",
        ));
    }
}

/// P01: the pattern does not set the partition.
const fn no_partition(read: Read<'_>, report: &mut Report) -> bool {
    let is_scan = match read.pattern.operation {
        Operation::Scan if read.pattern.is_admin => return false,
        Operation::Scan => true,
        Operation::Query | Operation::Get if read.pattern.partition.is_empty() => false,
        Operation::Query | Operation::Get | Operation::BatchGet => return false,
    };
    if report.wants(&rules::P01, &read.allows) {
        let message = begin(read, &rules::P01);
        let what = if is_scan { " scans" } else { " has no partition key: it would need a Scan" };
        report.add(message.push(what).end());
    }
    true
}

/// I11: the conditions do not fit the key of the table or the index.
const fn key_shape(read: Read<'_>, report: &mut Report) {
    let pattern = read.pattern;
    if pattern.partition.is_empty() {
        return;
    }
    let (partition, sort) = match read.index {
        Some(index) if matches!(index.kind, IndexKind::Local) => (1, index.sort.len()),
        Some(index) => (index.partition.len(), index.sort.len()),
        None => (1, read.table.sort_key.is_some() as usize),
    };
    let mut at = 0;
    let mut equalities = 0;
    while at < pattern.sort.len() {
        if matches!(pattern.sort[at], SortTest::Equals(_)) {
            equalities += 1;
        }
        at += 1;
    }
    let is_exact = matches!(pattern.operation, Operation::Get | Operation::BatchGet);
    let what = if pattern.partition.len() < partition {
        " does not give every attribute of the partition key of "
    } else if pattern.partition.len() > partition {
        " gives more than the partition key of "
    } else if pattern.sort.len() > sort {
        " gives more than the sort key of "
    } else if is_exact && equalities < sort {
        " gets one row, but does not give the exact sort key of "
    } else if pattern.sort.len() > equalities && !is_last_range(pattern.sort, equalities) {
        " has a range before the last condition on the sort key of "
    } else {
        return;
    };
    if report.wants(&rules::I11, &read.allows) {
        let message = begin(read, &rules::I11).push(what);
        let message = match read.index {
            Some(index) => message.push("index ").push(index.name),
            None => message.push(read.table.name),
        };
        report.add(if is_exact {
            message.end_with(
                "a single row is read by its whole key",
                "give the exact key, or make it a query",
            )
        } else {
            message.end()
        });
    }
}

/// Returns whether only the last condition is a range.
const fn is_last_range(sort: &[SortTest], equalities: usize) -> bool {
    equalities + 1 == sort.len() && !matches!(sort[sort.len() - 1], SortTest::Equals(_))
}

/// I08: a consistent read of a global index.
const fn consistency(read: Read<'_>, report: &mut Report) {
    if let Some(index) = read.index
        && read.pattern.is_consistent
        && matches!(index.kind, IndexKind::Global)
        && report.wants(&rules::I08, &read.allows)
    {
        let message = begin(read, &rules::I08).push(" reads index ").push(index.name);
        report.add(message.push(" consistently").end());
    }
}

/// P05 and P10: how much is read.
const fn bounds(read: Read<'_>, report: &mut Report) {
    let pattern = read.pattern;
    let is_collection = matches!(pattern.operation, Operation::Query | Operation::Scan);
    if is_collection
        && matches!(pattern.shape, Shape::All | Shape::Fold)
        && pattern.items_max.is_none()
        && !is_one_row(read)
        && report.wants(&rules::P05, &read.allows)
    {
        let message = begin(read, &rules::P05);
        let what = match pattern.shape {
            Shape::Fold => " folds all rows at once, however many there are",
            _ => " returns all rows at once, however many there are",
        };
        report.add(message.push(what).end());
    }
    if pattern.limit.is_some() {
        let mut at = 0;
        while at < pattern.arguments.len() {
            if pattern.arguments[at].filter.is_some() {
                limited_filter(read, pattern.arguments[at].name, report);
            }
            at += 1;
        }
        let mut at = 0;
        while at < pattern.presence.len() {
            limited_filter(read, pattern.presence[at].attribute(), report);
            at += 1;
        }
    }
}

const fn limited_filter(read: Read<'_>, name: &str, report: &mut Report) {
    if report.wants(&rules::P10, &read.allows) {
        let message = begin(read, &rules::P10).push(" has a limit and filters by `");
        report.add(message.push(name).push("`").end());
    }
}

/// Returns whether the key of the table is given in full. Keys of an index need not be unique.
const fn is_one_row(read: Read<'_>) -> bool {
    if read.index.is_some() || read.pattern.partition.is_empty() {
        return false;
    }
    match (read.table.sort_key, read.pattern.sort) {
        (None, _) | (Some(_), [SortTest::Equals(_)]) => true,
        (Some(_), _) => false,
    }
}

/// I01, I07 and P04: every returned entity can be found and decoded.
const fn found(read: Read<'_>, report: &mut Report) {
    let mut at = 0;
    while at < read.pattern.returns.len() {
        let entity = read.pattern.returns[at];
        if table_entity(read.table, entity.name).is_none() {
            if report.wants(&rules::P04, &read.allows) {
                let message = begin(read, &rules::P04).push(" returns ").push(entity.name);
                let message = message.push(", which is not an entity of ").push(read.table.name);
                report.add(message.end_with(
                    "the table has no rows of it",
                    "add it to the entities of the table",
                ));
            }
        } else if let Some(index) = read.index {
            match index_row(entity, index) {
                None => never_written(read, entity, index, report),
                Some(row) => {
                    unprojected(read, entity, index, report);
                    if row.is_found_by(read.pattern) {
                        let (pattern, allows) = (read.pattern, &read.allows);
                        native::numbers(Found { pattern, entity, index, row, allows }, report);
                        arguments(read.pattern, (entity, row), &read.allows, report);
                    } else {
                        never_found(read, entity, row, report);
                    }
                }
            }
        } else if let Some(row) = table_row(entity, 0)
            && !is_any_found(read, entity, report)
        {
            never_found(read, entity, row, report);
        }
        at += 1;
    }
}

/// Returns whether a pattern on the table finds the entity under its own key or that of a mirror.
/// Then its arguments must match that key.
const fn is_any_found(read: Read<'_>, entity: &EntityMeta, report: &mut Report) -> bool {
    let mut number = 0;
    while number < table_row_count(entity) {
        if let Some(row) = table_row(entity, number)
            && row.constraint.is_none()
            && row.is_found_by(read.pattern)
        {
            arguments(read.pattern, (entity, row), &read.allows, report);
            return true;
        }
        number += 1;
    }
    false
}

const fn never_written(
    read: Read<'_>,
    entity: &EntityMeta,
    index: &IndexMeta,
    report: &mut Report,
) {
    if report.wants(&rules::I01, &read.allows) {
        let message = begin(read, &rules::I01).push(" returns ").push(entity.name).push(", but ");
        let message = message.push(entity.name).push(" never writes the keys of index ");
        report.add(message.push(index.name).end());
    }
}

const fn unprojected(read: Read<'_>, entity: &EntityMeta, index: &IndexMeta, report: &mut Report) {
    if let Some(attribute) = missing_attribute(read.table, index, entity)
        && report.wants(&rules::I07, &read.allows)
    {
        let message = begin(read, &rules::I07).push(" returns ").push(entity.name);
        let message =
            message.push(" from index ").push(index.name).push(", which does not carry `");
        report.add(message.push(attribute).push("`").end());
    }
}

const fn never_found(read: Read<'_>, entity: &EntityMeta, row: Row<'_>, report: &mut Report) {
    if report.wants(&rules::P04, &read.allows) {
        let message = begin(read, &rules::P04).push(" returns ").push(entity.name);
        let message = message.push(", but never finds ").push_row(row);
        report.add(message.end());
    }
}

/// P03: rows of other entities, or of unique constraints, lie in the range. What runs for every
/// entity is kept apart from the messages, because the interpreter looks through a whole function
/// whenever it is called.
const fn leaks(read: Read<'_>, report: &mut Report) {
    let [partition, ..] = read.pattern.partition else { return };
    let partition = leading_literal(partition).as_bytes();
    let sort = beginning(read.pattern.sort).as_bytes();
    let beginning = Beginning { partition, sort };
    let mut entities = read.table.entities;
    while let [entity, rest @ ..] = entities {
        match read.index {
            Some(index) => index_leak(read, entity, (index, sort), report),
            None if beginning.is_likely(entity) => table_leaks(read, entity, report),
            None => {}
        }
        entities = rest;
    }
}

const fn index_leak(
    read: Read<'_>,
    entity: &EntityMeta,
    (index, sort): (&IndexMeta, &[u8]),
    report: &mut Report,
) {
    let Some(written) = entity_index(entity, index.name) else { return };
    if let [first, ..] = written.sort
        && is_apart_from(first, sort)
    {
        return;
    }
    if let Some(row) = index_row(entity, index)
        && row.is_found_by(read.pattern)
    {
        leak(read, entity, row, report);
    }
}

const fn table_leaks(read: Read<'_>, entity: &EntityMeta, report: &mut Report) {
    let mut first = None;
    let mut number = 0;
    while number < table_row_count(entity) {
        if let Some(row) = table_row(entity, number)
            && row.is_found_by(read.pattern)
        {
            leak(read, entity, row, report);
            match first {
                Some(first) if row.constraint.is_none() => {
                    twice(read, entity, (first, row), report);
                }
                None if row.constraint.is_none() => first = Some(row),
                _ => {}
            }
        }
        number += 1;
    }
}

/// P03: an entity and its mirror lie in one partition, and are both found. In two partitions only one of
/// them is: a game under its home team, and under its guests.
const fn twice(
    read: Read<'_>,
    entity: &EntityMeta,
    (first, second): (Row<'_>, Row<'_>),
    report: &mut Report,
) {
    let ([one, ..], [other, ..]) = (first.partition, second.partition) else { return };
    if text::equal(one.text, other.text)
        && returns(read.pattern, entity.name)
        && report.wants(&rules::P03, &read.allows)
    {
        let message = begin(read, &rules::P03).push(" finds every ").push(entity.name);
        let message = message.push(" twice: ").push_row(first).push(" and its mirror ");
        report.add(message.push_row(second).push(" lie inside its key range").end_with(
            "both are the same entity, and are paid for and returned one by one",
            "narrow the sort key to one of them",
        ));
    }
}

const fn leak(read: Read<'_>, entity: &EntityMeta, row: Row<'_>, report: &mut Report) {
    if (row.constraint.is_none() && returns(read.pattern, entity.name))
        || !report.wants(&rules::P03, &read.allows)
    {
        return;
    }
    let message = begin(read, &rules::P03).push(" also reads ");
    let message = match row.constraint {
        Some(constraint) => {
            message.push("the rows of the unique constraint ").push(constraint).push(" of ")
        }
        None => message,
    };
    let message =
        message.push(entity.name).push(if row.constraint.is_none() { " rows" } else { "" });
    let message = message.push(": ").push_row(row).push(" lies inside its key range").why();
    report.add(match row.constraint {
        Some(_) => message.push("narrow the sort key"),
        None => message
            .push("narrow the sort key, or add ")
            .push(entity.name)
            .push(" to the return type"),
    });
}
