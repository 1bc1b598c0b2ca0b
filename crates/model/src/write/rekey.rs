//! `rekey`: an entity that was read moves to another primary key, with the rows that exist because of it.

use monotable_types::Item;

use super::change::{beside, check_immutable, merged, own_row};
use super::edit::Edit;
use super::execute::Planned;
use super::plan::{Operation, Plan};
use super::presence::{self, Presence};
use super::row;
use super::unchanged::{self, confirmed, key_fields};
use crate::backend::request::{Action, Returns};
use crate::context::Context;
use crate::entity::{Entity, Moment};
use crate::error::Result;

/// A change of an entity that was read, of its key above all.
pub(super) struct Rekey<E> {
    pub(super) old: E,
    pub(super) new: E,
}

impl<E: Entity> Rekey<E> {
    /// The key of the row that must be seen first: what the entity does not know of it moves, too.
    pub(super) fn key(&self, context: &Context) -> Result<Item> {
        context.primary_key(E::META, &self.old)
    }

    /// The writes, and the entity as it is then.
    pub(super) fn plan(&self, context: &Context, stored: Option<Item>) -> Result<Planned<E>> {
        let Self { old, new } = self;
        let key = self.key(context)?;
        if context.primary_key(E::META, new)? == key {
            let edit = Edit::new(old.clone(), |entity| *entity = new.clone());
            return edit.plan(context, Some(stored));
        }
        check_immutable(old, new, |field| key_fields(E::META).any(|of_key| of_key == field))?;
        let stored = confirmed(context, &key, old, &row::fields(old)?, stored)?;
        let mut new = new.clone();
        new.set_version(old.version().unwrap_or_default() + 1);
        new.stamp(context.now(), Moment::Changed);
        let moved = merged(context, &stored, &row::fields(old)?, &new)?;
        let replaced = stored.keys().map(String::as_str).filter(|name| !key.contains_key(*name));
        let condition = unchanged::condition(context, old, &stored, replaced, E::META.indexes);
        let failure = presence::changed(context, E::META, None);
        let left = Action::Delete(key);
        let free = Presence::of(context, E::META).absent();
        let taken = presence::exists(E::META.name);
        let mut writes = vec![
            own_row(context, left, Some(condition), Returns::Nothing, failure),
            own_row(context, Action::Put(moved), Some(free), Returns::Nothing, taken),
        ];
        writes.extend(beside(context, Some(old), Some(&new))?);
        Ok((writes, new))
    }
}

impl<E: Entity> Operation for Rekey<E> {
    fn label(&self) -> String {
        format!("rekey {}", E::META.name)
    }

    fn reads(&self, context: &Context) -> Result<Option<Item>> {
        self.key(context).map(Some)
    }

    fn plan(&self, context: &Context, row: Option<Item>) -> Result<Plan> {
        let (writes, entity) = Self::plan(self, context, row)?;
        Ok(Plan::new(writes).of(entity))
    }
}
