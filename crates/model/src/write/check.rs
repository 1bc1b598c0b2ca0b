//! Checks: conditions on rows that an operation does not write.

use monotable_types::Item;

use super::change::own_row;
use super::erased::ErasedKey;
use super::operation::{Change, Conditional, Leaves, When};
use super::outcome::Outcome;
use super::plan::{Label, Plan, Planned, PlannedWrite};
use super::presence::{self, Presence};
use crate::backend::request::{Action, Returns};
use crate::condition::Condition;
use crate::context::Context;
use crate::entity::{Entity, EntityKey};
use crate::error::Result;

/// Requires that the row of a key exists and meets a condition.
///
/// ```ignore
/// tx.add(check(&TeamKey::new(team_id), team::status().eq(Status::Active)));
/// ```
pub fn check<K: EntityKey>(key: &K, condition: Condition<K::Entity>) -> Check<K::Entity> {
    Change::planned(CheckPlan { key: ErasedKey::new(key), when: When::default() }).when(condition)
}

/// Requires that the row of a key does not exist.
pub fn check_absent<K: EntityKey>(key: &K) -> CheckAbsent<K::Entity> {
    Change::planned(CheckAbsentPlan(ErasedKey::new(key)))
}

/// A condition on a row: see [`check`].
pub type Check<E> = Change<E, CheckPlan>;

/// A row that must be absent: see [`check_absent`].
pub type CheckAbsent<E> = Change<E, CheckAbsentPlan>;

/// Plans a [`Check`].
#[derive(Debug)]
pub struct CheckPlan {
    key: ErasedKey,
    when: When,
}

impl Conditional for CheckPlan {
    fn when(&mut self) -> &mut When {
        &mut self.when
    }
}

impl Planned for CheckPlan {
    fn label(&self) -> Label {
        Label::new("check", self.key.entity.meta.name)
    }

    fn plan(&mut self, context: &Context, _: Option<Item>) -> Result<Plan> {
        let entity = self.key.entity.meta;
        let when = self.when.tree()?;
        let failure = presence::changed(context, entity, when.clone());
        let present = Presence::of(context, entity).present();
        let condition = when.into_iter().fold(present, |all, when| all.and(when));
        let action = Action::Check(self.key.item(context)?);
        let write = own_row(context, action, Some(condition), Returns::Nothing, failure);
        Ok(Plan::new(vec![write]))
    }
}

impl Leaves for CheckPlan {
    type Together<E: Entity> = ();
    type Alone<E: Entity> = ();

    fn alone<E: Entity>(_: &Context, outcome: Result<Outcome>) -> Result<()> {
        outcome.map(drop)
    }
}

/// Plans a [`CheckAbsent`].
#[derive(Debug)]
pub struct CheckAbsentPlan(ErasedKey);

impl Planned for CheckAbsentPlan {
    fn label(&self) -> Label {
        Label::new("check absence of", self.0.entity.meta.name)
    }

    fn plan(&mut self, context: &Context, _: Option<Item>) -> Result<Plan> {
        let entity = self.0.entity.meta;
        let action = Action::Check(self.0.item(context)?);
        let condition = Some(Presence::of(context, entity).absent());
        let failure = presence::exists(context, entity);
        let write = own_row(context, action, condition, Returns::Nothing, failure);
        Ok(Plan::new(vec![write]))
    }
}

impl Leaves for CheckAbsentPlan {
    type Together<E: Entity> = ();
    type Alone<E: Entity> = ();

    fn alone<E: Entity>(_: &Context, outcome: Result<Outcome>) -> Result<()> {
        outcome.map(drop)
    }
}

/// Returns whether the writes are only a check.
pub(super) fn is_check(writes: &[PlannedWrite]) -> bool {
    matches!(writes, [planned] if matches!(planned.write.action, Action::Check(_)))
}

/// Evaluates the conditions of checks on the row that was read.
pub(super) fn holds(checks: Vec<PlannedWrite>, stored: Option<Item>) -> Result<()> {
    let row = stored.unwrap_or_default();
    for PlannedWrite { write, failure, .. } in checks {
        if write.condition.is_some_and(|condition| !condition.evaluate(&row)) {
            return Err(failure(Some(row).filter(|row| !row.is_empty()).map(Box::new)));
        }
    }
    Ok(())
}
