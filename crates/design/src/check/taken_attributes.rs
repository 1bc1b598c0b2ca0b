//! D01 for one entity in its table: fields whose attributes keys, the type attribute or fields of other
//! entities have, too.

use super::attributes::{
    KeyAttribute, field_with, is_known, is_same, key_attribute, key_name, type_name,
};
use super::report::Report;
use super::rows::is_native;
use super::verdict::Message;
use crate::meta::{
    EntityMeta, FieldMeta, IndexMeta, Projection, TableMeta, TypeAttribute, WireType,
};
use crate::{rules, text};

/// Why a field must not have the name of a key, and what to do.
const CLASH: (&str, &str) =
    ("one of the two values would replace the other", "rename the attribute of the field");

/// D01: a field has the name of an attribute that the table itself writes.
pub(super) const fn names(table: &TableMeta, entity: &EntityMeta, report: &mut Report) {
    if is_native(entity, &entity.key.partition, table.partition_key) {
        number_key(table, entity, table.partition_key, "the partition key", report);
    } else {
        taken(table, entity, table.partition_key, "the partition key", report);
    }
    if let (Some(name), Some(sort)) = (table.sort_key, &entity.key.sort) {
        if is_native(entity, sort, name) {
            number_key(table, entity, name, "the sort key", report);
        } else {
            taken(table, entity, name, "the sort key", report);
        }
    }
    if let TypeAttribute::Named(name) = table.type_attribute {
        taken(table, entity, name, "the type attribute", report);
        read_as_field(table, entity, name, report);
    }
}

/// D01: the type of a row would be read as the field that once had its name.
const fn read_as_field(
    table: &TableMeta,
    entity: &EntityMeta,
    attribute: &str,
    report: &mut Report,
) {
    let mut fields = entity.fields;
    while let [field, rest @ ..] = fields {
        if text::is_in(field.aliases, attribute)
            && report.wants(&rules::D01, &[entity.allows, table.allows])
        {
            let message = Message::new(&rules::D01).push("field `").push(field.name).push("` of ");
            let message = message.push(entity.name).push(" is also read from `").push(attribute);
            let message = message.push("`, which is the type attribute of ").push(table.name);
            report.add(message.end_with(
                "the type of a row would be taken for the value of the field",
                "remove the alias, or name another type attribute",
            ));
        }
        fields = rest;
    }
}

const fn taken(
    table: &TableMeta,
    entity: &EntityMeta,
    attribute: &str,
    what: &str,
    report: &mut Report,
) {
    if let Some(field) = field_with(entity, attribute)
        && report.wants(&rules::D01, &[entity.allows, table.allows])
    {
        let message = Message::new(&rules::D01).push("field `").push(field.name).push("` of ");
        let message = message.push(entity.name).push(" is written to `").push(attribute);
        let message = message.push("`, which is ").push(what).push(" of ").push(table.name);
        report.add(message.end_with(CLASH.0, CLASH.1));
    }
}

/// D01: a field that is a key of the table as it is must be a text, as all of these keys are.
const fn number_key(
    table: &TableMeta,
    entity: &EntityMeta,
    attribute: &str,
    what: &str,
    report: &mut Report,
) {
    if let Some(field) = field_with(entity, attribute)
        && matches!(field.wire_type, WireType::N)
        && report.wants(&rules::D01, &[entity.allows, table.allows])
    {
        let message = Message::new(&rules::D01).push("field `").push(field.name).push("` of ");
        let message =
            message.push(entity.name).push(" is a number and written to `").push(attribute);
        let message = message.push("`, which is ").push(what).push(" of ").push(table.name);
        report.add(message.end_with(
            "the key is a text, and DynamoDB refuses a row that has both",
            "give the key an attribute of its own, such as `key(PK, SK)`, or use a typed id",
        ));
    }
}

/// D01: an attribute of an index has another type than in another entity. Only entities with a
/// field of that name can be the cause, so only those are compared.
pub(super) const fn types(table: &TableMeta, position: usize, report: &mut Report) {
    let entity = table.entities[position];
    let mut indexes = table.indexes;
    while let [index, rest @ ..] = indexes {
        let mut key = 0;
        while key < index.partition.len() + index.sort.len() {
            if let Some(field) = field_with(entity, key_name(index, key)) {
                key_type(table, position, (index, key), field, report);
            }
            key += 1;
        }
        if let Projection::Include(attributes) = index.projection {
            let mut included = 0;
            while included < attributes.len() {
                included_type(table, position, index, attributes[included], report);
                included += 1;
            }
        }
        indexes = rest;
    }
}

const fn key_type(
    table: &TableMeta,
    position: usize,
    (index, key): (&IndexMeta, usize),
    field: &FieldMeta,
    report: &mut Report,
) {
    let entity = table.entities[position];
    match key_attribute(entity, index, key) {
        KeyAttribute::None => {}
        KeyAttribute::Value(mine) => {
            let mut other = 0;
            while other < table.entities.len() {
                let theirs = key_attribute(table.entities[other], index, key);
                // A pair in which both have such a field is compared once, at the later of them.
                let is_mine = other < position
                    || field_with(table.entities[other], key_name(index, key)).is_none();
                if let KeyAttribute::Value(theirs) = theirs
                    && !is_same(mine, theirs)
                    && is_mine
                {
                    let other = table.entities[other];
                    return mixed(table, (index, key), (entity, mine), (other, theirs), report);
                }
                other += 1;
            }
        }
        KeyAttribute::Clash => {
            if report.wants(&rules::D01, &[entity.allows, index.allows, table.allows]) {
                let message = Message::new(&rules::D01).push("field `").push(field.name);
                let message = message.push("` of ").push(entity.name).push(" is written to `");
                let message =
                    message.push(key_name(index, key)).push("`, where its key for index ");
                let message = message.push(index.name).push(" stands");
                report.add(message.end_with(CLASH.0, CLASH.1));
            }
        }
    }
}

const fn mixed(
    table: &TableMeta,
    (index, key): (&IndexMeta, usize),
    (entity, mine): (&EntityMeta, WireType),
    (other, theirs): (&EntityMeta, WireType),
    report: &mut Report,
) {
    if report.wants(&rules::D01, &[entity.allows, other.allows, index.allows, table.allows]) {
        let message = Message::new(&rules::D01).push("`").push(key_name(index, key));
        let message = message.push("`, a key of index ").push(index.name).push(", is ");
        let message = message.push(type_name(theirs)).push(" in ").push(other.name).push(" and ");
        report.add(message.push(type_name(mine)).push(" in ").push(entity.name).end());
    }
}

const fn included_type(
    table: &TableMeta,
    position: usize,
    index: &IndexMeta,
    attribute: &str,
    report: &mut Report,
) {
    let entity = table.entities[position];
    let Some(mine) = field_with(entity, attribute) else { return };
    let mut other = 0;
    while other < position {
        if let Some(theirs) = field_with(table.entities[other], attribute) {
            if !is_same(mine.wire_type, theirs.wire_type)
                && is_known(mine.wire_type)
                && is_known(theirs.wire_type)
                && report.wants(&rules::D01, &[entity.allows, index.allows, table.allows])
            {
                let message = Message::new(&rules::D01).push("`").push(attribute);
                let message =
                    message.push("`, which index ").push(index.name).push(" carries, is ");
                let message = message.push(type_name(theirs.wire_type)).push(" in ");
                let message = message.push(table.entities[other].name).push(" and ");
                let message =
                    message.push(type_name(mine.wire_type)).push(" in ").push(entity.name);
                report.add(message.end());
            }
            return;
        }
        other += 1;
    }
}
