//! The owner of a unique value: the sentinel that keeps the value, then the row that it names.

use std::sync::Arc;

use monotable_design::meta::{EntityMeta, PatternMeta, UniqueMeta};
use monotable_types::{AttributeValue, Item};

use super::expiry::Expired;
use super::one::Response;
use super::recognise::decode_present;
use crate::backend::Row;
use crate::backend::request::Get;
use crate::context::Context;
use crate::entity::Entity;
use crate::error::{Error, Result};
use crate::key::{KeyError, PartText, Parts};
use crate::write::{OWNER, sentinel_key};

/// A unique value whose owner is wanted.
pub(super) struct Owner {
    context: Arc<Context>,
    pub(super) pattern: &'static PatternMeta,
    constraint: &'static UniqueMeta,
    /// The key of the sentinel.
    key: Item,
    expired: Expired,
    tells_units: bool,
}

impl Owner {
    pub(super) fn new<E: Entity>(
        context: &Arc<Context>,
        pattern: &'static PatternMeta,
        fields: &[&dyn PartText],
    ) -> Result<Self> {
        let name = pattern.unique.map_or("", |unique| unique.constraint);
        let Some(constraint) = E::META.unique.iter().find(|constraint| constraint.name == name)
        else {
            let entity = E::META.name;
            return Err(Error::Settings(format!("{entity} has no unique constraint `{name}`")));
        };
        let fields = Fields { entity: E::META, pattern, values: fields };
        let key = sentinel_key(context, constraint, &fields)
            .and_then(|key| key.ok_or(KeyError::Empty))
            .map_err(|error| Error::Key { entity: pattern.name, error })?;
        let context = Arc::clone(context);
        let expired = Expired::Absent;
        Ok(Self { context, pattern, constraint, key, expired, tells_units: false })
    }

    pub(super) fn including_expired(self) -> Self {
        Self { expired: Expired::Included, ..self }
    }

    pub(super) fn telling_units(self) -> Self {
        Self { tells_units: true, ..self }
    }

    /// Reads both rows. The value may pass to another between the two reads: then it is asked for
    /// again, until the row that is named has the value, or nobody gave it up in between.
    pub(super) async fn read<E: Entity>(self) -> Result<Response<Option<E>>> {
        let (mut units, pattern) = (0.0, self.pattern.name);
        let mut seen = None;
        loop {
            let sentinel = self.get(self.key.clone(), &mut units).await?;
            let Some(sentinel) = sentinel else {
                return Ok(Response { value: None, units, pattern });
            };
            let owner = self.named::<E>(&sentinel)?;
            let value = match self.get(owner.clone(), &mut units).await? {
                Some(row) => decode_present::<E>(&self.context, row, self.expired)?,
                None => None,
            };
            let value = value.filter(|value| self.is_owner(value));
            if value.is_some() || seen.as_ref() == Some(&owner) {
                return Ok(Response { value, units, pattern });
            }
            seen = Some(owner);
        }
    }

    async fn get(&self, key: Item, units: &mut f64) -> Result<Option<Row>> {
        let table = Arc::clone(&self.context.table_name);
        let get = Get { table, key, consistent: true, tells_units: self.tells_units };
        let answer = self.context.backend.get(get).await?;
        *units += answer.units;
        Ok(answer.row)
    }

    /// The key of the row that a sentinel names.
    fn named<E: Entity>(&self, sentinel: &Row) -> Result<Item> {
        match sentinel.get(OWNER) {
            Some(AttributeValue::M(owner)) => Ok(owner),
            _ => Err(Error::Decode {
                entity: E::META.name,
                message: format!(
                    "the row of the unique constraint `{}` names no owner",
                    self.constraint.name
                ),
            }),
        }
    }

    /// Whether an entity has the value: one whose constraint never gives values up may have another.
    fn is_owner(&self, entity: &impl Parts) -> bool {
        let key = sentinel_key(&self.context, self.constraint, entity);
        matches!(key, Ok(Some(key)) if key == self.key)
    }
}

/// The arguments of a pattern as the fields of a constraint, by their names.
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
