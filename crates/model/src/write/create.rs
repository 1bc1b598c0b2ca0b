//! `create`: a new row where none is.

use std::future::IntoFuture;
use std::sync::Arc;

use monotable_expression::Condition;
use monotable_types::Item;

use super::change::{beside, own_row};
use super::execute::{self, Planned};
use super::plan::{Failure, Operation, Plan};
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
pub(super) fn plan<E: Entity>(context: &Context, entity: E) -> Result<Planned<E>> {
    let condition = Presence::of(context, E::META).absent();
    plan_when(context, entity, condition, presence::exists(E::META.name))
}

/// The same under another condition.
pub(super) fn plan_when<E: Entity>(
    context: &Context,
    mut entity: E,
    condition: Condition,
    failure: Failure,
) -> Result<Planned<E>> {
    entity.set_version(1);
    entity.stamp(context.now(), Moment::Created);
    let action = Action::Put(row::encode(context, &entity)?);
    let mut writes = vec![own_row(context, action, Some(condition), Returns::Nothing, failure)];
    writes.extend(beside(context, None, Some(&entity))?);
    Ok((writes, entity))
}

/// A create inside a transaction.
pub(super) struct CreateOperation<E>(pub(super) E);

impl<E: Entity> Operation for CreateOperation<E> {
    fn label(&self) -> String {
        format!("create {}", E::META.name)
    }

    fn plan(self: Box<Self>, context: &Context, _: Option<Item>) -> Result<Plan> {
        let (writes, entity) = plan(context, self.0)?;
        Ok(Plan { writes, entity: Some(Box::new(entity)) })
    }
}
