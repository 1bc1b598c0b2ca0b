//! The rules for the keys of one entity, or of one rule, among those of the others: K01, K02, K03.

use super::overlap::{is_apart_from, leading_literal};
use super::report::{Report, permission};
use super::rows::{
    Beginning, Row, entity_index, index_row, is_native, returns, table_row, table_row_count,
};
use super::verdict::Message;
use crate::meta::{EntityIndexMeta, EntityMeta, IndexMeta, PatternMeta, SortTest, TableMeta};
use crate::{rules, text};

/// Every row of the entity against every row of the entities before it, and against its own others.
pub(super) const fn same_key(table: &TableMeta, position: usize, report: &mut Report) {
    let entity = table.entities[position];
    let count = table_row_count(entity);
    let mut mine = 0;
    while mine < count {
        if let Some(row) = table_row(entity, mine) {
            let beginning = Beginning::of(row);
            let (mut others, _) = table.entities.split_at(position);
            while let [other, rest @ ..] = others {
                if beginning.is_likely(other) {
                    against(table, (entity, row), (other, table_row_count(other)), report);
                }
                others = rest;
            }
            against(table, (entity, row), (entity, mine), report);
        }
        mine += 1;
    }
}

/// K01: one row against the first `count` rows of an entity.
pub(super) const fn against(
    table: &TableMeta,
    (entity, row): (&EntityMeta, Row<'_>),
    (other, count): (&EntityMeta, usize),
    report: &mut Report,
) {
    let mut number = 0;
    while number < count {
        if let Some(theirs) = table_row(other, number)
            && row.shares_key(theirs)
        {
            collision(table, (entity, row), (other, theirs), report);
        }
        number += 1;
    }
}

const fn collision(
    table: &TableMeta,
    (entity, row): (&EntityMeta, Row<'_>),
    (other, theirs): (&EntityMeta, Row<'_>),
    report: &mut Report,
) {
    if report.wants(&rules::K01, &[entity.allows, other.allows, table.allows]) {
        let message = push_owner(Message::new(&rules::K01), other, theirs).push(" and ");
        let message = push_owner(message, entity, row).push(" can produce the same primary key: ");
        report.add(message.push_row(theirs).push(" overlaps ").push_row(row).end());
    }
}

const fn push_owner(message: Message, entity: &EntityMeta, row: Row<'_>) -> Message {
    match row.constraint {
        Some(constraint) => {
            message.push("the unique constraint ").push(constraint).push(" of ").push(entity.name)
        }
        None => push_name(message, entity),
    }
}

const fn push_name(message: Message, entity: &EntityMeta) -> Message {
    let message = if entity.is_rule_row() { message.push("the rule key ") } else { message };
    message.push(entity.name)
}

/// Returns whether an entity may break K01, K02 or K03 together with another one.
pub(super) const fn is_near(table: &TableMeta, position: usize) -> bool {
    let entity = table.entities[position];
    if let Some(row) = table_row(entity, 0)
        && is_near_in(table, position, row, None)
    {
        return true;
    }
    let mut indexes = table.indexes;
    while let [index, rest @ ..] = indexes {
        if let Some(row) = index_row(entity, index)
            && is_near_in(table, position, row, Some(index))
        {
            return true;
        }
        indexes = rest;
    }
    may_share_key(table, position)
}

/// Returns whether some row of an entity may have the key of a row of an entity before it.
const fn may_share_key(table: &TableMeta, position: usize) -> bool {
    let entity = table.entities[position];
    let mut mine = 0;
    while mine < table_row_count(entity) {
        if let Some(row) = table_row(entity, mine) {
            let beginning = Beginning::of(row);
            let (mut earlier, _) = table.entities.split_at(position);
            while let [other, rest @ ..] = earlier {
                if beginning.is_likely(other) && has_key_of(row, other) {
                    return true;
                }
                earlier = rest;
            }
        }
        mine += 1;
    }
    false
}

const fn has_key_of(row: Row<'_>, other: &EntityMeta) -> bool {
    let mut number = 0;
    while number < table_row_count(other) {
        if let Some(theirs) = table_row(other, number)
            && row.shares_key(theirs)
        {
            return true;
        }
        number += 1;
    }
    false
}

/// Returns whether rows of two entities can be in the same partition of the table or an index, and
/// begin with the same literal or with a field.
const fn is_near_in(
    table: &TableMeta,
    position: usize,
    row: Row<'_>,
    index: Option<&IndexMeta>,
) -> bool {
    if let [sort, ..] = row.sort {
        let sort = leading_literal(sort).as_bytes();
        let (mut earlier, _) = table.entities.split_at(position);
        while let [other, rest @ ..] = earlier {
            if let Some(theirs) = row_like(other, sort, index)
                && is_prefix(row, theirs)
                && row.shares_partition(theirs)
            {
                return true;
            }
            earlier = rest;
        }
    }
    begins_with_field(table.entities[position], row, index)
        && shares_partition_with_any(table, position, row, index)
}

const fn shares_partition_with_any(
    table: &TableMeta,
    position: usize,
    row: Row<'_>,
    index: Option<&IndexMeta>,
) -> bool {
    let mut at = 0;
    while at < table.entities.len() {
        if at != position
            && let Some(theirs) = row_in(table.entities[at], index)
            && row.shares_partition(theirs)
        {
            return true;
        }
        at += 1;
    }
    false
}

/// K02 and K03 for the table and for every index that the entity writes.
pub(super) const fn shared_partition(table: &TableMeta, position: usize, report: &mut Report) {
    let entity = table.entities[position];
    if let Some(row) = table_row(entity, 0) {
        in_space(table, position, row, None, report);
    }
    let mut indexes = table.indexes;
    while let [index, rest @ ..] = indexes {
        if let Some(row) = index_row(entity, index) {
            in_space(table, position, row, Some(index), report);
        }
        indexes = rest;
    }
}

/// One row among those of the other entities in the table or in an index. For K02 two entities are
/// compared once, at the later of them.
const fn in_space(
    table: &TableMeta,
    position: usize,
    row: Row<'_>,
    index: Option<&IndexMeta>,
    report: &mut Report,
) {
    let mine = (table.entities[position], row);
    let (mut earlier, _) = table.entities.split_at(position);
    if let [sort, ..] = row.sort {
        let sort = leading_literal(sort).as_bytes();
        while let [other, rest @ ..] = earlier {
            if let Some(theirs) = row_like(other, sort, index)
                && is_prefix(row, theirs)
                && row.shares_partition(theirs)
            {
                prefix(table, mine, (other, theirs), index, report);
            }
            earlier = rest;
        }
    }
    if begins_with_field(mine.0, row, index) {
        opens(table, position, row, index, report);
    }
}

/// Returns the row of an entity, if its sort key may begin like a literal.
const fn row_like<'a>(
    entity: &'a EntityMeta,
    sort: &[u8],
    index: Option<&IndexMeta>,
) -> Option<Row<'a>> {
    match index {
        None => match &entity.key.sort {
            Some(theirs) if !is_apart_from(theirs, sort) => row_in(entity, index),
            _ => None,
        },
        Some(index) => match entity_index(entity, index.name) {
            Some(EntityIndexMeta { sort: [theirs, ..], .. }) if !is_apart_from(theirs, sort) => {
                index_row(entity, index)
            }
            _ => None,
        },
    }
}

const fn row_in<'a>(entity: &'a EntityMeta, index: Option<&IndexMeta>) -> Option<Row<'a>> {
    match index {
        Some(index) => index_row(entity, index),
        None => table_row(entity, 0),
    }
}

/// K03: looks for another entity in the partitions of a row that begins with a field.
const fn opens(
    table: &TableMeta,
    position: usize,
    row: Row<'_>,
    index: Option<&IndexMeta>,
    report: &mut Report,
) {
    let mut at = 0;
    while at < table.entities.len() {
        let other = table.entities[at];
        if let Some(theirs) = row_in(other, index)
            && at != position
            && row.shares_partition(theirs)
        {
            return open(table, (table.entities[position], row), (other, theirs), index, report);
        }
        at += 1;
    }
}

/// Returns whether a template of the row begins with a field.
pub(super) const fn begins_with_field(
    entity: &EntityMeta,
    row: Row<'_>,
    index: Option<&IndexMeta>,
) -> bool {
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
pub(super) const fn open(
    table: &TableMeta,
    (entity, row): (&EntityMeta, Row<'_>),
    (other, theirs): (&EntityMeta, Row<'_>),
    index: Option<&IndexMeta>,
    report: &mut Report,
) {
    // The key of a rule may be any text on purpose, which none of the entities can help.
    let theirs_allows: &[_] = if other.is_rule_row() { other.allows } else { &[] };
    if report.wants(&rules::K03, &[entity.allows, theirs_allows, table.allows]) {
        let message =
            push_name(Message::new(&rules::K03), entity).push(" has no literal first in ");
        let message = push_space(message.push_row(row), index).push(", where ");
        let message = push_name(message, other);
        report.add(message.push(" can lie in the same partition with ").push_row(theirs).end());
    }
}

const fn push_space(message: Message, index: Option<&IndexMeta>) -> Message {
    match index {
        Some(index) => message.push(" of index ").push(index.name),
        None => message,
    }
}

/// Returns whether the sort key literal of one row begins with that of the other, neither being empty.
pub(super) const fn is_prefix(row: Row<'_>, theirs: Row<'_>) -> bool {
    let ([mine, ..], [theirs, ..]) = (row.sort, theirs.sort) else { return false };
    let (mine, theirs) = (leading_literal(mine), leading_literal(theirs));
    !mine.is_empty()
        && !theirs.is_empty()
        && (text::starts_with(mine, theirs) || text::starts_with(theirs, mine))
}

/// K02: some pattern requests the shorter literal and does not return both entities.
pub(super) const fn prefix(
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
    let message = Message::new(&rules::K02).push("the sort key \"").push(long.1.text);
    let message = push_name(message.push("\" of "), long.0).push(" begins like \"");
    let message = push_name(message.push(short.1.text).push("\" of "), short.0);
    let message = push_space(message.push(" in the same partition"), index);
    report
        .add(message.push(", and pattern ").push(pattern.name).push(" does not return both").end());
}

/// Returns a pattern that finds both rows by the beginning of their sort key, and does not return both.
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
                && !(is_returned(pattern, entity) && is_returned(pattern, other))
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

/// Returns whether a pattern returns an entity, or an entity that reads the rows of a rule key.
const fn is_returned(pattern: &PatternMeta, entity: &EntityMeta) -> bool {
    if !entity.is_rule_row() {
        return returns(pattern, entity.name);
    }
    let mut returned = pattern.returns;
    while let [one, rest @ ..] = returned {
        if one.reads_rule(entity) {
            return true;
        }
        returned = rest;
    }
    false
}

const fn reads(pattern: &PatternMeta, index: Option<&IndexMeta>) -> bool {
    match (pattern.index, index) {
        (None, None) => true,
        (Some(name), Some(index)) => text::equal(name, index.name),
        _ => false,
    }
}
