//! Rules of single fields: which marks fit together, which types they need, and what serde may do.

use monotable_design::rules;
use proc_macro2::Span;
use syn::Ident;

use crate::codec::Codec;
use crate::diagnostics::Errors;
use crate::entity::field::{Absent, Field, Marks};
use crate::entity::model::Entity;
use crate::entity::setters;
use crate::serde_attributes::Hindrance;
use crate::types;

/// An attribute of a field, if it is set.
type Mark = fn(&Marks) -> Option<Span>;

/// Marks that an entity has once, and marks that need a codec or a key.
pub(super) fn marks(entity: &Entity, errors: &mut Errors) {
    let single: [(&str, Mark); 5] = [
        ("version", |marks| marks.version),
        ("ttl", |marks| marks.ttl),
        ("created", |marks| marks.created),
        ("updated", |marks| marks.updated),
        ("value", |marks| marks.value),
    ];
    for (word, mark) in single {
        for span in entity.own_fields().iter().filter_map(|field| mark(&field.marks)).skip(1) {
            errors.push(span, format!("a second `#[{word}]`: an entity has one"));
        }
    }
    for field in &entity.fields {
        if let Some(span) = field.marks.key_only
            && !entity.is_key(&field.name)
        {
            let message = format!(
                "`{}` is written in the key only, but no template of the key has it, so that it \
                 would be lost; use it in `#[key]`, or remove `#[key_only]`",
                field.name
            );
            errors.push(span, message);
        }
        if let Some(span) = field.marks.top
            && !matches!(entity.codec, Codec::Envelope(_))
        {
            let message = "`#[top]` puts a field beside the `data` of an envelope: add \
                           `#[entity(codec = envelope(\"data\"))]`, or remove it";
            errors.push(span, message);
        }
        if let Some(span) = field.marks.value
            && !matches!(entity.codec, Codec::ValueRow)
        {
            let message = "`#[value]` makes a field the `v` of a value row: add \
                           `#[entity(codec = value_row)]`, or remove it";
            errors.push(span, message);
        }
        if let Some(span) = field.marks.counter
            && matches!(entity.codec, Codec::ValueRow)
            && !field.is_counted_value()
        {
            let message = "a number inside the `v` of a value row can't be added to: make the counter \
                           the whole value with `#[value]`, or remove `#[counter]`";
            errors.push(span, message);
        }
        roles(field, errors);
    }
}

/// The functions of an update have names of their own.
pub(super) fn setters(entity: &Entity, errors: &mut Errors) {
    let mut known = vec!["when".to_owned(), "or_create".to_owned()];
    for setter in setters::setters(entity) {
        let name = setter.name(entity);
        if known.contains(&name) {
            let message = format!(
                "an update of `{}` would have two functions `{name}`; rename the field, and keep the \
                 attribute with `#[serde(rename = \"…\")]`",
                entity.ident
            );
            errors.push(entity.ident.span(), message);
        }
        known.push(name);
    }
}

/// W02: an update creates a row with the key, the counters, the stamps and the values that it sets.
/// Another required field would make the row unreadable.
pub(super) fn created_by_update(entity: &Entity, errors: &mut Errors) {
    if !entity.allows("W02") {
        return;
    }
    for field in entity.fields.iter().filter(|field| field.is_required) {
        let Marks { version, created, updated, counter, .. } = field.marks;
        let is_written = [version, created, updated, counter].iter().any(Option::is_some);
        if !is_written && !entity.is_key(&field.name) {
            let message = format!(
                "[W02] a row created by an update would lack `{}` and could never be read; `{}` allows \
                 `or_create`, which sets only some fields; make the field an `Option`, give it \
                 `#[serde(default)]`, or remove `allow(W02)`",
                field.name, entity.ident
            );
            errors.push(field.ident.span(), message);
        }
    }
}

/// A field has one role at most.
fn roles(field: &Field, errors: &mut Errors) {
    let Marks { version, ttl, created, updated, counter, .. } = field.marks;
    let roles = [
        ("version", version),
        ("ttl", ttl),
        ("created", created),
        ("updated", updated),
        ("counter", counter),
    ];
    let mut found = roles.iter().filter_map(|(word, span)| span.map(|span| (word, span)));
    if let (Some((first, _)), Some((second, span))) = (found.next(), found.next()) {
        let message = format!("`{}` can't be `#[{first}]` and `#[{second}]`", field.name);
        errors.push(span, message);
    }
}

/// Types that a mark needs and the tokens show. Times are checked by their traits.
pub(super) fn types(entity: &Entity, errors: &mut Errors) {
    for field in &entity.fields {
        let type_name = types::last_word(&field.declared);
        let span = syn::spanned::Spanned::span(&field.declared);
        if field.marks.version.is_some() && type_name != "u64" {
            errors.push(span, "a `#[version]` counts changes from 1: make it a `u64`");
        }
        let is_whole = matches!(
            type_name.as_str(),
            "u8" | "u16" | "u32" | "u64" | "usize" | "i8" | "i16" | "i32" | "i64" | "isize"
        );
        if field.marks.counter.is_some() && !is_whole {
            errors.push(span, "a `#[counter]` is a whole number: make it a `u64` or an `i64`");
        }
    }
}

/// D04: fields that serde never writes, although an attribute of the field requires it.
pub(super) fn absent(entity: &Entity, errors: &mut Errors) {
    for Absent { ident, attribute, span, mark } in &entity.absent {
        let message = match mark {
            Some(word) => {
                let what = format!("a `#[{word}]` field has `#[serde({attribute})]`");
                rules::D04.message_with_fix(&what, "let serde write the field")
            }
            None if entity.allows("D04") => continue,
            None if *attribute == "skip" => lost(entity, ident, attribute),
            // A text of JSON holds what was flattened and nothing else; a row holds keys and types, too.
            None if !matches!(entity.codec, Codec::Plain) => continue,
            None => mixed(entity, ident, attribute),
        };
        errors.push(*span, message);
    }
}

fn mixed(entity: &Entity, ident: &Ident, attribute: &str) -> String {
    format!(
        "[D04] `{ident}` of `{}` has `#[serde({attribute})]` among plain attributes; it would read the type \
         and the index keys of a row as values of its own, and write old ones back; remove `{attribute}`, \
         or keep the entity as a document with `#[entity(codec = envelope(\"data\"))]`",
        entity.ident
    )
}

fn lost(entity: &Entity, ident: &Ident, attribute: &str) -> String {
    format!(
        "[D04] `{ident}` of `{}` has `#[serde({attribute})]`; what is created or edited there is not what is \
         read back; remove `{attribute}`, or keep the value outside the entity",
        entity.ident
    )
}

/// D04: what serde writes of a field must be what it reads, and what the model writes and reads itself
/// must look the same to serde.
pub(super) fn serde(entity: &Entity, errors: &mut Errors) {
    if entity.allows("D04") {
        return;
    }
    let parts = entity.part_fields();
    for field in &entity.fields {
        let is_part = parts.iter().any(|(_, part)| part.name == field.name);
        let role = role(entity, field, is_part);
        for hindrance in &field.hindrances {
            let attribute = hindrance.attribute;
            let message = match role {
                Some(_) if is_harmless(field, hindrance) => continue,
                Some(role) => {
                    let what =
                        format!("`{}` is {role} and has `#[serde({attribute})]`", field.name);
                    rules::D04.message_with_fix(&what, &format!("remove `{attribute}`"))
                }
                None => match attribute {
                    "skip_serializing" | "skip_deserializing" => {
                        lost(entity, &field.ident, attribute)
                    }
                    "skip_serializing_if" if field.is_required => format!(
                        "[D04] `{}` of `{}` has `#[serde({attribute})]` and no default; a row without the \
                         attribute could never be read; add `#[serde(default)]`",
                        field.name, entity.ident
                    ),
                    _ => continue,
                },
            };
            errors.push(hindrance.span, message);
        }
    }
}

/// Returns what the model itself writes a field for.
fn role(entity: &Entity, field: &Field, is_part: bool) -> Option<&'static str> {
    let Marks { version, ttl, created, updated, .. } = &field.marks;
    if entity.is_key(&field.name) {
        Some("a part of the primary key")
    } else if entity
        .unique
        .iter()
        .any(|unique| unique.fields.iter().any(|name| *name == field.name))
    {
        Some("unique")
    } else if is_part {
        Some("a part of an index key")
    } else if version.is_some() {
        Some("the version")
    } else if ttl.is_some() {
        Some("the expiry")
    } else if created.is_some() || updated.is_some() {
        Some("a stamp")
    } else {
        None
    }
}

/// Returns whether serde's form is equivalent for the model: an absent `Option` is no attribute, or
/// NULL with `or_null`; a value is written unchanged.
fn is_harmless(field: &Field, hindrance: &Hindrance) -> bool {
    let is_none = matches!(
        hindrance.argument.as_str(),
        "Option::is_none" | "std::option::Option::is_none" | "::std::option::Option::is_none"
    );
    let is_or_null = hindrance.argument.ends_with("codec::or_null");
    match hindrance.attribute {
        "skip_serializing_if" => field.is_optional && is_none,
        "serialize_with" => field.is_optional && is_or_null && field.marks.ttl.is_none(),
        _ => false,
    }
}

/// D01: two fields under one name, and names of before that mean something else now.
pub(super) fn attributes(entity: &Entity, errors: &mut Errors) {
    for (at, field) in entity.own_fields().iter().enumerate() {
        for name in std::iter::once(&field.attribute).chain(&field.aliases) {
            let has_name =
                |other: &&Field| other.attribute == *name || other.aliases.contains(name);
            if let Some(other) = entity.fields[..at].iter().find(has_name) {
                let what = format!(
                    "`{}` and `{}` of `{}` are both the attribute `{name}`",
                    other.name, field.name, entity.ident
                );
                let message = rules::D01.message_with_fix(&what, "rename one of them");
                errors.push(field.ident.span(), message);
            }
        }
        if let (Some(span), [name, ..]) = (field.marks.counter, field.aliases.as_slice()) {
            let message = format!(
                "`{}` is added to without being read, so that what old rows count as `{name}` would \
                 be lost; rename the attribute in all rows first, and remove the alias",
                field.name
            );
            errors.push(span, message);
        }
    }
}
