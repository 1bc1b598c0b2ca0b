//! Counters with limits: one conditional update a change, however many there are at once.

use monotable_expression::{Condition, SetOperand, Update, attribute_not_exists, path};
use monotable_types::{Item, Number};

use super::key::RowKey;
use super::layout::Layout;
use super::place::{Place, insert_expiry};
use super::run::Run;
use crate::backend::request::{Action, Returns};
use crate::context::Context;
use crate::error::{Error, Result};
use crate::retry::Retry;
use crate::time::EpochSeconds;
use crate::write::{self, Failure, Operation, Plan, PlannedWrite};

/// A number that is only added to, and never beyond its limits: seats, tokens, requests.
///
/// ```
/// use monotable_model::rows::Counter;
///
/// let tokens = Counter::new("budget#m1", "tokens");
/// let reserve = tokens.add(800).at_most(50_000); // db.run(reserve).await? is the new value
/// let refund = tokens.add(-200).at_least(0);
/// ```
#[derive(Clone, Debug)]
pub struct Counter {
    place: Place,
}

impl Counter {
    /// The counter under this partition and sort key.
    pub fn new(partition: impl Into<String>, sort: impl Into<String>) -> Self {
        Self::at(RowKey::new(partition, sort))
    }

    /// The counter under this key.
    pub fn at(key: RowKey) -> Self {
        Self { place: Place::new("counter", key) }
    }

    /// Names the row's attributes.
    #[must_use]
    pub fn layout(mut self, layout: Layout) -> Self {
        self.place.layout = layout;
        self
    }

    /// Adds to the counter, which starts at 0. Alone it returns the new value. In a transaction it is
    /// [`Error::VersionConflict`] when somebody else starts an expired counter at the same moment: run the
    /// transaction again.
    pub fn add(&self, by: i64) -> Add {
        // What is beyond these could not be read any more.
        let (at_least, at_most) = (i64::MIN, i64::MAX);
        Add { place: self.place.clone(), by, at_most, at_least, expires: None }
    }

    /// The value, 0 for a counter that is not there.
    pub fn value(&self) -> CounterValue {
        CounterValue { place: self.place.clone() }
    }
}

/// Adds to a counter. Made by [`Counter::add`].
#[derive(Clone, Debug)]
pub struct Add {
    place: Place,
    by: i64,
    at_most: i64,
    at_least: i64,
    expires: Option<EpochSeconds>,
}

impl Add {
    /// Refuses to count up beyond this: [`Error::LimitReached`]. Counting down is not refused, so that a
    /// counter comes back below a limit that was lowered.
    #[must_use]
    pub fn at_most(mut self, limit: i64) -> Self {
        self.at_most = limit;
        self
    }

    /// Refuses to count down beyond this: [`Error::LimitReached`]. Counting up is not refused.
    #[must_use]
    pub fn at_least(mut self, limit: i64) -> Self {
        self.at_least = limit;
        self
    }

    /// Lets a counter that starts now end at this time; then it starts at 0 again. One that has
    /// started keeps its end.
    #[must_use]
    pub fn expires(mut self, at: EpochSeconds) -> Self {
        self.expires = Some(at);
        self
    }

    /// Whether the limits let a counter with this value change.
    fn fits(&self, value: i64) -> bool {
        let new = i128::from(value) + i128::from(self.by);
        let under = self.by <= 0 || new <= i128::from(self.at_most);
        let over = self.by >= 0 || new >= i128::from(self.at_least);
        under && over
    }

    /// The same as a condition on a counter that has started.
    fn limits(&self) -> Option<Condition> {
        let value = || path(self.place.layout.value);
        // Numbers have 38 digits, so that the difference of two integers is always one.
        let bound = |limit: i64| {
            Number::from(limit).checked_sub(self.by.into()).unwrap_or_else(|_| limit.into())
        };
        let limits = match self.by {
            0 => return None,
            1.. => value().le(bound(self.at_most)),
            _ => value().ge(bound(self.at_least)),
        };
        match self.fits(0) {
            true => Some(attribute_not_exists(self.place.layout.value).or(limits)),
            false => Some(limits),
        }
    }

    /// Counts on, or starts a counter that was never there.
    fn count(&self, context: &Context) -> Result<PlannedWrite> {
        let expiry = self.place.expiry(context);
        let mut update = Update::new().add(self.place.layout.value, self.by);
        if let Some(expires) = self.expires {
            update = update.set(expiry, SetOperand::if_not_exists(expiry, expires.as_seconds()));
        }
        if let Some((attribute, name)) = self.place.type_attribute(context) {
            update = update.set(path(attribute), name);
        }
        let alive = !self.place.expired(context);
        let condition = match self.limits() {
            Some(limits) => alive.and(limits),
            None => alive,
        };
        let action = Action::Update(self.place.key_item(context)?, update);
        let mut planned = self.place.write(context, action, condition, self.failure(context));
        planned.write.returns = Returns::New;
        Ok(planned)
    }

    /// Starts a counter again that has expired.
    fn restart(&self, context: &Context) -> Result<PlannedWrite> {
        let mut row = self.place.row(context)?;
        row.insert(self.place.layout.value.to_owned(), self.by.into());
        insert_expiry(&mut row, self.place.expiry(context), self.expires);
        let condition = self.place.absent(context);
        Ok(self.place.write(context, Action::Put(row), condition, self.failure(context)))
    }

    fn failure(&self, context: &Context) -> Failure {
        let refused = self.clone();
        let expired = self.place.expired(context);
        Box::new(move |row| {
            let row = row.filter(|row| !expired.evaluate(&**row));
            refused.refusal(row.as_deref()).unwrap_or_else(|| refused.place.changed())
        })
    }

    /// Why a counter with this row can't change; `None` if it can.
    fn refusal(&self, row: Option<&Item>) -> Option<Error> {
        let value = match row.filter(|row| row.contains_key(self.place.layout.value)) {
            None => Ok(0),
            Some(row) => self.place.number(row, self.place.layout.value),
        };
        match value {
            Ok(value) if self.fits(value) => None,
            Ok(_) => {
                Some(Error::LimitReached { what: self.place.name(), retry_after_seconds: None })
            }
            Err(error) => Some(error),
        }
    }
}

impl Operation for Add {
    fn label(&self) -> String {
        format!("add {} to {}", self.by, self.place.name())
    }

    fn reads(&self, context: &Context) -> Result<Option<Item>> {
        self.place.key_item(context).map(Some)
    }

    fn plan(&self, context: &Context, row: Option<Item>) -> Result<Plan> {
        let is_expired = row.is_some_and(|row| !self.place.is_present(context, &row));
        if is_expired && let Some(refusal) = self.refusal(None) {
            return Err(refusal);
        }
        let mut planned = if is_expired { self.restart(context)? } else { self.count(context)? };
        planned.write.returns = Returns::Nothing;
        Ok(Plan::new(vec![planned]))
    }
}

impl Run for Add {
    type Output = i64;

    async fn run(self, context: &Context) -> Result<i64> {
        let mut retry = Retry::new();
        loop {
            match write::single(context, vec![self.count(context)?]).await {
                Ok(answer) => {
                    let row = answer.into_item()?.unwrap_or_default();
                    return self.place.number(&row, self.place.layout.value);
                }
                // The limits are kept, so that the counter has expired.
                Err(Error::VersionConflict { .. }) => {}
                Err(error) => return Err(error),
            }
            match write::single(context, vec![self.restart(context)?]).await {
                Ok(_) => return Ok(self.by),
                // Somebody else was faster to start it again.
                Err(conflict @ Error::VersionConflict { .. }) => {
                    if !retry.pause(context, false).await? {
                        return Err(conflict);
                    }
                }
                Err(error) => return Err(error),
            }
        }
    }
}

/// Asks for the value of a counter. Made by [`Counter::value`].
#[derive(Clone, Debug)]
pub struct CounterValue {
    place: Place,
}

impl Run for CounterValue {
    type Output = i64;

    async fn run(self, context: &Context) -> Result<i64> {
        match self.place.read(context).await? {
            Some(row) => self.place.number(&row, self.place.layout.value),
            None => Ok(0),
        }
    }
}
