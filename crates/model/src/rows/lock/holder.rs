//! The operations of a lock's holder: extend the lease, release the lock, and check that it is
//! still held.

use std::time::Duration;

use monotable_expression::{Condition, Update, attribute_exists, path};
use monotable_types::Item;

use crate::backend::request::{Action, Returns};
use crate::context::Context;
use crate::error::Result;
use crate::rows::operation::InTransaction;
use crate::rows::row::RuleRow;
use crate::rows::run::RunRule;
use crate::time::EpochSeconds;
use crate::write::{self, Label, Plan, Planned, PlannedWrite};

/// Tests that the holder with this token has the lock.
fn is_held_by(rule: &RuleRow, context: &Context, token: &str) -> Condition {
    path(rule.attributes.value).eq(token).and(!rule.lease_has_ended(context))
}

/// Extends a lease. Made by [`Lock::extend`](super::Lock::extend).
#[derive(Clone, Debug)]
pub struct Extend {
    rule: RuleRow,
    token: String,
    lease: Duration,
}

impl Extend {
    pub(super) fn new(rule: RuleRow, token: String, lease: Duration) -> Self {
        Self { rule, token, lease }
    }

    fn planned(self, context: &Context) -> Result<(PlannedWrite, EpochSeconds)> {
        let ends_at = self.rule.lease_end(context, self.lease)?;
        let update = Update::new().set(self.rule.attributes.lease, ends_at.as_seconds());
        let action = Action::Update(self.rule.key_item(context)?, update);
        let condition = is_held_by(&self.rule, context, &self.token);
        Ok((self.rule.write(context, action, condition, self.rule.locked()), ends_at))
    }
}

impl InTransaction for Extend {
    type Output = ();
}

impl Planned for Extend {
    fn label(&self) -> Label {
        Label::new("extend", self.rule.kind)
    }

    fn plan(&mut self, context: &Context, _row: Option<Item>) -> Result<Plan> {
        Ok(Plan::new(vec![self.clone().planned(context)?.0]))
    }
}

impl RunRule for Extend {
    /// The new end of the lease.
    type Output = EpochSeconds;

    async fn run(self, context: &Context) -> Result<EpochSeconds> {
        let (planned, ends_at) = self.planned(context)?;
        write::single(context, vec![planned]).await?;
        Ok(ends_at)
    }
}

/// Releases a lock. Made by [`Lock::release`](super::Lock::release).
#[derive(Clone, Debug)]
pub struct Unlock {
    rule: RuleRow,
    token: String,
}

impl Unlock {
    pub(super) fn new(rule: RuleRow, token: String) -> Self {
        Self { rule, token }
    }

    fn planned(self, context: &Context) -> Result<PlannedWrite> {
        let attributes = self.rule.attributes;
        let key = self.rule.key_item(context)?;
        let action = if self.rule.expires_with_lease(context) {
            Action::Delete(key)
        } else {
            Action::Update(key, Update::new().remove(attributes.value).remove(attributes.lease))
        };
        let condition = is_held_by(&self.rule, context, &self.token);
        Ok(self.rule.write(context, action, condition, self.rule.locked()))
    }
}

impl InTransaction for Unlock {
    type Output = ();
}

impl Planned for Unlock {
    fn label(&self) -> Label {
        Label::new("release", self.rule.kind)
    }

    fn plan(&mut self, context: &Context, _row: Option<Item>) -> Result<Plan> {
        Ok(Plan::new(vec![self.clone().planned(context)?]))
    }
}

impl RunRule for Unlock {
    type Output = ();

    async fn run(self, context: &Context) -> Result<()> {
        let rule = self.rule.clone();
        let is_own = path(rule.attributes.value).eq(self.token.as_str());
        let mut planned = self.planned(context)?;
        if !rule.expires_with_lease(context) {
            return write::single(context, vec![planned]).await.map(drop);
        }
        // Other programs only test whether the row exists. So a row whose lease has ended without a
        // new holder is removed as well.
        planned.write.condition = Some(is_own);
        planned.write.returns = Returns::Old;
        let response = write::single(context, vec![planned]).await?;
        let row = response.into_item()?.unwrap_or_default();
        if rule.lease_has_ended(context).evaluate(&row) {
            Err((rule.locked())(None))
        } else {
            Ok(())
        }
    }
}

/// Checks that an acquisition still holds its lock. Made by [`Lock::check`](super::Lock::check).
#[derive(Clone, Debug)]
pub struct CheckFence {
    rule: RuleRow,
    fence: u64,
}

impl CheckFence {
    pub(super) fn new(rule: RuleRow, fence: u64) -> Self {
        Self { rule, fence }
    }

    fn holds(&self, context: &Context) -> Condition {
        attribute_exists(self.rule.attributes.value)
            .and(path(self.rule.attributes.version).eq(self.fence))
            .and(!self.rule.lease_has_ended(context))
    }
}

impl InTransaction for CheckFence {
    type Output = ();
}

impl Planned for CheckFence {
    fn label(&self) -> Label {
        Label::new("check", self.rule.kind)
    }

    fn plan(&mut self, context: &Context, _row: Option<Item>) -> Result<Plan> {
        let action = Action::Check(self.rule.key_item(context)?);
        let condition = self.holds(context);
        let planned = self.rule.write(context, action, condition, self.rule.locked());
        Ok(Plan::new(vec![planned]))
    }
}

impl RunRule for CheckFence {
    type Output = ();

    async fn run(self, context: &Context) -> Result<()> {
        let row = self.rule.read(context).await?;
        if row.is_some_and(|row| self.holds(context).evaluate(&row)) {
            Ok(())
        } else {
            Err((self.rule.locked())(None))
        }
    }
}
