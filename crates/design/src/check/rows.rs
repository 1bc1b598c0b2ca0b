//! The rows that entities write: the key templates in the table, and those in an index.

use core::slice;

use super::overlap::{all_overlap, is_apart_from, leading_literal};
use super::range::can_find;
use super::verdict::Message;
use crate::meta::{
    EntityIndexMeta, EntityMeta, IndexKind, IndexMeta, KeyMeta, PatternMeta, Segment, ShardMeta,
    TableMeta, Template, UniqueMeta,
};
use crate::text;

/// The keys of one kind of row, in the table or in an index.
#[derive(Clone, Copy)]
pub(crate) struct Row<'a> {
    /// One template an attribute of the partition key.
    pub(crate) partition: &'a [Template],
    /// One template an attribute of the sort key.
    pub(crate) sort: &'a [Template],
    /// The unique constraint that keeps the row, if it is not the entity itself.
    pub(crate) constraint: Option<&'static str>,
    /// How the partition is spread, if it is.
    pub(crate) shards: Option<ShardMeta>,
}

impl<'a> Row<'a> {
    const fn of_key(key: &'a KeyMeta) -> Self {
        let sort = match &key.sort {
            Some(sort) => slice::from_ref(sort),
            None => &[],
        };
        let partition = slice::from_ref(&key.partition);
        Self { partition, sort, constraint: None, shards: key.shards }
    }

    /// Returns whether rows of both kinds can have the same key.
    pub(crate) const fn shares_key(self, other: Row<'_>) -> bool {
        all_overlap(self.sort, other.sort) && self.shares_partition(other)
    }

    /// Returns whether rows of both kinds can lie in one partition.
    pub(crate) const fn shares_partition(self, other: Row<'_>) -> bool {
        all_overlap(self.partition, other.partition)
    }

    /// Returns whether a pattern can find such rows.
    pub(crate) const fn is_found_by(self, pattern: &PatternMeta) -> bool {
        can_find(pattern.sort, self.sort) && all_overlap(self.partition, pattern.partition)
    }
}

/// What the keys of a row begin with: enough to pass over most rows at little cost.
#[derive(Clone, Copy)]
pub(crate) struct Beginning {
    /// The literal at the beginning of the partition key.
    pub(crate) partition: &'static [u8],
    /// The literal at the beginning of the sort key.
    pub(crate) sort: &'static [u8],
}

impl Beginning {
    /// Returns what the keys of a row begin with.
    pub(crate) const fn of(row: Row<'_>) -> Self {
        let partition = match row.partition {
            [partition, ..] => leading_literal(partition).as_bytes(),
            [] => &[],
        };
        let sort = match row.sort {
            [sort, ..] => leading_literal(sort).as_bytes(),
            [] => &[],
        };
        Self { partition, sort }
    }

    /// Returns whether one of the rows that an entity writes to the table may begin so.
    pub(crate) const fn is_likely(&self, entity: &EntityMeta) -> bool {
        let is_sort = match &entity.key.sort {
            Some(sort) => !is_apart_from(sort, self.sort),
            None => true,
        };
        (is_sort && !is_apart_from(&entity.key.partition, self.partition))
            || !matches!(entity.mirrors, [])
            || self.is_likely_unique(entity.unique)
    }

    const fn is_likely_unique(&self, unique: &[UniqueMeta]) -> bool {
        let mut unique = unique;
        while let [one, rest @ ..] = unique {
            if !is_apart_from(&one.partition, self.partition)
                && !is_apart_from(&one.sort, self.sort)
            {
                return true;
            }
            unique = rest;
        }
        false
    }
}

impl Message {
    /// Goes on with the templates of a row: `"TEAM#{team_id}" / "METADATA"`.
    pub(crate) const fn push_row(self, row: Row<'_>) -> Self {
        let mut message = self;
        let mut at = 0;
        while at < row.partition.len() + row.sort.len() {
            if at > 0 {
                message = message.push(" / ");
            }
            let template = if at < row.partition.len() {
                row.partition[at]
            } else {
                row.sort[at - row.partition.len()]
            };
            message = message.push("\"").push(template.text).push("\"");
            at += 1;
        }
        message
    }
}

/// Returns how many kinds of rows an entity may write to the table.
pub(crate) const fn table_row_count(entity: &EntityMeta) -> usize {
    1 + entity.mirrors.len() + entity.unique.len()
}

/// Returns one kind of row that an entity writes to the table: itself, itself under another key, or what keeps
/// a unique constraint. A mirror that is another entity has its keys there.
pub(crate) const fn table_row(entity: &EntityMeta, number: usize) -> Option<Row<'_>> {
    if number == 0 {
        return Some(Row::of_key(&entity.key));
    }
    let (number, mirrors) = (number - 1, entity.mirrors.len());
    if number < mirrors {
        return match &entity.mirrors[number].key {
            Some(key) => Some(Row::of_key(key)),
            None => None,
        };
    }
    let unique = &entity.unique[number - mirrors];
    Some(Row {
        partition: slice::from_ref(&unique.partition),
        sort: slice::from_ref(&unique.sort),
        constraint: Some(unique.name),
        shards: None,
    })
}

/// Returns the row of an entity in an index, if it writes that index. A local index has the table's partition.
pub(crate) const fn index_row<'a>(entity: &'a EntityMeta, index: &IndexMeta) -> Option<Row<'a>> {
    match entity_index(entity, index.name) {
        Some(written) => {
            let (partition, shards) = match index.kind {
                IndexKind::Local => (slice::from_ref(&entity.key.partition), entity.key.shards),
                _ => (written.partition, written.shards),
            };
            Some(Row { partition, sort: written.sort, constraint: None, shards })
        }
        None => None,
    }
}

/// Returns what an entity writes for an index.
pub(crate) const fn entity_index<'a>(
    entity: &'a EntityMeta,
    name: &str,
) -> Option<&'a EntityIndexMeta> {
    let mut indexes = entity.indexes;
    while let [written, rest @ ..] = indexes {
        if text::equal(written.index, name) {
            return Some(written);
        }
        indexes = rest;
    }
    None
}

/// Returns an index of the table.
pub(crate) const fn table_index(table: &TableMeta, name: &str) -> Option<&'static IndexMeta> {
    let mut at = 0;
    while at < table.indexes.len() {
        if text::equal(table.indexes[at].name, name) {
            return Some(&table.indexes[at]);
        }
        at += 1;
    }
    None
}

/// Returns an entity of the table.
pub(crate) const fn table_entity(table: &TableMeta, name: &str) -> Option<&'static EntityMeta> {
    let mut at = 0;
    while at < table.entities.len() {
        if text::equal(table.entities[at].name, name) {
            return Some(table.entities[at]);
        }
        at += 1;
    }
    None
}

/// Returns whether a pattern returns an entity.
pub(crate) const fn returns(pattern: &PatternMeta, entity: &str) -> bool {
    let mut at = 0;
    while at < pattern.returns.len() {
        if text::equal(pattern.returns[at].name, entity) {
            return true;
        }
        at += 1;
    }
    false
}

/// Returns the attribute that a template is the plain value of: one field without padding.
pub(crate) const fn plain_attribute(entity: &EntityMeta, template: &Template) -> Option<u16> {
    match template.segments {
        [Segment::Field { position, pad: 0, .. }] if (*position as usize) < entity.fields.len() => {
            Some(*position)
        }
        _ => None,
    }
}

/// Returns whether an attribute of an index key is a field of the entity as it is: nothing is rendered, so the
/// rules about text do not apply.
pub(crate) const fn is_native(entity: &EntityMeta, template: &Template, attribute: &str) -> bool {
    match plain_attribute(entity, template) {
        Some(position) => text::equal(entity.fields[position as usize].attribute, attribute),
        None => false,
    }
}
