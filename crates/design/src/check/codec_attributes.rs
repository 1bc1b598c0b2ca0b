//! D01 for entities whose fields are not attributes of their own: what their codec writes must have a name
//! for itself, and an index of numbers needs a number.

use super::attributes::{field_with, is_attribute, key_name};
use super::report::Report;
use super::verdict::Message;
use crate::meta::{Codec, EntityMeta, IndexMeta, TableMeta, TypeAttribute, WireType};
use crate::stamp::Stamp;
use crate::{rules, text};

/// What a value row consists of, apart from its expiry, which is where that of the table is.
const VALUE_ROW: &[&str] = &["v", "ct", "ver", "meta"];

pub(super) const fn codec_attributes(table: &TableMeta, entity: &EntityMeta, report: &mut Report) {
    match entity.codec {
        Codec::Plain => return,
        Codec::Envelope { data } => {
            if let Some(field) = field_with(entity, data) {
                clash(table, entity, (data, "field `", field.name, "`"), report);
            }
            taken(table, entity, data, report);
        }
        Codec::ValueRow => {
            let mut names = VALUE_ROW;
            while let [name, rest @ ..] = names {
                stamp(table, entity, name, report);
                taken(table, entity, name, report);
                names = rest;
            }
        }
    }
    let mut indexes = table.indexes;
    while let [index, rest @ ..] = indexes {
        let mut key = 0;
        while key < index.partition.len() + index.sort.len() {
            hidden_number(table, entity, (index, key_name(index, key)), report);
            key += 1;
        }
        indexes = rest;
    }
}

/// A stamp of a value row is written where the codec writes something else.
const fn stamp(table: &TableMeta, entity: &EntityMeta, name: &'static str, report: &mut Report) {
    let Some(field) = field_with(entity, name) else { return };
    let is_version = matches!(field.stamp, Some(Stamp::Version)) && text::equal(name, "ver");
    if !is_version {
        clash(table, entity, (name, "its stamp `", field.name, "`"), report);
    }
}

/// The table itself writes what the codec writes.
const fn taken(table: &TableMeta, entity: &EntityMeta, name: &'static str, report: &mut Report) {
    if text::equal(table.partition_key, name) {
        clash(table, entity, (name, "the partition key of ", table.name, ""), report);
    }
    if let Some(sort) = table.sort_key
        && text::equal(sort, name)
    {
        clash(table, entity, (name, "the sort key of ", table.name, ""), report);
    }
    if let TypeAttribute::Named(attribute) = table.type_attribute
        && text::equal(attribute, name)
    {
        clash(table, entity, (name, "the type attribute of ", table.name, ""), report);
    }
    if let Some(ttl) = table.ttl_attribute
        && text::equal(ttl, name)
    {
        clash(table, entity, (name, "the expiry of ", table.name, ""), report);
    }
    let mut indexes = table.indexes;
    while let [index, rest @ ..] = indexes {
        if text::is_in(index.partition, name) || text::is_in(index.sort, name) {
            clash(table, entity, (name, "a key of index ", index.name, ""), report);
        }
        indexes = rest;
    }
}

const fn clash(
    table: &TableMeta,
    entity: &EntityMeta,
    (attribute, what, whose, end): (&str, &str, &str, &str),
    report: &mut Report,
) {
    if report.wants(&rules::D01, &[entity.allows, table.allows]) {
        let message = Message::new(&rules::D01).push(entity.name).push(" keeps its fields in `");
        let message = message.push(attribute).push("`, which is ").push(what).push(whose).push(end);
        report.add(message.end_with(
            "one of the two values would replace the other",
            "name another attribute for one of them",
        ));
    }
}

/// An index key is a number that is not an attribute, so that the row has a text there.
const fn hidden_number(
    table: &TableMeta,
    entity: &EntityMeta,
    (index, attribute): (&IndexMeta, &str),
    report: &mut Report,
) {
    let mut fields = entity.fields;
    while let [field, rest @ ..] = fields {
        if matches!(field.wire_type, WireType::N)
            && text::equal(field.attribute, attribute)
            && !is_attribute(entity, field)
            && report.wants(&rules::D01, &[entity.allows, index.allows, table.allows])
        {
            let message = Message::new(&rules::D01).push("`").push(attribute);
            let message =
                message.push("`, a key of index ").push(index.name).push(", is the number `");
            let message = message.push(field.name).push("` of ").push(entity.name);
            report.add(message.push(", which its codec keeps elsewhere").end_with(
                "its rows have a text there, and DynamoDB refuses a key of another type",
                "keep the field beside the envelope with `#[top]`, or name another attribute for the \
                 index",
            ));
        }
        fields = rest;
    }
}
