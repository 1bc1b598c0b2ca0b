//! The owner of a unique value: reads the sentinel of the value, then the row that it names.

use std::sync::Arc;

use monotable_design::meta::{EntityMeta, PatternMeta, TableMeta, UniqueMeta};
use monotable_types::{AttributeValue, Item};

use super::expiry::Expired;
use super::raw::{Fetched, RawOne, UniqueOwner};
use super::recognise::{EntitySet, RawRow, recognise_by_key};
use crate::backend::request::Get;
use crate::backend::{Reply, Row};
use crate::context::Context;
use crate::entity::Entity;
use crate::error::{Error, Result};
use crate::key::{KeyError, PartText, Parts};
use crate::write::{OWNER, sentinel_key};

/// A unique value whose owner is requested.
pub(super) struct Owner {
    context: Arc<Context>,
    pub(super) pattern: &'static PatternMeta,
    entity: &'static EntityMeta,
    entities: EntitySet,
    constraint: &'static UniqueMeta,
    /// The key of the sentinel.
    key: Item,
    pub(super) expired: Expired,
    decode: fn(RawRow, &TableMeta) -> Result<Box<dyn UniqueOwner>>,
}

impl Owner {
    pub(super) fn new<E: Entity>(
        context: &Arc<Context>,
        pattern: &'static PatternMeta,
        fields: &[&dyn PartText],
    ) -> Result<Box<Self>> {
        let (constraint, key) = sentinel_of(context, E::META, pattern, fields)?;
        Ok(Box::new(Self {
            context: Arc::clone(context),
            pattern,
            entity: E::META,
            entities: E::ENTITIES,
            constraint,
            key,
            expired: Expired::Absent,
            decode: |row, table| Ok(Box::new(row.decode::<E>(table)?)),
        }))
    }

    /// Reads both rows. The value may change its owner between the two reads: then both are read
    /// again, until the named row has the value or the sentinel did not change in between.
    pub(super) fn fetch(self: Box<Self>, returns_units: bool) -> Reply<Fetched<RawOne>, Error> {
        Reply::pending(async move {
            let mut units = 0.0;
            let owner = self.find(returns_units, &mut units).await?;
            let rows = owner.map_or(RawOne::None, RawOne::Owner);
            Ok(Fetched { rows, table: self.context.table, units, pattern: self.pattern.name })
        })
    }

    async fn find(
        &self,
        returns_units: bool,
        units: &mut f64,
    ) -> Result<Option<Box<dyn UniqueOwner>>> {
        let mut seen = None;
        loop {
            let sentinel = self.get(self.key.clone(), returns_units, units).await?;
            let Some(sentinel) = sentinel else { return Ok(None) };
            let key = self.named(&sentinel)?;
            let row = self.get(key.clone(), returns_units, units).await?;
            let owner = match row.and_then(|row| self.recognise(row)) {
                Some(row) => Some((self.decode)(row, self.context.table)?),
                None => None,
            };
            let owner = owner.filter(|owner| self.is_owner(&**owner));
            if owner.is_some() || seen.as_ref() == Some(&key) {
                return Ok(owner);
            }
            seen = Some(key);
        }
    }

    fn recognise(&self, row: Row) -> Option<RawRow> {
        recognise_by_key(&self.context, self.entities, row, self.expired)
    }

    async fn get(&self, key: Item, returns_units: bool, units: &mut f64) -> Result<Option<Row>> {
        let table = Arc::clone(&self.context.table_name);
        let get = Get { table, key, consistent: true, returns_units };
        let response = self.context.get(get).await?;
        *units += response.units;
        Ok(response.row)
    }

    /// Returns the key of the row that a sentinel names.
    fn named(&self, sentinel: &Row) -> Result<Item> {
        match sentinel.get(OWNER) {
            Some(AttributeValue::M(owner)) => Ok(owner),
            _ => Err(Error::Decode {
                entity: self.entity.name,
                message: format!(
                    "the row of the unique constraint `{}` names no owner",
                    self.constraint.name
                ),
            }),
        }
    }

    /// Returns whether an entity has the value. If the constraint keeps old values, its owner may
    /// have another one.
    fn is_owner(&self, entity: &dyn UniqueOwner) -> bool {
        let key = sentinel_key(&self.context, self.constraint, entity);
        matches!(key, Ok(Some(key)) if key == self.key)
    }
}

/// Returns the constraint that a pattern reads by, and the key of the value's sentinel.
fn sentinel_of(
    context: &Context,
    entity: &'static EntityMeta,
    pattern: &'static PatternMeta,
    values: &[&dyn PartText],
) -> Result<(&'static UniqueMeta, Item)> {
    let name = pattern.unique.map_or("", |unique| unique.constraint);
    let Some(constraint) = entity.unique.iter().find(|constraint| constraint.name == name) else {
        let entity = entity.name;
        return Err(Error::Settings(format!("{entity} has no unique constraint `{name}`")));
    };
    let fields = Fields { entity, pattern, values };
    let key = sentinel_key(context, constraint, &fields)
        .and_then(|key| key.ok_or(KeyError::Empty))
        .map_err(|error| Error::Key { entity: pattern.name, error })?;
    Ok((constraint, key))
}

/// The arguments of a pattern as the fields of a constraint, by name.
struct Fields<'a> {
    entity: &'static EntityMeta,
    pattern: &'static PatternMeta,
    values: &'a [&'a dyn PartText],
}

impl Parts for Fields<'_> {
    fn write_part(&self, position: u16, pad: u8, text: &mut String) -> Result<bool, KeyError> {
        let name = self.entity.fields[usize::from(position)].name;
        let argument = self.pattern.arguments.iter().position(|argument| argument.name == name);
        match argument.and_then(|argument| self.values.get(argument)) {
            Some(value) => value.write(pad, text).map(|()| true),
            None => Ok(false),
        }
    }
}
