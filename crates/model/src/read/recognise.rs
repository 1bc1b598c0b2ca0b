//! Which entity a row is: by its type attribute where the table has one, else by its key.

use std::borrow::Cow;

use monotable_design::meta::{EntityMeta, KeyMeta, TableMeta, TypeAttribute};

use super::expiry::{Expired, is_present};
use super::name::make;
use crate::backend::Row;
use crate::context::Context;
use crate::entity::RowSet;
use crate::error::Result;
use crate::key::{ParsedParts, parse_template};

/// What a row turned out to be: a position in a set of entities, and what its key says.
pub(crate) struct Recognised {
    position: usize,
    parts: ParsedParts,
}

impl Recognised {
    /// The entity.
    pub(crate) fn entity<S: RowSet>(&self) -> &'static EntityMeta {
        S::ENTITIES[self.position]
    }

    /// Makes the value of the row.
    pub(crate) fn decode<S: RowSet>(self, table: &TableMeta, row: Row) -> Result<S> {
        make(table, self.position, row, &self.parts)
    }
}

/// Whether rows that repeat an entity under another key count.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mirrors {
    /// They do: who asks for such a key wants them.
    Counted,
    /// They don't: who reads everything would see the entity twice.
    PassedOver,
}

/// Which of the set's entities a row is, if any.
pub(crate) fn recognise<S: RowSet>(
    table: &TableMeta,
    row: &Row,
    mirrors: Mirrors,
) -> Option<Recognised> {
    let by_type = type_of(table, row);
    for (position, entity) in S::ENTITIES.iter().enumerate() {
        let by_key = needs_key(entity) || (mirrors == Mirrors::PassedOver && is_repeated(entity));
        let parts = match &by_type {
            Some(name) if name != entity.type_name => continue,
            Some(_) if !by_key => ParsedParts::default(),
            _ => match parts_of(table, entity, row, mirrors) {
                Some(parts) => parts,
                None => continue,
            },
        };
        return Some(Recognised { position, parts });
    }
    None
}

/// Makes the value of a row, or nothing if it is none of the set's entities.
pub(crate) fn decode<S: RowSet>(table: &TableMeta, row: Row) -> Result<Option<S>> {
    recognise::<S>(table, &row, Mirrors::Counted)
        .map(|recognised| recognised.decode(table, row))
        .transpose()
}

/// Makes the value of a row that was got by its key, which can only be that of one entity; nothing if
/// the row has expired.
pub(crate) fn decode_present<S: RowSet>(
    context: &Context,
    row: Row,
    expired: Expired,
) -> Result<Option<S>> {
    let recognised = match S::ENTITIES {
        [entity] if !needs_key(entity) => {
            Some(Recognised { position: 0, parts: ParsedParts::default() })
        }
        _ => recognise::<S>(context.table, &row, Mirrors::Counted),
    };
    recognised
        .filter(|recognised| is_present(context, recognised.entity::<S>(), &row, expired))
        .map(|recognised| recognised.decode(context.table, row))
        .transpose()
}

fn type_of<'r>(table: &TableMeta, row: &'r Row) -> Option<Cow<'r, str>> {
    let TypeAttribute::Named(attribute) = table.type_attribute else { return None };
    row.text(attribute)
}

/// Whether some field is in the key only.
fn needs_key(entity: &EntityMeta) -> bool {
    entity.fields.iter().any(|field| field.is_key_only)
}

/// Whether some mirror is the entity itself under another key.
fn is_repeated(entity: &EntityMeta) -> bool {
    entity.mirrors.iter().any(|mirror| mirror.key.is_some())
}

/// The fields in a row's key, if it follows the templates of the entity or of one of its mirrors.
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
        Mirrors::Counted => entity.mirrors,
        Mirrors::PassedOver => &[],
    };
    std::iter::once(&entity.key)
        .chain(counted.iter().filter_map(|mirror| mirror.key.as_ref()))
        .find_map(|key| parse_key(key, &partition, sort.as_deref()))
}

/// The fields in a key that follows the templates.
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
