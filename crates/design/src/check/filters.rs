//! Filters of patterns: arguments that name a field, and the attribute that is compared.

use super::attributes::{field_with, is_known, is_same};
use super::report::Report;
use super::verdict::Message;
use crate::meta::{ArgumentMeta, EntityMeta, FieldMeta, PatternMeta, TableMeta};
use crate::rules;
use crate::rust_type::{TypeName, wire_type};

/// Returns the attribute of the field with this name in Rust: that of the first entity that has it, or the
/// name itself, which [`pattern`](super::pattern) then refuses.
pub const fn filter_attribute(entities: &[&EntityMeta], field: &'static str) -> &'static str {
    let mut at = 0;
    while at < entities.len() {
        if let Some(position) = entities[at].position(field) {
            return entities[at].fields[position as usize].attribute;
        }
        at += 1;
    }
    field
}

/// P04: a filter that drops all rows of an entity, or none.
pub(super) const fn filters(table: &TableMeta, pattern: &PatternMeta, report: &mut Report) {
    let mut argument = 0;
    while argument < pattern.arguments.len() {
        if let Some(attribute) = pattern.arguments[argument].filter {
            let mut at = 0;
            while at < pattern.returns.len() {
                let entity = pattern.returns[at];
                match field_with(entity, attribute) {
                    None => unknown(table, pattern, (attribute, entity), report),
                    Some(field) => {
                        let argument = &pattern.arguments[argument];
                        other_type(table, pattern, argument, (entity, field), report);
                    }
                }
                at += 1;
            }
        }
        argument += 1;
    }
    let mut tests = pattern.presence;
    while let [test, rest @ ..] = tests {
        let attribute = test.attribute();
        let mut at = 0;
        while at < pattern.returns.len() {
            match field_with(pattern.returns[at], attribute) {
                None => unknown(table, pattern, (attribute, pattern.returns[at]), report),
                Some(field) if field.is_required => {
                    always(table, pattern, (attribute, pattern.returns[at]), report);
                }
                Some(_) => {}
            }
            at += 1;
        }
        tests = rest;
    }
}

/// The entity does not have the attribute.
const fn unknown(
    table: &TableMeta,
    pattern: &PatternMeta,
    (attribute, entity): (&'static str, &EntityMeta),
    report: &mut Report,
) {
    if report.wants(&rules::P04, &[pattern.allows, table.allows]) {
        let message = Message::new(&rules::P04).push("pattern ").push(pattern.name);
        let message = message.push(" filters by `").push(attribute).push("`, which ");
        let message = message.push(entity.name).push(" does not have as an attribute");
        report.add(message.push(
            "; such a filter drops all of its rows; name a field that is an attribute \
             of its own, as in `#[filter(field)]`",
        ));
    }
}

/// Every row of the entity has the attribute that the pattern filters by.
const fn always(
    table: &TableMeta,
    pattern: &PatternMeta,
    (attribute, entity): (&'static str, &EntityMeta),
    report: &mut Report,
) {
    if report.wants(&rules::P04, &[pattern.allows, table.allows]) {
        let message = Message::new(&rules::P04).push("pattern ").push(pattern.name);
        let message =
            message.push(" tests whether rows have `").push(attribute).push("`, which every ");
        report.add(message.push(entity.name).push(
            " has; such a filter drops all of its rows, or none; name a field that is an `Option`",
        ));
    }
}

/// Values of two types are never equal: neither a text and a number, nor two ids.
const fn other_type(
    table: &TableMeta,
    pattern: &PatternMeta,
    argument: &ArgumentMeta,
    (entity, field): (&EntityMeta, &FieldMeta),
    report: &mut Report,
) {
    let given = wire_type(argument.rust_type);
    let is_other = is_known(given) && is_known(field.wire_type) && !is_same(given, field.wire_type);
    if (is_other || TypeName::of(argument.rust_type).is_other(TypeName::of(field.rust_type)))
        && report.wants(&rules::P04, &[pattern.allows, table.allows])
    {
        let message = Message::new(&rules::P04).push("pattern ").push(pattern.name);
        let message = message.push(" filters by a `").push(argument.rust_type).push("`, but `");
        let message = message.push(field.name).push("` of ").push(entity.name).push(" is `");
        report.add(message.push(field.rust_type).push("`").end_with(
            "values of two types are never equal, so that such a filter drops all rows",
            "give the argument the type of the field",
        ));
    }
}
