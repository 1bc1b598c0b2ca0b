//! `create`: a new row where none is.

use std::fmt;
use std::future::IntoFuture;
use std::sync::Arc;

use monotable_expression::Condition;
use monotable_types::Item;

use super::change::{beside, own_row};
use super::execute::{self, Planned};
use super::plan::{Failure, Operation, Plan, PlannedWrite};
use super::presence::{self, Presence};
use super::row;
use crate::backend::Reply;
use crate::backend::request::{Action, Returns};
use crate::context::Context;
use crate::entity::{Entity, Moment, OnCreate};
use crate::error::{Error, Result};

/// A request to create a row. Await it: the result is the entity as it is stored.
#[must_use = "a request does nothing until it is awaited"]
pub struct Create<E> {
    context: Arc<Context>,
    planned: Result<Planned<E>>,
}

impl<E: Entity> fmt::Debug for Create<E> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let writes = self.planned.as_ref().map(|(writes, _)| writes);
        formatter.debug_struct("Create").field("writes", &writes).finish_non_exhaustive()
    }
}

impl<E: Entity> Create<E> {
    pub(super) fn new(context: &Arc<Context>, entity: &E) -> Self {
        Self { context: Arc::clone(context), planned: plan(context, entity.clone()) }
    }

    /// There is no condition that a new row could be created under: it would see only the row with
    /// the same key. Declare `#[unique(field)]` to keep a value unique.
    pub fn when(self, condition: impl OnCreate) -> Self {
        let _ = condition;
        self
    }
}

impl<E: Entity> IntoFuture for Create<E> {
    type Output = Result<E>;
    type IntoFuture = Reply<E, Error>;

    fn into_future(self) -> Self::IntoFuture {
        let Self { context, planned } = self;
        match planned {
            Err(error) => Reply::ready(Err(error)),
            Ok(planned) => execute::reply(context, planned, plan),
        }
    }
}

/// The writes that create an entity, and the entity as it is then.
pub(super) fn plan<E: Entity>(context: &Context, mut entity: E) -> Result<Planned<E>> {
    begin(context, &mut entity);
    let writes = new_row(context, &entity)?;
    Ok((writes, entity))
}

/// The same under another condition.
pub(super) fn plan_when<E: Entity>(
    context: &Context,
    mut entity: E,
    condition: Condition,
    failure: Failure,
) -> Result<Planned<E>> {
    begin(context, &mut entity);
    let writes = writes(context, &entity, condition, failure)?;
    Ok((writes, entity))
}

/// Makes an entity the first version of a row.
fn begin(context: &Context, entity: &mut impl Entity) {
    entity.set_version(1);
    entity.stamp(context.now(), Moment::Created);
}

/// The writes of a row where none may be.
fn new_row<E: Entity>(context: &Context, entity: &E) -> Result<Vec<PlannedWrite>> {
    let condition = Presence::of(context, E::META).absent();
    let mut writes = writes(context, entity, condition, presence::exists(E::META.name))?;
    // That a row is in the way says all; what it holds need not be sent.
    if let Some(own) = writes.first_mut() {
        own.write.return_on_failure = false;
    }
    Ok(writes)
}

fn writes<E: Entity>(
    context: &Context,
    entity: &E,
    condition: Condition,
    failure: Failure,
) -> Result<Vec<PlannedWrite>> {
    let action = Action::Put(row::encode(context, entity)?);
    let mut writes = vec![own_row(context, action, Some(condition), Returns::Nothing, failure)];
    writes.extend(beside(context, None, Some(entity))?);
    Ok(writes)
}

/// A create inside a transaction: the entity as it will be stored.
pub(super) struct CreateOperation<E>(Arc<E>);

impl<E: Entity> CreateOperation<E> {
    pub(super) fn new(context: &Context, entity: &E) -> Self {
        let mut entity = entity.clone();
        begin(context, &mut entity);
        Self(Arc::new(entity))
    }
}

impl<E: Entity> Operation for CreateOperation<E> {
    fn label(&self) -> String {
        format!("create {}", E::META.name)
    }

    fn plan(&self, context: &Context, _: Option<Item>) -> Result<Plan> {
        let writes = new_row(context, &*self.0)?;
        Ok(Plan { writes, entity: Some(Arc::clone(&self.0) as Arc<_>) })
    }
}
