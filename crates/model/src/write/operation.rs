//! Operations as values: the same for running alone, with [`Store::run`](crate::Store::run), and in
//! a transaction, with [`Transact::add`](crate::Transact::add).

use std::any::Any;
use std::fmt;
use std::future::Future;
use std::marker::PhantomData;
use std::sync::Arc;

use monotable_design::meta::EntityMeta;
use monotable_expression as expression;
use monotable_types::Item;

use super::execute;
use super::outcome::Outcome;
use super::plan::Planned;
use crate::condition::Condition;
use crate::context::Context;
use crate::entity::Entity;
use crate::error::{Error, Result};
use crate::table::{Holds, Table};

/// An operation that can be added to a transaction of the table `T`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an operation of a transaction",
    note = "add `create(row)`, `edit(&row, |row| …)`, `put`, `rekey`, `delete`, `delete_by_key`, `check`, `check_absent`, an update such as `Player::update(&key).number(7)`, or a rule such as `guard.hold(…)`"
)]
pub trait Operation<T: Table>: Send + 'static {
    /// The result of the operation, which its handle finds in the outcome of the transaction.
    type Output: Send + Sync + 'static;

    /// Erases the type.
    fn into_planned(self) -> Box<dyn Planned>;
}

/// An operation that [`Store::run`](crate::Store::run) runs alone in the table `T`: a write, a
/// rule, or a query about a rule.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not run on its own",
    note = "`run` takes operations such as `create(row)` and rules such as `guard.hold(…)`"
)]
pub trait Run<T: Table>: Send {
    /// The result of the operation.
    type Output: Send;

    /// Runs the operation.
    ///
    /// # Errors
    ///
    /// The operation fails, or the backend fails.
    fn run_in(self, context: &Arc<Context>) -> impl Future<Output = Result<Self::Output>> + Send;
}

/// A write of one entity's row, as a value. Made by [`create`](crate::create), [`edit`](crate::edit) and
/// the other functions named after what they do.
#[must_use = "an operation does nothing until it runs: `db.run(…)`, or `add` it to a transaction"]
pub struct Change<E, P> {
    pub(super) plan: P,
    entity: PhantomData<fn() -> E>,
}

impl<E, P> Change<E, P> {
    pub(super) fn planned(plan: P) -> Self {
        Self { plan, entity: PhantomData }
    }
}

impl<E, P: Clone> Clone for Change<E, P> {
    fn clone(&self) -> Self {
        Self::planned(self.plan.clone())
    }
}

impl<E, P: fmt::Debug> fmt::Debug for Change<E, P> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.plan.fmt(formatter)
    }
}

impl<E: Entity, P: Conditional> Change<E, P> {
    /// Adds a condition on the stored row. If it does not hold, the operation fails with
    /// [`Error::ConditionFailed`].
    pub fn when(mut self, condition: Condition<E>) -> Self {
        self.plan.when().add(condition.into_tree());
        self
    }
}

/// Plans that take a condition on the stored row.
pub trait Conditional {
    /// Returns the conditions added so far.
    #[doc(hidden)]
    fn when(&mut self) -> &mut When;
}

/// The caller's conditions on a stored row, apart from those that the operation itself needs.
#[doc(hidden)]
#[derive(Clone, Debug, Default)]
pub struct When(Option<Result<expression::Condition>>);

impl When {
    pub(super) fn add(&mut self, condition: Result<expression::Condition>) {
        self.0 = Some(match self.0.take() {
            Some(Ok(first)) => condition.map(|second| first.and(second)),
            Some(error) => error,
            None => condition,
        });
    }

    /// Returns all conditions as one.
    ///
    /// # Errors
    ///
    /// A value in one of them cannot be encoded.
    pub(super) fn tree(&self) -> Result<Option<expression::Condition>> {
        self.0.clone().transpose()
    }

    /// Checks the row that was read, or its absence.
    ///
    /// # Errors
    ///
    /// [`Error::ConditionFailed`] if a condition does not hold.
    pub(super) fn check(&self, entity: &'static EntityMeta, row: Option<&Item>) -> Result<()> {
        let holds = |when: expression::Condition| match row {
            Some(row) => when.evaluate(row),
            None => when.evaluate(&Item::new()),
        };
        if self.tree()?.is_none_or(holds) {
            return Ok(());
        }
        let row = row.cloned().map(Box::new);
        Err(Error::ConditionFailed { entity: entity.name, row })
    }
}

/// The result of a plan, in a transaction and alone.
pub trait Leaves: Planned {
    /// The result in a transaction: the entity, or `()` if no backend returns it.
    type Together<E: Entity>: Send + Sync + 'static;
    /// The result alone.
    type Alone<E: Entity>: Send;

    /// Makes the result of the operation run alone.
    #[doc(hidden)]
    fn alone<E: Entity>(context: &Context, outcome: Result<Outcome>) -> Result<Self::Alone<E>>;
}

impl<T: Holds<E>, E: Entity, P: Leaves> Operation<T> for Change<E, P> {
    type Output = P::Together<E>;

    fn into_planned(self) -> Box<dyn Planned> {
        Box::new(self.plan)
    }
}

impl<T: Holds<E>, E: Entity, P: Leaves> Run<T> for Change<E, P> {
    type Output = P::Alone<E>;

    async fn run_in(self, context: &Arc<Context>) -> Result<P::Alone<E>> {
        P::alone(context, execute::alone(context, Box::new(self.plan)).await)
    }
}

/// Takes the resulting entity, which was known before the backend's response.
pub(super) fn left<E: Entity + Any>(outcome: Result<Outcome>) -> Result<E> {
    outcome?.take().ok_or(Error::NotFound { entity: E::META.name })
}

/// Takes the resulting entity, or decodes the row that the backend returned.
pub(super) fn left_or_returned<E: Entity>(
    context: &Context,
    outcome: Result<Outcome>,
) -> Result<E> {
    let mut outcome = outcome?;
    match (outcome.take(), outcome.row) {
        (Some(entity), _) => Ok(entity),
        (None, Some(row)) => super::row::decode(context, row),
        (None, None) => Err(Error::NotFound { entity: E::META.name }),
    }
}
