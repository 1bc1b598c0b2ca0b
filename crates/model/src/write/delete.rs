//! `delete`: deletes a row and its derived rows.

use std::sync::Arc;

use monotable_types::Item;

use super::change::{self, derived_rows, has_derived_rows, own_row};
use super::edit::own_when;
use super::erased::{ErasedKey, SharedEntity};
use super::operation::{Change, Conditional, Leaves, When};
use super::outcome::Outcome;
use super::plan::{Label, Plan, Planned, PlannedWrite};
use super::presence::{self, Presence};
use super::unchanged::{self, confirmed};
use super::unreadable;
use crate::backend::request::{Action, Returns};
use crate::context::Context;
use crate::entity::{Entity, EntityKey};
use crate::error::{Error, Result};

/// Deletes an entity that was read, if it has not changed since.
///
/// It fails with [`Error::VersionConflict`] or [`Error::NotFound`].
pub fn delete<E: Entity>(entity: &E) -> Delete<E> {
    Change::planned(DeletePlan::new(Arc::new(entity.clone())))
}

/// Deletes the row with a key, if there is one. Outside a transaction it returns whether there was
/// one.
pub fn delete_by_key<K: EntityKey>(key: &K) -> DeleteByKey<K::Entity> {
    Change::planned(DeleteByKeyPlan { key: ErasedKey::new(key), when: When::default() })
}

/// The deletion of a row that was read: see [`delete`].
pub type Delete<E> = Change<E, DeletePlan>;

/// The deletion of the row with a key: see [`delete_by_key`].
pub type DeleteByKey<E> = Change<E, DeleteByKeyPlan>;

/// Plans a [`Delete`].
#[derive(Clone, Debug)]
pub struct DeletePlan {
    entity: SharedEntity,
    when: When,
    /// Whether the stored row must be read first.
    reads_first: bool,
}

impl Conditional for DeletePlan {
    fn when(&mut self) -> &mut When {
        &mut self.when
    }
}

impl DeletePlan {
    /// Returns a delete that reads the row first if mirrors depend on all of its fields.
    fn new(entity: SharedEntity) -> Self {
        let reads_first = !entity.meta().mirrors.is_empty();
        Self { entity, when: When::default(), reads_first }
    }

    /// Returns the writes. If the stored row was read, its contents are the condition; otherwise
    /// those of the entity.
    fn writes(&self, context: &Context, stored: Option<Option<Item>>) -> Result<Vec<PlannedWrite>> {
        let (entity, meta) = (&*self.entity, self.entity.meta());
        let key = context.primary_key(meta, entity)?;
        let fields = entity.fields()?;
        let before = match stored {
            None => fields,
            Some(stored) => confirmed(context, &key, entity, &fields, stored, &self.when)?,
        };
        let unchanged = unchanged::condition(context, entity, &before, &[], []);
        let own = own_when(context, meta, Action::Delete(key), unchanged, &self.when)?;
        let mut writes = vec![own];
        writes.extend(derived_rows(context, Some(entity), None)?);
        Ok(writes)
    }
}

impl Planned for DeletePlan {
    fn label(&self) -> Label {
        Label::new("delete", self.entity.meta().name)
    }

    fn reads(&self, context: &Context) -> Result<Option<Item>> {
        let key = || context.primary_key(self.entity.meta(), &*self.entity);
        self.reads_first.then(key).transpose()
    }

    fn plan(&mut self, context: &Context, row: Option<Item>) -> Result<Plan> {
        Ok(Plan::new(self.writes(context, self.reads_first.then_some(row))?))
    }

    fn reading_first(&self) -> Option<Box<dyn Planned>> {
        (!self.reads_first).then(|| Box::new(Self { reads_first: true, ..self.clone() }) as Box<_>)
    }
}

impl Leaves for DeletePlan {
    type Together<E: Entity> = ();
    type Alone<E: Entity> = ();

    fn alone<E: Entity>(_: &Context, outcome: Result<Outcome>) -> Result<()> {
        outcome.map(drop)
    }
}

/// Plans a [`DeleteByKey`].
#[derive(Debug)]
pub struct DeleteByKeyPlan {
    key: ErasedKey,
    when: When,
}

impl Conditional for DeleteByKeyPlan {
    fn when(&mut self) -> &mut When {
        &mut self.when
    }
}

impl DeleteByKeyPlan {
    /// Returns whether the row must be read first, to find its derived rows and to check that it
    /// belongs to this entity.
    fn reads_first(&self, context: &Context) -> bool {
        let entity = self.key.entity.meta;
        has_derived_rows(entity) || context.shared_key_type(entity).is_some()
    }

    /// Returns the writes of a row that was not read.
    fn unread(&self, context: &Context, key: Item) -> Result<Plan> {
        let entity = self.key.entity.meta;
        let when = self.when.tree()?;
        let failure = match when {
            Some(_) => presence::unmet(entity),
            None => presence::changed(context, entity, None),
        };
        // If there is no row, no condition needs to hold.
        let absent = Presence::of(context, entity).absent();
        let condition = when.map(|when| absent.or(when));
        let action = Action::Delete(key);
        Ok(Plan::new(vec![own_row(context, action, condition, Returns::Old, failure)]))
    }
}

impl Planned for DeleteByKeyPlan {
    fn label(&self) -> Label {
        Label::new("delete", self.key.entity.meta.name)
    }

    fn reads(&self, context: &Context) -> Result<Option<Item>> {
        self.reads_first(context).then(|| self.key.item(context)).transpose()
    }

    fn plan(&mut self, context: &Context, row: Option<Item>) -> Result<Plan> {
        let entity = self.key.entity;
        let key = self.key.item(context)?;
        if !self.reads_first(context) {
            return self.unread(context, key);
        }
        // An expired row is already absent, and its derived rows may belong to another entity.
        let presence = Presence::of(context, entity.meta);
        let Some(stored) = row.filter(|row| presence.holds(Some(row))) else {
            return Ok(Plan::new(Vec::new()).of(false));
        };
        self.when.check(entity.meta, Some(&stored))?;
        let mut writes = match change::stored(context, entity, &key, stored.clone()) {
            Ok(entity) => DeletePlan::new(entity).writes(context, Some(Some(stored)))?,
            Err(error) => unreadable::delete(context, entity.meta, key, &stored, error)?,
        };
        // A concurrent deletion by another caller is not a failure.
        if let Some(own) = writes.first_mut() {
            presence::conflict_if_gone(entity.meta, own);
        }
        Ok(Plan::new(writes).of(true))
    }

    fn is_blind(&self) -> bool {
        true
    }
}

impl Leaves for DeleteByKeyPlan {
    type Together<E: Entity> = ();
    type Alone<E: Entity> = bool;

    fn alone<E: Entity>(context: &Context, outcome: Result<Outcome>) -> Result<bool> {
        let mut outcome = match outcome {
            // Another caller was faster.
            Err(Error::NotFound { .. }) => return Ok(false),
            outcome => outcome?,
        };
        if let Some(was_there) = outcome.take() {
            return Ok(was_there);
        }
        let row = outcome.row.map(crate::backend::Row::into_item).transpose()?;
        Ok(Presence::of(context, E::META).holds(row.as_ref()))
    }
}
