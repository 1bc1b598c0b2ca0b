//! What the holder of a lock does: make its lease longer, give it up, and make sure that it is the
//! holder.

use std::time::Duration;

use monotable_expression::{Condition, Update, attribute_exists, path};
use monotable_types::Item;

use crate::backend::request::{Action, Returns};
use crate::context::Context;
use crate::error::Result;
use crate::rows::place::Place;
use crate::rows::run::Run;
use crate::time::EpochSeconds;
use crate::write::{self, Operation, Plan, PlannedWrite};

/// The holder with this token has the lock.
fn is_held_by(place: &Place, context: &Context, token: &str) -> Condition {
    path(place.layout.value).eq(token).and(!place.lease_has_ended(context))
}

/// Makes a lease longer. Made by [`Lock::extend`](super::Lock::extend).
#[derive(Clone, Debug)]
pub struct Extend {
    place: Place,
    token: String,
    lease: Duration,
}

impl Extend {
    pub(super) fn new(place: Place, token: String, lease: Duration) -> Self {
        Self { place, token, lease }
    }

    fn planned(self, context: &Context) -> Result<(PlannedWrite, EpochSeconds)> {
        let ends_at = self.place.lease_end(context, self.lease)?;
        let update = Update::new().set(self.place.layout.lease, ends_at.as_seconds());
        let action = Action::Update(self.place.key_item(context)?, update);
        let condition = is_held_by(&self.place, context, &self.token);
        Ok((self.place.write(context, action, condition, self.place.locked()), ends_at))
    }
}

impl Operation for Extend {
    fn label(&self) -> String {
        format!("extend {}", self.place.name())
    }

    fn plan(&self, context: &Context, _row: Option<Item>) -> Result<Plan> {
        Ok(Plan::new(vec![self.clone().planned(context)?.0]))
    }
}

impl Run for Extend {
    /// The new end of the lease.
    type Output = EpochSeconds;

    async fn run(self, context: &Context) -> Result<EpochSeconds> {
        let (planned, ends_at) = self.planned(context)?;
        write::single(context, vec![planned]).await?;
        Ok(ends_at)
    }
}

/// Gives a lock up. Made by [`Lock::release`](super::Lock::release).
#[derive(Clone, Debug)]
pub struct Unlock {
    place: Place,
    token: String,
}

impl Unlock {
    pub(super) fn new(place: Place, token: String) -> Self {
        Self { place, token }
    }

    fn planned(self, context: &Context) -> Result<PlannedWrite> {
        let layout = self.place.layout;
        let key = self.place.key_item(context)?;
        let action = if self.place.expires_with_lease(context) {
            Action::Delete(key)
        } else {
            Action::Update(key, Update::new().remove(layout.value).remove(layout.lease))
        };
        let condition = is_held_by(&self.place, context, &self.token);
        Ok(self.place.write(context, action, condition, self.place.locked()))
    }
}

impl Operation for Unlock {
    fn label(&self) -> String {
        format!("release {}", self.place.name())
    }

    fn plan(&self, context: &Context, _row: Option<Item>) -> Result<Plan> {
        Ok(Plan::new(vec![self.clone().planned(context)?]))
    }
}

impl Run for Unlock {
    type Output = ();

    async fn run(self, context: &Context) -> Result<()> {
        let place = self.place.clone();
        let is_own = path(place.layout.value).eq(self.token.as_str());
        let mut planned = self.planned(context)?;
        if !place.expires_with_lease(context) {
            return write::single(context, vec![planned]).await.map(drop);
        }
        // Other programs only ask whether there is a row: one that nobody took since its lease has ended
        // is removed as well, although it was no lock any more.
        planned.write.condition = Some(is_own);
        planned.write.returns = Returns::Old;
        let answer = write::single(context, vec![planned]).await?;
        let row = answer.into_item()?.unwrap_or_default();
        match place.lease_has_ended(context).evaluate(&row) {
            true => Err((place.locked())(None)),
            false => Ok(()),
        }
    }
}

/// Makes sure that an acquisition still holds its lock. Made by [`Lock::check`](super::Lock::check).
#[derive(Clone, Debug)]
pub struct CheckFence {
    place: Place,
    fence: u64,
}

impl CheckFence {
    pub(super) fn new(place: Place, fence: u64) -> Self {
        Self { place, fence }
    }

    fn holds(&self, context: &Context) -> Condition {
        attribute_exists(self.place.layout.value)
            .and(path(self.place.layout.version).eq(self.fence))
            .and(!self.place.lease_has_ended(context))
    }
}

impl Operation for CheckFence {
    fn label(&self) -> String {
        format!("check {}", self.place.name())
    }

    fn plan(&self, context: &Context, _row: Option<Item>) -> Result<Plan> {
        let action = Action::Check(self.place.key_item(context)?);
        let condition = self.holds(context);
        let planned = self.place.write(context, action, condition, self.place.locked());
        Ok(Plan::new(vec![planned]))
    }
}

impl Run for CheckFence {
    type Output = ();

    async fn run(self, context: &Context) -> Result<()> {
        let row = self.place.read(context).await?;
        match row.is_some_and(|row| self.holds(context).evaluate(&row)) {
            true => Ok(()),
            false => Err((self.place.locked())(None)),
        }
    }
}
