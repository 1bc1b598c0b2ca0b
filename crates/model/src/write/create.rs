//! `create`: writes a new row.

use std::sync::Arc;

use monotable_expression::Condition;
use monotable_types::Item;

use super::change::{derived_rows, own_row};
use super::erased::{ErasedEntity, SharedEntity, make_mut};
use super::operation::{Change, Leaves, left};
use super::outcome::Outcome;
use super::plan::{Failure, Label, Plan, Planned, PlannedWrite};
use super::presence::{self, Presence};
use super::row;
use crate::backend::request::{Action, Returns};
use crate::context::Context;
use crate::entity::{Entity, Moment, OnCreate};
use crate::error::Result;

/// Creates a row, which must not exist or have expired. The result is the entity as stored: with
/// version 1 and its stamps.
///
/// It fails with [`Error::Exists`](crate::Error::Exists) or
/// [`Error::UniqueTaken`](crate::Error::UniqueTaken).
///
/// ```ignore
/// let team = db.run(create(team)).await?;
/// ```
pub fn create<E: Entity>(entity: E) -> Create<E> {
    Change::planned(CreatePlan(Arc::new(entity)))
}

/// A new row: see [`create`].
pub type Create<E> = Change<E, CreatePlan>;

impl<E> Create<E> {
    /// Does not compile: a condition on a new row would only see the row with the same key. Declare
    /// `#[unique(field)]` to keep a value unique.
    pub fn when(self, condition: impl OnCreate) -> Self {
        let _ = condition;
        self
    }
}

/// Plans a [`Create`].
#[derive(Debug)]
pub struct CreatePlan(SharedEntity);

impl Planned for CreatePlan {
    fn label(&self) -> Label {
        Label::new("create", self.0.meta().name)
    }

    fn plan(&mut self, context: &Context, _: Option<Item>) -> Result<Plan> {
        begin(context, make_mut(&mut self.0));
        let entity = &*self.0;
        let presence = Presence::of(context, entity.meta());
        let failure = presence::exists(context, entity.meta());
        let mut writes = writes(context, entity, presence.absent(), failure)?;
        // An existing row is reason enough, unless it may be of another type.
        if let Some(own) = writes.first_mut() {
            own.write.return_on_failure = presence.own_type().is_some();
        }
        Ok(Plan::new(writes).leaving(Arc::clone(&self.0)))
    }
}

impl Leaves for CreatePlan {
    type Together<E: Entity> = E;
    type Alone<E: Entity> = E;

    fn alone<E: Entity>(_: &Context, outcome: Result<Outcome>) -> Result<E> {
        left(outcome)
    }
}

/// Plans a new row under another condition than that it does not exist.
pub(super) fn plan_when(
    context: &Context,
    mut entity: SharedEntity,
    condition: Condition,
    failure: Failure,
) -> Result<Plan> {
    begin(context, make_mut(&mut entity));
    let writes = writes(context, &*entity, condition, failure)?;
    Ok(Plan::new(writes).leaving(entity))
}

/// Sets the version and the stamps of a new row.
fn begin(context: &Context, entity: &mut dyn ErasedEntity) {
    entity.set_version(1);
    entity.stamp(context.now(), Moment::Created);
}

fn writes(
    context: &Context,
    entity: &dyn ErasedEntity,
    condition: Condition,
    failure: Failure,
) -> Result<Vec<PlannedWrite>> {
    let action = Action::Put(row::encode(context, entity)?);
    let mut writes = vec![own_row(context, action, Some(condition), Returns::Nothing, failure)];
    writes.extend(derived_rows(context, None, Some(entity))?);
    Ok(writes)
}
