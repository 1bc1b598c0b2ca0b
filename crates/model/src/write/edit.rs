//! `edit`: the difference between an entity as it was read and as it shall be.

use monotable_design::meta::Codec;
use monotable_types::Item;

use super::change::{
    beside, check_immutable, check_key, difference, index_difference, merged, own_row,
};
use super::execute::Planned;
use super::plan::{Operation, Plan, PlannedWrite};
use super::presence;
use super::unchanged::{self, confirmed};
use super::{index_keys, row};
use crate::backend::request::{Action, Returns};
use crate::codec;
use crate::context::Context;
use crate::entity::{Entity, Moment};
use crate::error::Result;

/// A change of an entity that was read.
#[derive(Clone)]
pub(super) struct Edit<E> {
    old: E,
    new: E,
    /// Whether the stored row must be seen first.
    pub(super) reads_first: bool,
}

impl<E: Entity> Edit<E> {
    /// The change that `change` makes.
    pub(super) fn new(old: E, change: impl FnOnce(&mut E)) -> Self {
        let mut new = old.clone();
        change(&mut new);
        Self { old, new, reads_first: is_merged::<E>() }
    }

    pub(super) fn key(&self, context: &Context) -> Result<Item> {
        context.primary_key(E::META, &self.old)
    }

    /// The writes, and the entity as it is then. With the stored row, if that was read, the change is
    /// made from what it holds; else from what the entity says.
    pub(super) fn plan(
        &self,
        context: &Context,
        stored: Option<Option<Item>>,
    ) -> Result<Planned<E>> {
        let Self { old, new, .. } = self;
        let key = check_key(context, old, new)?;
        check_immutable(old, new, |_| false)?;
        let mut new = new.clone();
        new.set_version(old.version().unwrap_or_default());
        let fields = row::fields(old)?;
        if row::fields(&new)? == fields {
            // The check tells what is wrong with the row, with the failures of other operations.
            let confirm = |stored| confirmed(context, &key, old, &fields, stored).ok();
            let before = stored.and_then(confirm);
            let before = before.as_ref().unwrap_or(&fields);
            return Ok((vec![Self::check(context, key.clone(), old, before)], old.clone()));
        }
        new.set_version(old.version().unwrap_or_default() + 1);
        new.stamp(context.now(), Moment::Changed);
        let stored = stored.map(|stored| confirmed(context, &key, old, &fields, stored));
        let stored = stored.transpose()?;
        let (condition, update) = match stored {
            Some(stored) if is_merged::<E>() => {
                let update = difference(&stored, &merged(context, &stored, &fields, &new)?);
                let replaced = update.paths().map(|path| path.root.as_str());
                let indexes = E::META.indexes;
                let condition = unchanged::condition(context, old, &stored, replaced, indexes);
                (condition, update)
            }
            // What the change does not touch keeps its form, also one that older programs wrote.
            stored => {
                let update = difference(&fields, &row::fields(&new)?);
                let (indexes, keys) = index_difference(context, old, &new)?;
                let replaced = update.paths().map(|path| path.root.as_str());
                let before = stored.as_ref().unwrap_or(&fields);
                let condition = unchanged::condition(context, old, before, replaced, indexes);
                (condition, index_keys::add(update, keys))
            }
        };
        let failure = presence::changed(context, E::META, None);
        let action = Action::Update(key, update);
        let own = own_row(context, action, Some(condition), Returns::Nothing, failure);
        let mut writes = vec![own];
        writes.extend(beside(context, Some(old), Some(&new))?);
        Ok((writes, new))
    }

    /// What is left of a change of nothing: that the row is there, in the version that was read.
    fn check(context: &Context, key: Item, old: &E, before: &Item) -> PlannedWrite {
        let condition = unchanged::same_life(context, old, before);
        let failure = presence::changed(context, E::META, None);
        own_row(context, Action::Check(key), Some(condition), Returns::Nothing, failure)
    }
}

/// Whether a change must be merged into what is stored: where several fields share an attribute, what it
/// holds besides them has to survive; mirrors are made of all fields; and old names have to go.
fn is_merged<E: Entity>() -> bool {
    !matches!(E::META.codec, Codec::Plain)
        || !E::META.mirrors.is_empty()
        || codec::has_aliases(E::META)
}

impl<E: Entity> Operation for Edit<E> {
    fn label(&self) -> String {
        format!("edit {}", E::META.name)
    }

    fn reads(&self, context: &Context) -> Result<Option<Item>> {
        self.reads_first.then(|| self.key(context)).transpose()
    }

    fn plan(&self, context: &Context, row: Option<Item>) -> Result<Plan> {
        let (writes, entity) = Self::plan(self, context, self.reads_first.then_some(row))?;
        Ok(Plan::new(writes).of(entity))
    }

    fn looking(&self) -> Option<Box<dyn Operation>> {
        (!self.reads_first).then(|| Box::new(Self { reads_first: true, ..self.clone() }) as Box<_>)
    }
}
