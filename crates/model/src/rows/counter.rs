//! Counters with limits: one conditional update per change, however many changes are concurrent.

use std::marker::PhantomData;

use monotable_design::meta::RuleKind;
use monotable_expression::{Condition, SetOperand, Update, attribute_not_exists, path};
use monotable_types::{Item, Number};

use super::key::RuleKey;
use super::operation::{InTransaction, RuleOperation};
use super::row::{RuleRow, insert_expiry};
use super::run::RunRule;
use crate::backend::request::{Action, Returns};
use crate::context::Context;
use crate::error::{Error, Result};
use crate::retry::{Cause, Retry};
use crate::time::EpochSeconds;
use crate::write::{self, Failure, Label, Plan, Planned, PlannedWrite};

/// The key of a counter: `#[rule(Counter, …)]`.
pub trait CounterKey: RuleKey {
    /// Returns the counter with this key.
    fn counter(self) -> Counter<Self> {
        Counter { rule: RuleRow::of(RuleKind::Counter, &self), key: PhantomData }
    }
}

/// A number that changes only by addition, and never beyond its limits: seats, tokens, requests.
///
/// ```
/// # extern crate monotable_model as monotable;
/// use monotable_model::RuleKey;
/// use monotable_model::rows::CounterKey as _;
///
/// #[derive(RuleKey, Clone, Debug)]
/// #[rule(Counter, pk = "budget#{match_id}", sk = "tokens")]
/// pub struct Tokens {
///     pub match_id: String,
/// }
///
/// let tokens = Tokens { match_id: "m1".to_owned() }.counter();
/// let reserve = tokens.add(800).at_most(50_000); // db.run(reserve).await? is the new value
/// let refund = tokens.add(-200).at_least(0);
/// ```
#[derive(Clone, Debug)]
pub struct Counter<K> {
    rule: RuleRow,
    key: PhantomData<fn() -> K>,
}

impl<K: CounterKey> Counter<K> {
    /// Adds to the counter, which starts at 0. Outside a transaction it returns the new value. In a
    /// transaction it fails with [`Error::VersionConflict`] if another caller restarts an expired
    /// counter at the same moment: run the transaction again.
    pub fn add(&self, by: i64) -> RuleOperation<K, Add> {
        // Values outside this range could not be read back.
        let (at_least, at_most) = (i64::MIN, i64::MAX);
        RuleOperation::new(Add { rule: self.rule.clone(), by, at_most, at_least, expires: None })
    }

    /// Returns the value, 0 for a counter that does not exist.
    pub fn value(&self) -> RuleOperation<K, CounterValue> {
        RuleOperation::new(CounterValue { rule: self.rule.clone() })
    }
}

/// Adds to a counter. Made by [`Counter::add`].
#[derive(Clone, Debug)]
pub struct Add {
    rule: RuleRow,
    by: i64,
    at_most: i64,
    at_least: i64,
    expires: Option<EpochSeconds>,
}

impl<K: RuleKey> RuleOperation<K, Add> {
    /// Refuses to count up beyond this limit, with [`Error::LimitReached`]. Counting down is always
    /// allowed, so that a counter can return below a lowered limit.
    pub fn at_most(mut self, limit: i64) -> Self {
        self.operation.at_most = limit;
        self
    }

    /// Refuses to count down beyond this limit, with [`Error::LimitReached`]. Counting up is always
    /// allowed.
    pub fn at_least(mut self, limit: i64) -> Self {
        self.operation.at_least = limit;
        self
    }

    /// Sets when a counter that this change starts expires; then it starts at 0 again. An existing
    /// counter keeps its expiry.
    pub fn expires(mut self, at: EpochSeconds) -> Self {
        self.operation.expires = Some(at);
        self
    }
}

impl Add {
    /// Returns whether the limits allow the change of a counter with this value.
    fn fits(&self, value: i64) -> bool {
        let new = i128::from(value) + i128::from(self.by);
        let under = self.by <= 0 || new <= i128::from(self.at_most);
        let over = self.by >= 0 || new >= i128::from(self.at_least);
        under && over
    }

    /// Returns the limits as a condition on an existing counter.
    fn limits(&self) -> Option<Condition> {
        let value = || path(self.rule.attributes.value);
        // Numbers have 38 digits, so the difference of two integers always fits.
        let bound = |limit: i64| {
            Number::from(limit).checked_sub(self.by.into()).unwrap_or_else(|_| limit.into())
        };
        let limits = match self.by {
            0 => return None,
            1.. => value().le(bound(self.at_most)),
            _ => value().ge(bound(self.at_least)),
        };
        if self.fits(0) {
            Some(attribute_not_exists(self.rule.attributes.value).or(limits))
        } else {
            Some(limits)
        }
    }

    /// Updates the counter, or starts it if it never existed.
    fn count(&self, context: &Context) -> Result<PlannedWrite> {
        let expiry = self.rule.expiry(context);
        let mut update = Update::new().add(self.rule.attributes.value, self.by);
        if let Some(expires) = self.expires {
            update = update.set(expiry, SetOperand::if_not_exists(expiry, expires.as_seconds()));
        }
        if let Some((attribute, name)) = self.rule.type_attribute(context) {
            update = update.set(path(attribute), name);
        }
        let alive = !self.rule.expired(context);
        let condition = match self.limits() {
            Some(limits) => alive.and(limits),
            None => alive,
        };
        let action = Action::Update(self.rule.key_item(context)?, update);
        let mut planned = self.rule.write(context, action, condition, self.failure(context));
        planned.write.returns = Returns::New;
        Ok(planned)
    }

    /// Restarts an expired counter.
    fn restart(&self, context: &Context) -> Result<PlannedWrite> {
        let mut row = self.rule.row(context)?;
        row.insert(self.rule.attributes.value.to_owned(), self.by.into());
        insert_expiry(&mut row, self.rule.expiry(context), self.expires);
        let condition = self.rule.absent(context);
        Ok(self.rule.write(context, Action::Put(row), condition, self.failure(context)))
    }

    fn failure(&self, context: &Context) -> Failure {
        let refused = self.clone();
        let expired = self.rule.expired(context);
        Box::new(move |row| {
            let row = row.filter(|row| !expired.evaluate(&**row));
            refused.refusal(row.as_deref()).unwrap_or_else(|| refused.rule.changed())
        })
    }

    /// Returns the error of a counter with this row, or `None` if it can change.
    fn refusal(&self, row: Option<&Item>) -> Option<Error> {
        let value = match row.filter(|row| row.contains_key(self.rule.attributes.value)) {
            None => Ok(0),
            Some(row) => self.rule.number(row, self.rule.attributes.value),
        };
        match value {
            Ok(value) if self.fits(value) => None,
            Ok(_) => {
                Some(Error::LimitReached { what: self.rule.name(), retry_after_seconds: None })
            }
            Err(error) => Some(error),
        }
    }
}

impl InTransaction for Add {
    type Output = ();
}

impl Planned for Add {
    fn label(&self) -> Label {
        Label::new("add to", self.rule.kind)
    }

    fn reads(&self, context: &Context) -> Result<Option<Item>> {
        self.rule.key_item(context).map(Some)
    }

    fn plan(&mut self, context: &Context, row: Option<Item>) -> Result<Plan> {
        let is_expired = row.is_some_and(|row| !self.rule.is_present(context, &row));
        if is_expired && let Some(refusal) = self.refusal(None) {
            return Err(refusal);
        }
        let mut planned = if is_expired { self.restart(context)? } else { self.count(context)? };
        planned.write.returns = Returns::Nothing;
        Ok(Plan::new(vec![planned]))
    }
}

impl RunRule for Add {
    type Output = i64;

    async fn run(self, context: &Context) -> Result<i64> {
        let mut retry = Retry::new();
        loop {
            match write::single(context, vec![self.count(context)?]).await {
                Ok(response) => {
                    let row = response.into_item()?.unwrap_or_default();
                    return self.rule.number(&row, self.rule.attributes.value);
                }
                // The limits are met, so the counter has expired.
                Err(Error::VersionConflict { .. }) => {}
                Err(error) => return Err(error),
            }
            match write::single(context, vec![self.restart(context)?]).await {
                Ok(_) => return Ok(self.by),
                // Another caller restarted it first.
                Err(conflict @ Error::VersionConflict { .. }) => {
                    if !retry.pause(&*context.backend, Cause::Contended).await? {
                        return Err(conflict);
                    }
                }
                Err(error) => return Err(error),
            }
        }
    }
}

/// Reads the value of a counter. Made by [`Counter::value`].
#[derive(Clone, Debug)]
pub struct CounterValue {
    rule: RuleRow,
}

impl RunRule for CounterValue {
    type Output = i64;

    async fn run(self, context: &Context) -> Result<i64> {
        match self.rule.read(context).await? {
            Some(row) => self.rule.number(&row, self.rule.attributes.value),
            None => Ok(0),
        }
    }
}
