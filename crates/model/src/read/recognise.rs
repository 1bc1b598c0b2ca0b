//! Determines the entity of a row: by its type attribute if the table has one, otherwise, and among
//! entities that share a type, by its key.

use std::borrow::Cow;

use monotable_design::meta::{EntityMeta, KeyMeta, TableMeta, TypeAttribute};

use super::expiry::{Expired, is_present};
use super::name::make;
use crate::backend::Row;
use crate::context::Context;
use crate::entity::RowSet;
use crate::error::Result;
use crate::key::{ParsedParts, parse_template};

/// The entities that the rows of a request may be.
pub(crate) type EntitySet = &'static [&'static EntityMeta];

/// A row that was recognised as one of a set's entities. The code that knows its type decodes it.
pub(crate) struct RawRow {
    pub(super) row: Row,
    /// The position of the entity in the set.
    position: usize,
    /// The fields in the key of the row.
    parts: ParsedParts,
}

impl RawRow {
    /// Decodes the row; `S` is the set in which it was recognised.
    pub(crate) fn decode<S: RowSet>(self, table: &TableMeta) -> Result<S> {
        make(table, self.position, self.row, &self.parts)
    }
}

/// Whether mirrors, which repeat an entity under another key, are returned.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mirrors {
    /// They are, because the request is for such a key.
    Included,
    /// They are not, because a request for all rows would return the entity twice.
    Skipped,
}

/// Recognises a row as one of the set's entities. Returns `None` for other rows and expired ones.
pub(crate) fn recognise(
    context: &Context,
    entities: EntitySet,
    row: Row,
    mirrors: Mirrors,
    expired: Expired,
) -> Recognised {
    match find(context.table, entities, &row, mirrors) {
        None => Recognised::Foreign,
        Some((position, parts)) => present(context, entities, row, position, parts, expired),
    }
}

/// The result of recognising a row.
pub(crate) enum Recognised {
    /// One of the entities.
    Row(RawRow),
    /// One of the entities, which has expired.
    Expired,
    /// None of the entities.
    Foreign,
}

impl Recognised {
    /// Returns the row of an entity that has not expired.
    pub(crate) fn row(self) -> Option<RawRow> {
        match self {
            Self::Row(row) => Some(row),
            Self::Expired | Self::Foreign => None,
        }
    }
}

/// Returns the entity of the set that a row is, and the fields in its key.
fn find(
    table: &TableMeta,
    entities: EntitySet,
    row: &Row,
    mirrors: Mirrors,
) -> Option<(usize, ParsedParts)> {
    let by_type = type_of(table, row);
    for (position, entity) in entities.iter().enumerate() {
        let passes_over = mirrors == Mirrors::Skipped && is_repeated(entity);
        let parts = match &by_type {
            Some(name) if name != entity.type_name => continue,
            Some(_) if !needs_key(entity) && !passes_over && !shares_type(entities, position) => {
                ParsedParts::default()
            }
            _ => match parts_of(table, entity, row, mirrors) {
                Some(parts) => parts,
                // A row under a key of neither the entity nor its mirrors is not a mirror.
                None if passes_over && by_type.is_some() && !is_mirror(table, entity, row) => {
                    ParsedParts::default()
                }
                None => continue,
            },
        };
        return Some((position, parts));
    }
    None
}

/// Decodes a row; returns `None` if it is not one of the set's entities.
pub(crate) fn decode<S: RowSet>(table: &TableMeta, row: Row) -> Result<Option<S>> {
    match find(table, S::ENTITIES, &row, Mirrors::Included) {
        Some((position, parts)) => make(table, position, row, &parts).map(Some),
        None => Ok(None),
    }
}

/// Recognises a row that was read by the key of an entity; returns `None` if it has expired. The
/// type of the row is compared only if entities share keys.
pub(crate) fn recognise_by_key(
    context: &Context,
    entities: EntitySet,
    row: Row,
    expired: Expired,
) -> Option<RawRow> {
    match entities {
        [entity] if !needs_key(entity) && context.shared_key_type(entity).is_none() => {
            present(context, entities, row, 0, ParsedParts::default(), expired)
        }
        _ => recognise(context, entities, row, Mirrors::Included, expired),
    }
    .row()
}

fn present(
    context: &Context,
    entities: EntitySet,
    row: Row,
    position: usize,
    parts: ParsedParts,
    expired: Expired,
) -> Recognised {
    if is_present(context, entities[position], &row, expired) {
        Recognised::Row(RawRow { row, position, parts })
    } else {
        Recognised::Expired
    }
}

fn type_of<'r>(table: &TableMeta, row: &'r Row) -> Option<Cow<'r, str>> {
    let TypeAttribute::Named(attribute) = table.type_attribute else { return None };
    row.text(attribute)
}

/// Returns whether another entity of the set writes the same type.
fn shares_type(entities: EntitySet, position: usize) -> bool {
    let name = entities[position].type_name;
    let mut others = entities.iter().enumerate().filter(|(other, _)| *other != position);
    others.any(|(_, other)| other.type_name == name)
}

/// Returns whether some field is stored only in the key.
fn needs_key(entity: &EntityMeta) -> bool {
    entity.fields.iter().any(|field| field.is_key_only)
}

/// Returns whether some mirror is the entity itself under another key.
fn is_repeated(entity: &EntityMeta) -> bool {
    entity.mirrors.iter().any(|mirror| mirror.key.is_some())
}

/// Returns whether the key of a row is that of the entity or of a mirror of it.
fn is_mirror(table: &TableMeta, entity: &EntityMeta, row: &Row) -> bool {
    parts_of(table, entity, row, Mirrors::Included).is_some()
}

/// Returns the fields in the key of a row, if it matches the templates of the entity or of one of
/// its mirrors.
fn parts_of(
    table: &TableMeta,
    entity: &EntityMeta,
    row: &Row,
    mirrors: Mirrors,
) -> Option<ParsedParts> {
    let partition = row.text(table.partition_key)?;
    let sort = match table.sort_key {
        None => None,
        Some(attribute) => Some(row.text(attribute)?),
    };
    let counted = match mirrors {
        Mirrors::Included => entity.mirrors,
        Mirrors::Skipped => &[],
    };
    std::iter::once(&entity.key)
        .chain(counted.iter().filter_map(|mirror| mirror.key.as_ref()))
        .find_map(|key| parse_key(key, &partition, sort.as_deref()))
}

/// Returns the fields in a key, if it matches the templates.
pub(crate) fn parse_key(key: &KeyMeta, partition: &str, sort: Option<&str>) -> Option<ParsedParts> {
    let mut parts = ParsedParts::default();
    let matches = parse_template(&key.partition, partition, &mut parts)
        && match (&key.sort, sort) {
            (None, None) => true,
            (Some(template), Some(sort)) => parse_template(template, sort, &mut parts),
            _ => false,
        };
    matches.then_some(parts)
}
