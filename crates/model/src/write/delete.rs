//! `delete`: the row, and the rows that exist because of it.

use monotable_types::Item;

use super::change::{beside, has_rows_beside, own_row};
use super::plan::{Operation, Plan, PlannedWrite};
use super::presence::{self, Presence};
use super::row;
use super::unchanged::{self, confirmed};
use crate::backend::request::{Action, Returns};
use crate::context::Context;
use crate::entity::{Entity, EntityKey};
use crate::error::Result;

/// Deletes an entity that was read, unless somebody changed it since.
pub(super) struct Delete<E>(pub(super) E);

impl<E: Entity> Delete<E> {
    /// Whether the stored row must be seen first: mirrors are made of all fields.
    pub(super) fn reads_first() -> bool {
        !E::META.mirrors.is_empty()
    }

    pub(super) fn key(&self, context: &Context) -> Result<Item> {
        context.primary_key(E::META, &self.0)
    }

    /// The writes. With the stored row, if that was read, the condition is on what it holds; else on
    /// what the entity says.
    pub(super) fn plan(
        &self,
        context: &Context,
        stored: Option<Option<Item>>,
    ) -> Result<Vec<PlannedWrite>> {
        let key = self.key(context)?;
        let fields = row::fields(&self.0)?;
        let before = match stored {
            None => fields,
            Some(stored) => confirmed(context, &key, &self.0, &fields, stored)?,
        };
        let condition = unchanged::condition(context, &self.0, &before, [], []);
        let failure = presence::changed(context, E::META, None);
        let action = Action::Delete(key);
        let own = own_row(context, action, Some(condition), Returns::Nothing, failure);
        let mut writes = vec![own];
        writes.extend(beside(context, Some(&self.0), None)?);
        Ok(writes)
    }
}

impl<E: Entity> Operation for Delete<E> {
    fn label(&self) -> String {
        format!("delete {}", E::META.name)
    }

    fn reads(&self, context: &Context) -> Result<Option<Item>> {
        match Self::reads_first() {
            true => self.key(context).map(Some),
            false => Ok(None),
        }
    }

    fn plan(self: Box<Self>, context: &Context, row: Option<Item>) -> Result<Plan> {
        let writes = Self::plan(&self, context, Self::reads_first().then_some(row))?;
        Ok(Plan { writes, entity: None })
    }
}

/// Deletes whatever is there under a key.
pub(super) struct DeleteByKey<K>(pub(super) K);

impl<K: EntityKey> DeleteByKey<K> {
    /// The row that must be seen first: it tells which other rows exist because of it.
    pub(super) fn reads(&self, context: &Context) -> Result<Option<Item>> {
        match has_rows_beside(K::Entity::META) {
            true => context.primary_key(K::Entity::META, &self.0).map(Some),
            false => Ok(None),
        }
    }

    pub(super) fn plan(self, context: &Context, seen: Option<Item>) -> Result<Vec<PlannedWrite>> {
        let entity = K::Entity::META;
        let key = context.primary_key(entity, &self.0)?;
        if !has_rows_beside(entity) {
            let failure = presence::changed(context, entity, None);
            let action = Action::Delete(key);
            return Ok(vec![own_row(context, action, None, Returns::Old, failure)]);
        }
        // What has expired is absent already, and its other rows may belong to somebody else.
        let presence = Presence::of(context, entity);
        match seen.filter(|seen| presence.holds(Some(seen))) {
            None => Ok(Vec::new()),
            Some(seen) => {
                let entity = row::decode::<K::Entity>(context, seen.clone().into())?;
                Delete(entity).plan(context, Some(Some(seen)))
            }
        }
    }
}

impl<K: EntityKey> Operation for DeleteByKey<K> {
    fn label(&self) -> String {
        format!("delete {}", K::Entity::META.name)
    }

    fn reads(&self, context: &Context) -> Result<Option<Item>> {
        self.reads(context)
    }

    fn plan(self: Box<Self>, context: &Context, row: Option<Item>) -> Result<Plan> {
        Ok(Plan { writes: (*self).plan(context, row)?, entity: None })
    }
}
