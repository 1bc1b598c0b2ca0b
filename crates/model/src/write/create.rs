//! `create`: a new row where none is.

use std::future::IntoFuture;
use std::sync::Arc;

use monotable_expression::Condition;
use monotable_types::Item;

use super::change::{self, beside, own_row};
use super::plan::{Operation, Plan, PlannedWrite};
use super::presence::{self, Presence};
use super::{execute, row};
use crate::backend::Reply;
use crate::backend::request::{Action, Returns};
use crate::context::Context;
use crate::entity::{Entity, Moment, OnCreate};
use crate::error::{Error, Result};

/// A request to create a row. Await it: the result is the entity as it is stored.
#[must_use = "a request does nothing until it is awaited"]
pub struct Create<E> {
    context: Arc<Context>,
    entity: E,
}

impl<E: Entity> Create<E> {
    pub(super) fn new(context: &Arc<Context>, entity: &E) -> Self {
        Self { context: Arc::clone(context), entity: entity.clone() }
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
        match plan(&self.context, self.entity) {
            Err(error) => Reply::ready(Err(error)),
            Ok((writes, entity)) => execute::then(self.context, writes, move |_, _| Ok(entity)),
        }
    }
}

/// The writes that create an entity, and the entity as it is then.
pub(super) fn plan<E: Entity>(context: &Context, entity: E) -> Result<(Vec<PlannedWrite>, E)> {
    let condition = Presence::of(context, E::META).absent();
    plan_when(context, entity, condition, || presence::exists(E::META.name))
}

pub(super) fn plan_when<E: Entity>(
    context: &Context,
    mut entity: E,
    condition: Condition,
    failure: impl FnOnce() -> super::Failure,
) -> Result<(Vec<PlannedWrite>, E)> {
    entity.set_version(1);
    entity.stamp(context.now(), Moment::Created);
    let row = row::encode(context, &entity)?;
    let action = Action::Put(row);
    let mut own = own_row(context, action, Some(condition), Returns::Nothing, failure());
    own.write.return_on_failure = false;
    let mut writes = vec![own];
    if change::has_rows_beside(E::META) {
        writes.extend(beside(context, None, Some(&entity))?);
    }
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
