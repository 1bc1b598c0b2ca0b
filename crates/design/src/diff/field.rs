//! What is different about the fields of an entity.

use super::change::{EntityChange, FieldChange, FieldLocation, OldName};
use super::pair::{Pairs, pair};
use super::template::{has_field, is_attribute};
use crate::ir::{Entity, Field, KeyPart};

/// Fields by their name in Rust; what is left by their attribute, then by an alias.
pub(super) fn pairs<'a>(older: &'a Entity, newer: &'a Entity) -> Pairs<'a, Field> {
    let is_same_name = |one: &Field, other: &Field| one.name == other.name;
    let is_same_attribute = |one: &Field, other: &Field| one.attribute == other.attribute;
    let is_alias = |one: &Field, other: &Field| other.aliases.contains(&one.attribute);
    pair(&older.fields, &newer.fields, &[is_same_name, is_same_attribute, is_alias])
}

/// Returns every field of both.
pub(super) fn fields(older: &Entity, newer: &Entity) -> Vec<EntityChange> {
    let pairs = pairs(older, newer);
    let mut changes = Vec::new();
    let mut push = |field: &Field, change: FieldChange| {
        changes.push(EntityChange::Field { field: field.name.clone(), change });
    };
    for added in &pairs.added {
        // What is in the key is read from there, and a row without its version has version 0.
        let is_version = newer.version.as_ref() == Some(&added.name);
        let is_required = added.is_required && !added.is_key_only && !is_version;
        push(added, FieldChange::Added { is_required });
    }
    for (from, to) in pairs.both {
        changed(newer, from, to).into_iter().for_each(|change| push(to, change));
        if let Some(change) = key_text(older, from, to) {
            push(to, change);
        }
    }
    for removed in pairs.removed {
        let attribute = (!removed.is_key_only).then(|| removed.attribute.clone());
        let was_required = removed.is_required && !removed.is_key_only;
        let is_like = |added: &&&Field| is_like(removed, added);
        let renamed_to = pairs.added.iter().filter(is_like).map(|added| added.name.clone());
        let renamed_to = renamed_to.collect();
        push(removed, FieldChange::Removed { attribute, was_required, renamed_to });
    }
    changes
}

fn changed(newer: &Entity, from: &Field, to: &Field) -> Vec<FieldChange> {
    let mut changes = Vec::new();
    if from.name != to.name {
        changes.push(FieldChange::Renamed { from: from.name.clone() });
    }
    if from.attribute != to.attribute {
        changes.push(FieldChange::Attribute {
            from: from.attribute.clone(),
            to: to.attribute.clone(),
            old_name: old_name(newer, from, to),
            was_required: from.is_required && is_named(from),
        });
    }
    let added = to.aliases.iter().filter(|alias| !from.aliases.contains(alias));
    // The change of the attribute already reports the previous name.
    let added = added.filter(|alias| **alias != from.attribute);
    changes.extend(added.cloned().map(FieldChange::AliasAdded));
    let removed = from.aliases.iter().filter(|alias| !to.aliases.contains(alias));
    let removed = removed.filter(|alias| **alias != to.attribute);
    changes.extend(removed.cloned().map(FieldChange::AliasRemoved));
    if bare(&from.rust_type) != bare(&to.rust_type) || from.wire_type != to.wire_type {
        changes.push(FieldChange::Type {
            from: (from.rust_type.clone(), from.wire_type),
            to: (to.rust_type.clone(), to.wire_type),
        });
    }
    match (from.is_required, to.is_required) {
        (false, true) => changes.push(FieldChange::Required),
        (true, false) => changes.push(FieldChange::Optional),
        _ => {}
    }
    if location(from) != location(to) {
        let attribute = to.attribute.clone();
        changes.push(FieldChange::Location { from: location(from), to: location(to), attribute });
    }
    if from.copy_of != to.copy_of {
        let (from, to) = (from.copy_of.clone(), to.copy_of.clone());
        changes.push(FieldChange::Copy { from, to });
    }
    changes
}

/// Returns whether a new field may be a removed one under another name: it has the same type and
/// location.
fn is_like(removed: &Field, added: &Field) -> bool {
    is_named(removed)
        && location(removed) == location(added)
        && removed.wire_type == added.wire_type
        && bare(&removed.rust_type) == bare(&added.rust_type)
        && removed.copy_of == added.copy_of
}

/// Returns whether rows have the name of a field at all.
fn is_named(field: &Field) -> bool {
    !matches!(location(field), FieldLocation::Key | FieldLocation::Value)
}

fn old_name(newer: &Entity, from: &Field, to: &Field) -> OldName {
    if !is_named(from) {
        OldName::Read
    } else if !to.aliases.contains(&from.attribute) {
        OldName::Unread
    } else if is_attribute(newer, to) {
        OldName::Unseen
    } else {
        OldName::Read
    }
}

/// Returns a type without `Option`, because optional values are compared separately.
fn bare(rust_type: &str) -> &str {
    let inner = rust_type.strip_prefix("Option<").and_then(|inner| inner.strip_suffix('>'));
    inner.unwrap_or(rust_type)
}

fn location(field: &Field) -> FieldLocation {
    match (field.is_key_only, field.is_value, field.is_top_level) {
        (true, ..) => FieldLocation::Key,
        (_, true, _) => FieldLocation::Value,
        (_, _, true) => FieldLocation::TopLevel,
        _ => FieldLocation::Field,
    }
}

/// Returns whether keys that rows have already hold another text for a field.
fn key_text(older: &Entity, from: &Field, to: &Field) -> Option<FieldChange> {
    let text = |part: &KeyPart| (part.form, part.width);
    let (before, now) = (from.key_part.as_ref()?, to.key_part.as_ref()?);
    if text(before) == text(now) {
        return None;
    }
    let has = |template: &String| has_field(template, &from.name);
    let constraints =
        older.unique.iter().filter(|unique| has(&unique.partition) || has(&unique.sort));
    Some(FieldChange::KeyText {
        from: text(before),
        to: text(now),
        is_in_primary_key: has(&older.key.partition) || older.key.sort.as_ref().is_some_and(has),
        constraints: constraints.map(|unique| unique.name.clone()).collect(),
    })
}
