//! D01 for attributes of index keys that an entity writes in two ways, or without saying so.

use super::attributes::{field_with, key_name};
use super::report::Report;
use super::rows::entity_index;
use super::verdict::Message;
use crate::meta::{EntityMeta, IndexKind, IndexMeta, TableMeta, Template};
use crate::{rules, text};

/// Every index of the table, as the entity writes it.
pub(super) const fn shared_attributes(table: &TableMeta, entity: &EntityMeta, report: &mut Report) {
    let mut at = 0;
    while at < table.indexes.len() {
        let index = &table.indexes[at];
        if entity_index(entity, index.name).is_some() {
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

/// The template that an entity renders to the attribute at a position of an index key. The partition
/// of a local index is that of the table.
const fn rendered<'a>(
    entity: &'a EntityMeta,
    index: &IndexMeta,
    position: usize,
) -> Option<&'a Template> {
    let Some(written) = entity_index(entity, index.name) else { return None };
    let partition = index.partition.len();
    if position < partition {
        let is_local = matches!(index.kind, IndexKind::Local);
        if !is_local && position < written.partition.len() {
            return Some(&written.partition[position]);
        }
    } else if position - partition < written.sort.len() {
        return Some(&written.sort[position - partition]);
    }
    None
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
                && !text::equal(first.text, second.text)
                && report.wants(&rules::D01, &[entity.allows, table.allows])
            {
                let message = Message::new(&rules::D01).say(entity.name).say(" writes \"");
                let message = message.say(first.text).say("\" for index ").say(one.name);
                let message = message.say(" and \"").say(second.text).say("\" for index ");
                let message = message.say(other.name).say(" to `").say(key_name(one, left));
                report.add(message.say("`").end_with(
                    "the second replaces the first, so that one index never finds the row",
                    "write one template for both, or give one of the indexes another attribute",
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
        let message = Message::new(&rules::D01).say("field `").say(field.name).say("` of ");
        let message = message.say(entity.name).say(" is written to `").say(field.attribute);
        let message = message.say("`, a key of index ").say(index.name);
        let message = message.say(", which the entity does not declare").say(
            "; its rows lie in the index, and everybody who reads it pays for them; declare \
             `#[index(",
        );
        report.add(message.say(index.name).say(", ..)]`, or rename the attribute of the field"));
    }
}
