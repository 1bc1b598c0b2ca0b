//! Locks with owner tokens and fences.
//!
//! The row stays when a lock is released or its lease ends, because it holds the fence: the number
//! that grows with each acquisition. So the end of the lease is not the row's expiry, unless the
//! [`Layout`] says so.

use std::time::Duration;

use monotable_expression::{
    Condition, SetOperand, Update, attribute_exists, attribute_not_exists, path,
};
use monotable_types::Item;

use super::key::RowKey;
use super::layout::Layout;
use super::place::Place;
use super::run::Run;
use super::token;
use crate::backend::request::{Action, Returns};
use crate::context::Context;
use crate::error::{Error, Result};
use crate::time::EpochSeconds;
use crate::write::{self, Failure, Operation, Plan, PlannedWrite};

/// A lock that one holder at a time has, for as long as its lease.
///
/// ```
/// use std::time::Duration;
/// use monotable_model::rows::Lock;
///
/// let lock = Lock::new("lock#match#m1", "v");
/// let acquire = lock.acquire(Duration::from_secs(30)); // let held = db.run(acquire).await?
/// # let held = monotable_model::rows::Held { token: "x".into(), fence: 1, ends_at: Default::default() };
/// let extend = lock.extend(&held.token, Duration::from_secs(30));
/// let check = lock.check(held.fence); // db.transact().create(&export).add(check).await?
/// let release = lock.release(&held.token);
/// ```
///
/// A holder that was paused for longer than its lease still believes that it holds the lock. Its
/// writes are refused where they are made together with [`check`](Lock::check) in a transaction.
///
/// A layout whose [`lease`](Layout::lease) is the table's expiry lets the backend remove the row some
/// time after the lease has ended. The first fence of a row is the time in milliseconds, so that
/// fences grow over a removed row too, as long as the clock does not go back.
#[derive(Clone, Debug)]
pub struct Lock {
    place: Place,
}

/// A lock that is held.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// The secret of the holder.
    pub token: String,
    /// The number of the acquisition: greater than that of every earlier one.
    pub fence: u64,
    /// When the lease ends.
    pub ends_at: EpochSeconds,
}

impl Lock {
    /// The lock under this partition and sort key.
    pub fn new(partition: impl Into<String>, sort: impl Into<String>) -> Self {
        Self::at(RowKey::new(partition, sort))
    }

    /// The lock under this key.
    pub fn at(key: RowKey) -> Self {
        Self { place: Place::new("lock", key) }
    }

    /// Names the row's attributes.
    #[must_use]
    pub fn layout(mut self, layout: Layout) -> Self {
        self.place.layout = layout;
        self
    }

    /// Takes the lock for whole seconds if it is free: [`Held`], or [`Error::Locked`].
    pub fn acquire(&self, lease: Duration) -> Acquire {
        Acquire { place: self.place.clone(), lease }
    }

    /// Lets the lease end so many seconds from now. It is [`Error::Locked`] if the lease has ended or
    /// the lock is another holder's.
    pub fn extend(&self, token: impl Into<String>, lease: Duration) -> Extend {
        Extend { place: self.place.clone(), token: token.into(), lease }
    }

    /// Gives the lock up. It is [`Error::Locked`] if the lease has ended or the lock is another
    /// holder's, and nothing happens.
    pub fn release(&self, token: impl Into<String>) -> Unlock {
        Unlock { place: self.place.clone(), token: token.into() }
    }

    /// Makes sure that the acquisition with this fence still holds the lock: [`Error::Locked`].
    pub fn check(&self, fence: u64) -> CheckFence {
        CheckFence { place: self.place.clone(), fence }
    }
}

impl Place {
    /// Nobody holds the lock.
    fn is_free(&self, context: &Context) -> Condition {
        attribute_not_exists(self.layout.value).or(self.lease_has_ended(context))
    }

    pub(super) fn lease_has_ended(&self, context: &Context) -> Condition {
        path(self.layout.lease).le(context.now_seconds().as_seconds())
    }

    /// The holder with this token has the lock.
    fn is_held_by(&self, context: &Context, token: &str) -> Condition {
        path(self.layout.value).eq(token).and(!self.lease_has_ended(context))
    }

    pub(super) fn locked(&self) -> Failure {
        let what = self.key.to_string();
        Box::new(move |_| Error::Locked { what })
    }

    /// The end of a lease that starts now.
    pub(super) fn lease_end(&self, context: &Context, lease: Duration) -> Result<EpochSeconds> {
        if lease.as_secs() == 0 {
            return Err(Error::Settings(format!(
                "{} needs a lease of at least one second",
                self.name()
            )));
        }
        Ok(context.now_seconds() + lease)
    }
}

/// Takes a lock. Made by [`Lock::acquire`].
#[derive(Clone, Debug)]
pub struct Acquire {
    place: Place,
    lease: Duration,
}

impl Acquire {
    /// The update with a fence that is the next number, or a number that was found out before.
    fn planned(
        &self,
        context: &Context,
        held: &Held,
        fence: impl Into<monotable_expression::SetValue>,
        condition: Condition,
    ) -> Result<PlannedWrite> {
        let layout = self.place.layout;
        let mut update = Update::new()
            .set(layout.value, held.token.as_str())
            .set(layout.lease, held.ends_at.as_seconds())
            .set(layout.version, fence);
        if let Some((attribute, name)) = self.place.type_attribute(context) {
            update = update.set(path(attribute), name);
        }
        let action = Action::Update(self.place.key_item(context)?, update);
        Ok(self.place.write(context, action, condition, self.place.locked()))
    }

    fn held(&self, context: &Context, fence: u64) -> Result<Held> {
        let ends_at = self.place.lease_end(context, self.lease)?;
        Ok(Held { token: token::random()?, fence, ends_at })
    }
}

impl Operation for Acquire {
    fn label(&self) -> String {
        format!("acquire {}", self.place.name())
    }

    fn reads(&self, context: &Context) -> Result<Option<Item>> {
        self.place.key_item(context).map(Some)
    }

    fn plan(self: Box<Self>, context: &Context, row: Option<Item>) -> Result<Plan> {
        let version = self.place.layout.version;
        let seen = row.filter(|row| row.contains_key(version));
        let seen = seen.map(|row| self.place.count(&row, version)).transpose()?;
        let (fence, is_as_seen) = match seen {
            Some(last) => (last.saturating_add(1), path(version).eq(last)),
            None => (context.backend.now_ms(), attribute_not_exists(version)),
        };
        let held = self.held(context, fence)?;
        let condition = is_as_seen.and(self.place.is_free(context));
        let writes = vec![self.planned(context, &held, fence, condition)?];
        Ok(Plan { writes, entity: Some(Box::new(held)) })
    }
}

impl Run for Acquire {
    type Output = Held;

    async fn run(self, context: &Context) -> Result<Held> {
        let version = self.place.layout.version;
        let first = context.backend.now_ms().saturating_sub(1);
        let fence = SetOperand::if_not_exists(version, first).plus(1);
        let held = self.held(context, 0)?;
        let free = self.place.is_free(context);
        let mut planned = self.planned(context, &held, fence, free)?;
        planned.write.returns = Returns::New;
        let answer = write::single(context, vec![planned]).await?;
        let row = answer.row.map(|row| row.into_item()).unwrap_or_default();
        let fence = self.place.count(&row, version)?;
        Ok(Held { fence, ..held })
    }
}

/// Makes a lease longer. Made by [`Lock::extend`].
#[derive(Clone, Debug)]
pub struct Extend {
    place: Place,
    token: String,
    lease: Duration,
}

impl Extend {
    fn planned(self, context: &Context) -> Result<(PlannedWrite, EpochSeconds)> {
        let ends_at = self.place.lease_end(context, self.lease)?;
        let update = Update::new().set(self.place.layout.lease, ends_at.as_seconds());
        let action = Action::Update(self.place.key_item(context)?, update);
        let condition = self.place.is_held_by(context, &self.token);
        Ok((self.place.write(context, action, condition, self.place.locked()), ends_at))
    }
}

impl Operation for Extend {
    fn label(&self) -> String {
        format!("extend {}", self.place.name())
    }

    fn plan(self: Box<Self>, context: &Context, _row: Option<Item>) -> Result<Plan> {
        Ok(Plan { writes: vec![self.planned(context)?.0], entity: None })
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

/// Gives a lock up. Made by [`Lock::release`].
#[derive(Clone, Debug)]
pub struct Unlock {
    place: Place,
    token: String,
}

impl Unlock {
    fn planned(self, context: &Context) -> Result<PlannedWrite> {
        let layout = self.place.layout;
        let update = Update::new().remove(layout.value).remove(layout.lease);
        let action = Action::Update(self.place.key_item(context)?, update);
        let condition = self.place.is_held_by(context, &self.token);
        Ok(self.place.write(context, action, condition, self.place.locked()))
    }
}

impl Operation for Unlock {
    fn label(&self) -> String {
        format!("release {}", self.place.name())
    }

    fn plan(self: Box<Self>, context: &Context, _row: Option<Item>) -> Result<Plan> {
        Ok(Plan { writes: vec![self.planned(context)?], entity: None })
    }
}

impl Run for Unlock {
    type Output = ();

    async fn run(self, context: &Context) -> Result<()> {
        write::single(context, vec![self.planned(context)?]).await.map(drop)
    }
}

/// Makes sure that an acquisition still holds its lock. Made by [`Lock::check`].
#[derive(Clone, Debug)]
pub struct CheckFence {
    place: Place,
    fence: u64,
}

impl CheckFence {
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

    fn plan(self: Box<Self>, context: &Context, _row: Option<Item>) -> Result<Plan> {
        let action = Action::Check(self.place.key_item(context)?);
        let condition = self.holds(context);
        let planned = self.place.write(context, action, condition, self.place.locked());
        Ok(Plan { writes: vec![planned], entity: None })
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
