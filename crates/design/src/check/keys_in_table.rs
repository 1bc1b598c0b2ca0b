//! The rules for the keys of one entity among those of the others: K01, K02, K03.

use super::overlap::leading_literal;
use super::report::{Report, permission};
use super::rows::{Row, index_row, is_native, returns, table_row, table_row_count};
use super::verdict::Message;
use crate::meta::{EntityMeta, IndexMeta, PatternMeta, SortTest, TableMeta};
use crate::{rules, text};

/// Every row of the entity against every row of the entities before it, and against its own others.
pub(super) const fn same_key(table: &TableMeta, position: usize, report: &mut Report) {
    let entity = table.entities[position];
    let mut mine = 0;
    while mine < table_row_count(entity) {
        if let Some(row) = table_row(entity, mine) {
            let mut other = 0;
            while other < position {
                let count = table_row_count(table.entities[other]);
                against(table, (entity, row), (table.entities[other], count), report);
                other += 1;
            }
            against(table, (entity, row), (entity, mine), report);
        }
        mine += 1;
    }
}

/// K01: one row against the first `count` rows of an entity.
const fn against(
    table: &TableMeta,
    (entity, row): (&EntityMeta, Row<'_>),
    (other, count): (&EntityMeta, usize),
    report: &mut Report,
) {
    let mut number = 0;
    while number < count {
        if let Some(theirs) = table_row(other, number)
            && row.shares_key(theirs)
            && report.wants(&rules::K01, &[entity.allows, other.allows, table.allows])
        {
            let message = say_owner(Message::new(&rules::K01), other, theirs).say(" and ");
            let message =
                say_owner(message, entity, row).say(" can produce the same primary key: ");
            report.add(message.say_row(theirs).say(" overlaps ").say_row(row).end());
        }
        number += 1;
    }
}

const fn say_owner(message: Message, entity: &EntityMeta, row: Row<'_>) -> Message {
    match row.constraint {
        Some(constraint) => {
            message.say("the unique constraint ").say(constraint).say(" of ").say(entity.name)
        }
        None => message.say(entity.name),
    }
}

/// K02 and K03 for the table and for every index that the entity writes.
pub(super) const fn shared_partition(table: &TableMeta, position: usize, report: &mut Report) {
    let entity = table.entities[position];
    if let Some(row) = table_row(entity, 0) {
        in_space(table, position, row, None, report);
    }
    let mut at = 0;
    while at < table.indexes.len() {
        if let Some(row) = index_row(entity, &table.indexes[at]) {
            in_space(table, position, row, Some(&table.indexes[at]), report);
        }
        at += 1;
    }
}

/// One row among those of the other entities in the table or in an index.
const fn in_space(
    table: &TableMeta,
    position: usize,
    row: Row<'_>,
    index: Option<&IndexMeta>,
    report: &mut Report,
) {
    let entity = table.entities[position];
    let is_open = begins_with_field(entity, row, index);
    let mut is_reported = false;
    // Two entities are compared for K02 once, at the later of them.
    let end = if is_open { table.entities.len() } else { position };
    let mut at = 0;
    while at < end {
        let other = table.entities[at];
        let theirs = match index {
            Some(index) => index_row(other, index),
            None => table_row(other, 0),
        };
        if let Some(theirs) = theirs
            && at != position
        {
            if at < position && is_prefix(row, theirs) && row.shares_partition(theirs) {
                prefix(table, (entity, row), (other, theirs), index, report);
            }
            if is_open && !is_reported && row.shares_partition(theirs) {
                is_reported = true;
                open(table, (entity, row), (other, theirs), index, report);
            }
        }
        at += 1;
    }
}

/// Whether a template of the row begins with a field.
const fn begins_with_field(entity: &EntityMeta, row: Row<'_>, index: Option<&IndexMeta>) -> bool {
    let mut at = 0;
    while at < row.partition.len() + row.sort.len() {
        let is_partition = at < row.partition.len();
        let number = if is_partition { at } else { at - row.partition.len() };
        let template = if is_partition { &row.partition[number] } else { &row.sort[number] };
        let is_native = match index {
            Some(index) => {
                let attributes = if is_partition { index.partition } else { index.sort };
                number < attributes.len() && is_native(entity, template, attributes[number])
            }
            None => false,
        };
        if leading_literal(template).is_empty() && !is_native {
            return true;
        }
        at += 1;
    }
    false
}

/// K03: the row shares its partitions and begins with a field.
const fn open(
    table: &TableMeta,
    (entity, row): (&EntityMeta, Row<'_>),
    (other, theirs): (&EntityMeta, Row<'_>),
    index: Option<&IndexMeta>,
    report: &mut Report,
) {
    if report.wants(&rules::K03, &[entity.allows, table.allows]) {
        let message = Message::new(&rules::K03).say(entity.name).say(" has no literal first in ");
        let message = say_space(message.say_row(row), index).say(", where ").say(other.name);
        report.add(message.say(" can lie in the same partition with ").say_row(theirs).end());
    }
}

const fn say_space(message: Message, index: Option<&IndexMeta>) -> Message {
    match index {
        Some(index) => message.say(" of index ").say(index.name),
        None => message,
    }
}

/// Whether the sort key literal of one row begins with that of the other, neither being empty.
const fn is_prefix(row: Row<'_>, theirs: Row<'_>) -> bool {
    let ([mine, ..], [theirs, ..]) = (row.sort, theirs.sort) else { return false };
    let (mine, theirs) = (leading_literal(mine), leading_literal(theirs));
    !mine.is_empty()
        && !theirs.is_empty()
        && (text::starts_with(mine, theirs) || text::starts_with(theirs, mine))
}

/// K02: some pattern asks for the shorter literal and does not return both entities.
const fn prefix(
    table: &TableMeta,
    (entity, row): (&EntityMeta, Row<'_>),
    (other, theirs): (&EntityMeta, Row<'_>),
    index: Option<&IndexMeta>,
    report: &mut Report,
) {
    let Some(pattern) = confused(table, (entity, row), (other, theirs), index) else { return };
    if !report.wants(&rules::K02, &[entity.allows, other.allows, table.allows]) {
        return;
    }
    let (mine, others) = (&row.sort[0], &theirs.sort[0]);
    let is_shorter = leading_literal(mine).len() <= leading_literal(others).len();
    let (short, long) = if is_shorter {
        ((entity, mine), (other, others))
    } else {
        ((other, others), (entity, mine))
    };
    let message = Message::new(&rules::K02).say("the sort key \"").say(long.1.text);
    let message = message.say("\" of ").say(long.0.name).say(" begins like \"");
    let message = message.say(short.1.text).say("\" of ").say(short.0.name);
    let message = say_space(message.say(" in the same partition"), index);
    report.add(message.say(", and pattern ").say(pattern.name).say(" does not return both").end());
}

/// A pattern that finds both rows by the beginning of their sort key, and does not return both.
const fn confused(
    table: &TableMeta,
    (entity, row): (&EntityMeta, Row<'_>),
    (other, theirs): (&EntityMeta, Row<'_>),
    index: Option<&IndexMeta>,
) -> Option<&'static PatternMeta> {
    let mut set = 0;
    while set < table.pattern_sets.len() {
        let patterns = table.pattern_sets[set].patterns;
        let mut at = 0;
        while at < patterns.len() {
            let pattern = &patterns[at];
            if let [SortTest::BeginsWith(_), ..] = pattern.sort
                && reads(pattern, index)
                && row.is_found_by(pattern)
                && theirs.is_found_by(pattern)
                && !(returns(pattern, entity.name) && returns(pattern, other.name))
                && permission(&rules::P03, &[pattern.allows]).is_none()
            {
                return Some(pattern);
            }
            at += 1;
        }
        set += 1;
    }
    None
}

const fn reads(pattern: &PatternMeta, index: Option<&IndexMeta>) -> bool {
    match (pattern.index, index) {
        (None, None) => true,
        (Some(name), Some(index)) => text::equal(name, index.name),
        _ => false,
    }
}
