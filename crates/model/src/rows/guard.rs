//! Guards: rows that at most one owner holds at a time.

use std::marker::PhantomData;

use monotable_design::meta::RuleKind;
use monotable_expression::path;
use monotable_types::Item;

use super::key::RuleKey;
use super::operation::{InTransaction, RuleOperation};
use super::row::{RuleRow, insert_expiry};
use super::run::RunRule;
use crate::backend::request::Action;
use crate::context::Context;
use crate::error::{Error, Result};
use crate::time::EpochSeconds;
use crate::write::{self, Failure, Label, Plan, Planned, PlannedWrite};

/// The key of a guard: `#[rule(Guard, …)]`.
pub trait GuardKey: RuleKey {
    /// Returns the guard with this key.
    fn guard(self) -> Guard<Self> {
        Guard { rule: RuleRow::of(RuleKind::Guard, &self), key: PhantomData }
    }
}

/// A row that at most one owner holds: the active game of a team, the team of a user.
///
/// ```
/// # extern crate monotable_model as monotable;
/// use monotable_model::RuleKey;
/// use monotable_model::rows::GuardKey as _;
///
/// #[derive(RuleKey, Clone, Debug)]
/// #[rule(Guard, pk = "TEAM#{team_id}", sk = "ACTIVE_GAME")]
/// pub struct ActiveGame {
///     pub team_id: String,
/// }
///
/// let active = ActiveGame { team_id: "t1".to_owned() }.guard();
/// let hold = active.hold("game-7"); // db.run(hold).await?, or tx.add(hold)
/// let release = active.release("game-7");
/// let holder = active.holder(); // db.run(holder).await? is Some("game-7")
/// ```
#[derive(Clone, Debug)]
pub struct Guard<K> {
    rule: RuleRow,
    key: PhantomData<fn() -> K>,
}

impl<K: GuardKey> Guard<K> {
    /// Takes the guard if it is free; otherwise [`Error::Held`] contains the holder.
    pub fn hold(&self, owner: impl Into<String>) -> RuleOperation<K, Hold> {
        RuleOperation::new(Hold { rule: self.rule.clone(), owner: owner.into(), expires: None })
    }

    /// Releases the guard. It fails with [`Error::Held`] if another owner holds it, and with
    /// [`Error::NotHeld`] if nobody does, also because it has expired: a caller that releases a
    /// reservation must know that it still existed.
    pub fn release(&self, owner: impl Into<String>) -> RuleOperation<K, Release> {
        RuleOperation::new(Release { rule: self.rule.clone(), owner: owner.into() })
    }

    /// Returns the holder of the guard.
    pub fn holder(&self) -> RuleOperation<K, Holder> {
        RuleOperation::new(Holder { rule: self.rule.clone() })
    }
}

/// Takes a guard. Made by [`Guard::hold`].
#[derive(Clone, Debug)]
pub struct Hold {
    rule: RuleRow,
    owner: String,
    expires: Option<EpochSeconds>,
}

impl<K: RuleKey> RuleOperation<K, Hold> {
    /// Sets when the guard releases itself.
    pub fn expires(mut self, at: EpochSeconds) -> Self {
        self.operation.expires = Some(at);
        self
    }
}

impl Hold {
    fn planned(self, context: &Context) -> Result<PlannedWrite> {
        let mut row = self.rule.row(context)?;
        row.insert(self.rule.attributes.value.to_owned(), self.owner.into());
        insert_expiry(&mut row, self.rule.expiry(context), self.expires);
        let condition = self.rule.absent(context);
        Ok(self.rule.write(context, Action::Put(row), condition, held(&self.rule)))
    }
}

impl InTransaction for Hold {
    type Output = ();
}

impl Planned for Hold {
    fn label(&self) -> Label {
        Label::new("hold", self.rule.kind)
    }

    fn plan(&mut self, context: &Context, _row: Option<Item>) -> Result<Plan> {
        Ok(Plan::new(vec![self.clone().planned(context)?]))
    }
}

impl RunRule for Hold {
    type Output = ();

    async fn run(self, context: &Context) -> Result<()> {
        write::single(context, vec![self.planned(context)?]).await.map(drop)
    }
}

/// Releases a guard. Made by [`Guard::release`].
#[derive(Clone, Debug)]
pub struct Release {
    rule: RuleRow,
    owner: String,
}

impl Release {
    fn planned(self, context: &Context) -> Result<PlannedWrite> {
        let condition =
            self.rule.present(context).and(path(self.rule.attributes.value).eq(self.owner));
        let action = Action::Delete(self.rule.key_item(context)?);
        let (expired, held) = (self.rule.expired(context), held(&self.rule));
        let guard = self.rule.key.to_string();
        let failure = Box::new(move |row: Option<Box<Item>>| match row {
            Some(row) if !expired.evaluate(&*row) => held(Some(row)),
            _ => Error::NotHeld { guard },
        });
        Ok(self.rule.write(context, action, condition, failure))
    }
}

impl InTransaction for Release {
    type Output = ();
}

impl Planned for Release {
    fn label(&self) -> Label {
        Label::new("release", self.rule.kind)
    }

    fn plan(&mut self, context: &Context, _row: Option<Item>) -> Result<Plan> {
        Ok(Plan::new(vec![self.clone().planned(context)?]))
    }
}

impl RunRule for Release {
    type Output = ();

    async fn run(self, context: &Context) -> Result<()> {
        write::single(context, vec![self.planned(context)?]).await.map(drop)
    }
}

/// Reads the holder of a guard. Made by [`Guard::holder`].
#[derive(Clone, Debug)]
pub struct Holder {
    rule: RuleRow,
}

impl RunRule for Holder {
    type Output = Option<String>;

    async fn run(self, context: &Context) -> Result<Option<String>> {
        let row = self.rule.read(context).await?;
        row.map(|row| self.rule.text(&row, self.rule.attributes.value)).transpose()
    }
}

/// Returns the failure of a guard that is held.
fn held(rule: &RuleRow) -> Failure {
    let (guard, value) = (rule.key.to_string(), rule.attributes.value);
    Box::new(move |row| {
        let holder = row.as_ref().and_then(|row| row.get(value)?.as_s());
        Error::Held { guard, holder: holder.map(str::to_owned) }
    })
}
