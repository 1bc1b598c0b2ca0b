//! `delete`: the row, and the rows that exist because of it.

use monotable_types::Item;

use super::change::{beside, has_rows_beside, own_row};
use super::plan::{Operation, Plan, PlannedWrite};
use super::presence::{self, Presence};
use super::unchanged::{self, confirmed};
use super::{change, row, unreadable};
use crate::backend::request::{Action, Returns};
use crate::context::Context;
use crate::entity::{Entity, EntityKey};
use crate::error::Result;

/// Deletes an entity that was read, unless somebody changed it since.
#[derive(Clone)]
pub(super) struct Delete<E> {
    entity: E,
    /// Whether the stored row must be seen first.
    pub(super) reads_first: bool,
}

impl<E: Entity> Delete<E> {
    /// A delete that looks at the row first where mirrors are made of all of its fields.
    pub(super) fn new(entity: E) -> Self {
        Self { entity, reads_first: !E::META.mirrors.is_empty() }
    }

    pub(super) fn key(&self, context: &Context) -> Result<Item> {
        context.primary_key(E::META, &self.entity)
    }

    /// The writes. With the stored row, if that was read, the condition is on what it holds; else on
    /// what the entity says.
    pub(super) fn plan(
        &self,
        context: &Context,
        stored: Option<Option<Item>>,
    ) -> Result<Vec<PlannedWrite>> {
        let key = self.key(context)?;
        let fields = row::fields(&self.entity)?;
        let before = match stored {
            None => fields,
            Some(stored) => confirmed(context, &key, &self.entity, &fields, stored)?,
        };
        let condition = unchanged::condition(context, &self.entity, &before, [], []);
        let failure = presence::changed(context, E::META, None);
        let action = Action::Delete(key);
        let own = own_row(context, action, Some(condition), Returns::Nothing, failure);
        let mut writes = vec![own];
        writes.extend(beside(context, Some(&self.entity), None)?);
        Ok(writes)
    }
}

impl<E: Entity> Operation for Delete<E> {
    fn label(&self) -> String {
        format!("delete {}", E::META.name)
    }

    fn reads(&self, context: &Context) -> Result<Option<Item>> {
        self.reads_first.then(|| self.key(context)).transpose()
    }

    fn plan(&self, context: &Context, row: Option<Item>) -> Result<Plan> {
        Ok(Plan::new(Self::plan(self, context, self.reads_first.then_some(row))?))
    }

    fn looking(&self) -> Option<Box<dyn Operation>> {
        (!self.reads_first).then(|| Box::new(Self { reads_first: true, ..self.clone() }) as Box<_>)
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

    pub(super) fn plan(&self, context: &Context, seen: Option<Item>) -> Result<Vec<PlannedWrite>> {
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
                let mut writes = match change::stored::<K::Entity>(context, &key, seen.clone()) {
                    Ok(entity) => Delete::new(entity).plan(context, Some(Some(seen)))?,
                    Err(error) => unreadable::delete(context, entity, key, &seen, error)?,
                };
                // That somebody else deleted it is no failure.
                if let Some(own) = writes.first_mut() {
                    presence::outrun(entity, own);
                }
                Ok(writes)
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

    fn plan(&self, context: &Context, row: Option<Item>) -> Result<Plan> {
        Ok(Plan::new(Self::plan(self, context, row)?))
    }

    fn is_blind(&self) -> bool {
        true
    }
}
