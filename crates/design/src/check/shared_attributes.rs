//! D01 for attributes of index keys that an entity writes in two ways, or without declaring it.
//!
//! An attribute has one value in a row. Where it is a key of the table and of an index, or of two
//! indexes, the entity must have one template for it.

use super::attributes::{field_with, key_name};
use super::report::Report;
use super::rows::entity_index;
use super::verdict::Message;
use crate::meta::{
    EntityMeta, IndexKind, IndexMeta, Segment, ShardMeta, TableMeta, Template, TypeAttribute,
};
use crate::{rules, text};

/// Every index of the table, as the entity writes it.
pub(super) const fn shared_attributes(table: &TableMeta, entity: &EntityMeta, report: &mut Report) {
    let mut at = 0;
    while at < table.indexes.len() {
        let index = &table.indexes[at];
        if entity_index(entity, index.name).is_some() {
            key_of_table(table, entity, index, report);
            let mut earlier = 0;
            while earlier < at {
                two_templates(table, entity, (&table.indexes[earlier], index), report);
                earlier += 1;
            }
        } else {
            undeclared(table, entity, index, report);
        }
        at += 1;
    }
}

/// What an entity renders to one attribute.
#[derive(Clone, Copy)]
struct Rendered<'a> {
    template: &'a Template,
    shards: Option<ShardMeta>,
}

impl Rendered<'_> {
    /// Returns whether both give the same text in every row.
    const fn is_same(self, other: Rendered<'_>) -> bool {
        let is_spread_alike = match (self.shards, other.shards) {
            (Some(one), Some(other)) => one.count == other.count && one.by == other.by,
            (None, None) => true,
            _ => false,
        };
        text::equal(self.template.text, other.template.text) && is_spread_alike
    }
}

/// Returns what an entity renders to the attribute at a position of an index key. The partition of a local index
/// is that of the table.
const fn rendered<'a>(
    entity: &'a EntityMeta,
    index: &IndexMeta,
    position: usize,
) -> Option<Rendered<'a>> {
    let Some(written) = entity_index(entity, index.name) else { return None };
    let partition = index.partition.len();
    if position < partition {
        let is_local = matches!(index.kind, IndexKind::Local);
        if !is_local && position < written.partition.len() {
            return Some(with_shards(&written.partition[position], written.shards));
        }
    } else if position - partition < written.sort.len() {
        return Some(with_shards(&written.sort[position - partition], None));
    }
    None
}

/// Returns a template, with the shards if it has their number in it.
const fn with_shards(template: &Template, shards: Option<ShardMeta>) -> Rendered<'_> {
    let mut segments = template.segments;
    while let [segment, rest @ ..] = segments {
        if matches!(segment, Segment::Shard) {
            return Rendered { template, shards };
        }
        segments = rest;
    }
    Rendered { template, shards: None }
}

/// D01: an index is on an attribute of the table's key or on that of the type, and the entity has another
/// template for it.
const fn key_of_table(
    table: &TableMeta,
    entity: &EntityMeta,
    index: &IndexMeta,
    report: &mut Report,
) {
    let mut position = 0;
    while position < index.partition.len() + index.sort.len() {
        let attribute = key_name(index, position);
        let key = &entity.key;
        let type_name = Template { text: entity.type_name, segments: &[] };
        let (own, place) = match (&key.sort, table.sort_key) {
            _ if is_type(table, attribute) => {
                (Some(Rendered { template: &type_name, shards: None }), "its type")
            }
            _ if text::equal(table.partition_key, attribute) => {
                (Some(with_shards(&key.partition, key.shards)), "the partition key")
            }
            (Some(sort), Some(name)) if text::equal(name, attribute) => {
                (Some(with_shards(sort, None)), "the sort key")
            }
            _ => (None, ""),
        };
        if let Some(own) = own
            && let Some(other) = rendered(entity, index, position)
            && !own.is_same(other)
            && report.wants(&rules::D01, &[entity.allows, index.allows, table.allows])
        {
            let message = Message::new(&rules::D01).push(entity.name).push(" writes \"");
            let message = message.push(own.template.text).push("\" for ").push(place);
            let message = message.push(" and \"").push(other.template.text).push("\" for index ");
            let message = message.push(index.name).push(" to `").push(attribute);
            report.add(message.push("`").end_with(
                "a row has the first of them there, so that the index never finds the other",
                "write the first for the index, too, or give the index an attribute of its own",
            ));
        }
        position += 1;
    }
}

/// Returns whether an attribute holds the type of a row.
const fn is_type(table: &TableMeta, attribute: &str) -> bool {
    match table.type_attribute {
        TypeAttribute::Named(name) => text::equal(name, attribute),
        TypeAttribute::ByKey => false,
    }
}

/// D01: two indexes have an attribute in common, and the entity another template for each.
const fn two_templates(
    table: &TableMeta,
    entity: &EntityMeta,
    (one, other): (&IndexMeta, &IndexMeta),
    report: &mut Report,
) {
    let mut left = 0;
    while left < one.partition.len() + one.sort.len() {
        let mut right = 0;
        while right < other.partition.len() + other.sort.len() {
            if text::equal(key_name(one, left), key_name(other, right))
                && let Some(first) = rendered(entity, one, left)
                && let Some(second) = rendered(entity, other, right)
                && !first.is_same(second)
                && report.wants(&rules::D01, &[entity.allows, table.allows])
            {
                let message = Message::new(&rules::D01).push(entity.name).push(" writes \"");
                let message =
                    message.push(first.template.text).push("\" for index ").push(one.name);
                let message = message.push(" and \"").push(second.template.text);
                let message = message.push("\" for index ").push(other.name).push(" to `");
                report.add(message.push(key_name(one, left)).push("`").end_with(
                    "the second replaces the first, so that one index never finds the row",
                    "write one template for both, with the same shards, or give one of the indexes \
                     another attribute",
                ));
            }
            right += 1;
        }
        left += 1;
    }
}

/// D01: plain fields of the entity are the whole key of an index that it does not declare.
const fn undeclared(
    table: &TableMeta,
    entity: &EntityMeta,
    index: &IndexMeta,
    report: &mut Report,
) {
    let keys = index.partition.len() + index.sort.len();
    // The partition of a local index is written anyway.
    let mut key = if matches!(index.kind, IndexKind::Local) { index.partition.len() } else { 0 };
    let mut found = None;
    while key < keys {
        found = field_with(entity, key_name(index, key));
        if found.is_none() {
            return;
        }
        key += 1;
    }
    if let Some(field) = found
        && report.wants(&rules::D01, &[entity.allows, index.allows, table.allows])
    {
        let message = Message::new(&rules::D01).push("field `").push(field.name).push("` of ");
        let message = message.push(entity.name).push(" is written to `").push(field.attribute);
        let message = message.push("`, a key of index ").push(index.name);
        let message = message.push(", which the entity does not declare").push(
            "; its rows are in the index, and every reader of the index pays for them; declare \
             `#[index(",
        );
        report.add(message.push(index.name).push(": ..)]`, or rename the attribute of the field"));
    }
}
