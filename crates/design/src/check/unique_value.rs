//! Reads by the value of a unique constraint (P04).

use super::arguments::{Value, value};
use super::report::Report;
use super::rows::table_entity;
use super::verdict::Message;
use crate::meta::{EntityMeta, PatternMeta, Segment, TableMeta, Template, UniqueMeta, UniqueValue};
use crate::{rules, text};

/// P04: the entity has such a constraint, and the arguments are its fields.
pub(super) const fn unique_value(
    table: &TableMeta,
    pattern: &PatternMeta,
    asked: &UniqueValue,
    report: &mut Report,
) {
    let allows = &[pattern.allows, table.allows];
    let [entity] = pattern.returns else { return };
    let Some(constraint) = constraint(entity, asked.constraint) else {
        if report.wants(&rules::P04, allows) {
            let message = begin(pattern).push(" gets ").push(entity.name).push(" by `");
            let message =
                message.push(asked.constraint).push("`, which is not a unique constraint of ");
            report.add(message.push(entity.name).end_with(
                "no row identifies the owner of such a value",
                "declare `#[unique(…)]` on the entity, or name one that it has",
            ));
        }
        return;
    };
    if table_entity(table, entity.name).is_none() && report.wants(&rules::P04, allows) {
        let message = begin(pattern).push(" returns ").push(entity.name);
        report.add(
            message
                .push(", which is not an entity of ")
                .push(table.name)
                .end_with("the table has no rows of it", "add it to the entities of the table"),
        );
    }
    let mut number = 0;
    while number < constraint.fields.len() {
        let position = constraint.fields[number];
        let name = entity.fields[position as usize].name;
        match (argument(asked.fields, name), written(constraint, position)) {
            (Some(asked), Some(written)) => {
                value(pattern, Value { entity, asked, written, allows }, report);
            }
            (None, _) => missing(pattern, (constraint, name), allows, report),
            (Some(_), None) => {}
        }
        number += 1;
    }
    if asked.fields.len() > constraint.fields.len() && report.wants(&rules::P04, allows) {
        let message = begin(pattern).push(" has more arguments than the unique constraint `");
        report.add(message.push(constraint.name).push("` of ").push(entity.name).end_with(
            "an argument that is not part of the value finds nothing",
            "take one argument for each of its fields",
        ));
    }
}

const fn begin(pattern: &PatternMeta) -> Message {
    Message::new(&rules::P04).push("pattern ").push(pattern.name)
}

const fn missing(
    pattern: &PatternMeta,
    (constraint, field): (&UniqueMeta, &str),
    allows: &[&'static [crate::meta::Allow]],
    report: &mut Report,
) {
    if report.wants(&rules::P04, allows) {
        let message = begin(pattern).push(" has no argument `").push(field);
        let message = message.push("`, a field of the unique constraint `").push(constraint.name);
        report.add(message.push("`").end_with(
            "the owner of a value is found by the whole of it",
            "take one argument for each of its fields, of the same name",
        ));
    }
}

const fn constraint(entity: &EntityMeta, name: &str) -> Option<&'static UniqueMeta> {
    let mut constraints = entity.unique;
    while let [constraint, rest @ ..] = constraints {
        if text::equal(constraint.name, name) {
            return Some(constraint);
        }
        constraints = rest;
    }
    None
}

/// Returns the argument of a name.
const fn argument(arguments: &'static [Template], name: &str) -> Option<&'static Segment> {
    let mut arguments = arguments;
    while let [argument, rest @ ..] = arguments {
        if let [segment @ Segment::Field { name: argument, .. }] = argument.segments
            && text::equal(argument, name)
        {
            return Some(segment);
        }
        arguments = rest;
    }
    None
}

/// Returns the field at a position as it is written in the key of the constraint's row.
const fn written(constraint: &'static UniqueMeta, wanted: u16) -> Option<&'static Segment> {
    let templates = [&constraint.partition, &constraint.sort];
    let mut at = 0;
    while at < templates.len() {
        let mut segments = templates[at].segments;
        while let [segment, rest @ ..] = segments {
            if let Segment::Field { position, .. } = segment
                && *position == wanted
            {
                return Some(segment);
            }
            segments = rest;
        }
        at += 1;
    }
    None
}
