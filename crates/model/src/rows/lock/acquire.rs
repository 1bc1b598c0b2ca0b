//! Takes a lock: one update with the next fence, which is computed or read.

use std::sync::atomic::Ordering;
use std::time::Duration;

use monotable_expression::{Condition, SetOperand, SetValue, Update, attribute_not_exists, path};
use monotable_types::Item;

use super::Held;
use crate::backend::request::{Action, Returns};
use crate::context::Context;
use crate::error::Result;
use crate::rows::operation::InTransaction;
use crate::rows::row::RuleRow;
use crate::rows::run::RunRule;
use crate::rows::token;
use crate::write::{self, Label, Plan, Planned, PlannedWrite};

/// Takes a lock. Made by [`Lock::acquire`](super::Lock::acquire).
#[derive(Clone, Debug)]
pub struct Acquire {
    rule: RuleRow,
    lease: Duration,
}

impl Acquire {
    pub(super) fn new(rule: RuleRow, lease: Duration) -> Self {
        Self { rule, lease }
    }

    /// Tests that the lock is free.
    fn is_free(&self, context: &Context) -> Condition {
        attribute_not_exists(self.rule.attributes.value).or(self.rule.lease_has_ended(context))
    }

    /// Returns the update with a fence that is the next number, or a number that was read before.
    fn planned(
        &self,
        context: &Context,
        held: &Held,
        fence: impl Into<SetValue>,
        condition: Condition,
    ) -> Result<PlannedWrite> {
        let attributes = self.rule.attributes;
        let mut update = Update::new()
            .set(attributes.value, held.token.as_str())
            .set(attributes.lease, held.ends_at.as_seconds())
            .set(attributes.version, fence);
        if let Some((attribute, name)) = self.rule.type_attribute(context) {
            update = update.set(path(attribute), name);
        }
        let action = Action::Update(self.rule.key_item(context)?, update);
        Ok(self.rule.write(context, action, condition, self.rule.locked()))
    }

    fn held(&self, context: &Context, fence: u64) -> Result<Held> {
        let ends_at = self.rule.lease_end(context, self.lease)?;
        Ok(Held { token: token::random()?, fence, ends_at })
    }
}

/// Returns the first fence of a row: the time, or a number greater than every fence seen here,
/// because the clock may have gone back and two acquisitions may be in the same millisecond.
fn first_fence(context: &Context) -> u64 {
    let greatest = context.last_fence.load(Ordering::Relaxed);
    context.backend.now_ms().max(greatest.saturating_add(1))
}

impl InTransaction for Acquire {
    type Output = Held;
}

impl Planned for Acquire {
    fn label(&self) -> Label {
        Label::new("acquire", self.rule.kind)
    }

    fn reads(&self, context: &Context) -> Result<Option<Item>> {
        self.rule.key_item(context).map(Some)
    }

    fn plan(&mut self, context: &Context, row: Option<Item>) -> Result<Plan> {
        let version = self.rule.attributes.version;
        let seen = row.filter(|row| row.contains_key(version));
        let seen = seen.map(|row| self.rule.count(&row, version)).transpose()?;
        let (fence, is_unchanged) = match seen {
            Some(last) => (last.saturating_add(1), path(version).eq(last)),
            None => (first_fence(context), attribute_not_exists(version)),
        };
        context.last_fence.fetch_max(fence, Ordering::Relaxed);
        let held = self.held(context, fence)?;
        let condition = is_unchanged.and(self.is_free(context));
        let writes = vec![self.planned(context, &held, fence, condition)?];
        Ok(Plan::new(writes).of(held))
    }
}

impl RunRule for Acquire {
    type Output = Held;

    async fn run(self, context: &Context) -> Result<Held> {
        let version = self.rule.attributes.version;
        let before_first = first_fence(context).saturating_sub(1);
        let fence = SetOperand::if_not_exists(version, before_first).plus(1);
        let held = self.held(context, 0)?;
        let free = self.is_free(context);
        let mut planned = self.planned(context, &held, fence, free)?;
        planned.write.returns = Returns::New;
        let response = write::single(context, vec![planned]).await?;
        let row = response.into_item()?.unwrap_or_default();
        let fence = self.rule.count(&row, version)?;
        context.last_fence.fetch_max(fence, Ordering::Relaxed);
        Ok(Held { fence, ..held })
    }
}
