//! Rate limits by fixed windows: one counter per key and window.

use std::marker::PhantomData;
use std::time::Duration;

use monotable_design::meta::RuleKind;
use monotable_expression::{SetOperand, Update, attribute_not_exists, path};
use monotable_types::Item;

use super::key::{NumberedKey, RuleKey};
use super::operation::{InTransaction, RuleOperation};
use super::row::RuleRow;
use super::run::RunRule;
use crate::backend::request::{Action, Returns};
use crate::context::Context;
use crate::error::{Error, Result};
use crate::time::EpochSeconds;
use crate::write::{self, Label, Plan, Planned, PlannedWrite};

/// How long the row of a window is kept after the window's end.
const KEPT: Duration = Duration::from_secs(10);

/// The key of a rate limit: `#[rule(RateWindow, …)]`. `{window}` in its sort key is the number of the window.
pub trait RateWindowKey: RuleKey {
    /// Returns the rate limit with this key.
    fn rate(self, window: RateWindow) -> Rate<Self> {
        Rate { window, rows: NumberedKey::new(self), key: PhantomData }
    }
}

/// A number of requests in each window of this length. Windows start at multiples of their length
/// since 1970.
///
/// ```
/// # extern crate monotable_model as monotable;
/// use std::time::Duration;
/// use monotable_model::RuleKey;
/// use monotable_model::rows::{RateWindow, RateWindowKey as _};
///
/// #[derive(RuleKey, Clone, Debug)]
/// #[rule(RateWindow, pk = "rate#{user_id}", sk = "{route}#{window}", allow(K06, because = "routes have no `#`"))]
/// pub struct Calls {
///     pub user_id: String,
///     pub route: String,
/// }
///
/// let per_minute = RateWindow { length: Duration::from_secs(60), limit: 20 };
/// let calls = Calls { user_id: "u1".to_owned(), route: "submit_action".to_owned() };
/// // The row `rate#u1` / `submit_action#29378160`: db.run(hit).await? or Err(LimitReached)
/// let hit = calls.rate(per_minute).hit();
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateWindow {
    /// The length of a window, in whole seconds.
    pub length: Duration,
    /// The requests that are admitted in one window.
    pub limit: u32,
}

impl RateWindow {
    /// Returns the number of the window at a time.
    pub fn number(self, now: EpochSeconds) -> u64 {
        u64::try_from(now.as_seconds()).unwrap_or(0) / self.length.as_secs().max(1)
    }

    /// Returns when a window ends.
    pub fn end(self, number: u64) -> EpochSeconds {
        let seconds = number.saturating_add(1).saturating_mul(self.length.as_secs().max(1));
        EpochSeconds::new(i64::try_from(seconds).unwrap_or(i64::MAX))
    }
}

/// A rate limit with its key. Made by [`RateWindowKey::rate`].
#[derive(Clone, Debug)]
pub struct Rate<K> {
    window: RateWindow,
    rows: NumberedKey,
    key: PhantomData<fn() -> K>,
}

impl<K: RateWindowKey> Rate<K> {
    /// Counts a request.
    pub fn hit(&self) -> RuleOperation<K, Hit> {
        RuleOperation::new(self.operation())
    }

    /// Removes a request from the count that was admitted and then had no effect, so that only
    /// effects use up the window. Nothing happens if the window is over.
    pub fn undo(&self, admitted: Admitted) -> RuleOperation<K, UndoHit> {
        // A window ends where the next one begins.
        let number = self.window.number(admitted.resets_at).saturating_sub(1);
        RuleOperation::new(UndoHit { hit: self.operation(), number })
    }

    fn operation(&self) -> Hit {
        Hit { window: self.window, rows: self.rows.clone() }
    }
}

/// Counts one request. Made by [`Rate::hit`].
#[derive(Clone, Debug)]
pub struct Hit {
    window: RateWindow,
    rows: NumberedKey,
}

/// A request that was admitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Admitted {
    /// The number of requests in this window, including this one.
    pub used: u32,
    /// The number of requests that are still allowed in this window.
    pub remaining: u32,
    /// When the window ends.
    pub resets_at: EpochSeconds,
}

impl Hit {
    fn rule(&self, number: u64) -> RuleRow {
        self.rows.row(RuleKind::RateWindow, number)
    }

    /// Returns the update, and the end of its window. The row of the current window cannot have
    /// expired, so its expiry need not be checked.
    fn planned(&self, context: &Context) -> Result<(PlannedWrite, EpochSeconds)> {
        if self.window.length.as_secs() == 0 {
            return Err(Error::Settings("a window of a rate limit has at least one second".into()));
        }
        let now = context.now_seconds();
        let number = self.window.number(now);
        let end = self.window.end(number);
        let rule = self.rule(number);
        let (value, expiry) = (rule.attributes.value, rule.expiry(context));
        let mut update = Update::new()
            .add(value, 1)
            .set(expiry, SetOperand::if_not_exists(expiry, (end + KEPT).as_seconds()));
        if let Some((attribute, name)) = rule.type_attribute(context) {
            update = update.set(path(attribute), name);
        }
        let below = path(value).lt(self.window.limit);
        let condition = match self.window.limit {
            0 => below,
            _ => attribute_not_exists(value).or(below),
        };
        let what = rule.name();
        let wait = u64::try_from(end.as_seconds() - now.as_seconds()).unwrap_or(1);
        let failure =
            Box::new(move |_| Error::LimitReached { what, retry_after_seconds: Some(wait) });
        let action = Action::Update(rule.key_item(context)?, update);
        Ok((rule.write(context, action, condition, failure), end))
    }
}

impl InTransaction for Hit {
    type Output = ();
}

impl Planned for Hit {
    fn label(&self) -> Label {
        Label::new("count a request in", "rate window")
    }

    fn plan(&mut self, context: &Context, _row: Option<Item>) -> Result<Plan> {
        Ok(Plan::new(vec![self.planned(context)?.0]))
    }
}

impl RunRule for Hit {
    type Output = Admitted;

    async fn run(self, context: &Context) -> Result<Admitted> {
        let attribute = self.rows.attributes().value;
        let (mut planned, resets_at) = self.planned(context)?;
        planned.write.returns = Returns::New;
        let response = write::single(context, vec![planned]).await?;
        let used = response.row.and_then(|row| row.get(attribute)?.as_n()?.to_u64());
        let used = used.and_then(|used| u32::try_from(used).ok()).unwrap_or(self.window.limit);
        Ok(Admitted { used, remaining: self.window.limit.saturating_sub(used), resets_at })
    }
}

/// Removes one request from the count. Made by [`Rate::undo`].
#[derive(Clone, Debug)]
pub struct UndoHit {
    hit: Hit,
    number: u64,
}

impl RunRule for UndoHit {
    type Output = ();

    async fn run(self, context: &Context) -> Result<()> {
        let rule = self.hit.rule(self.number);
        let value = rule.attributes.value;
        let action = Action::Update(rule.key_item(context)?, Update::new().add(value, -1));
        let failure = Box::new(|_| Error::ConditionFailed { entity: "rate", row: None });
        let planned = rule.write(context, action, path(value).gt(0), failure);
        match write::single(context, vec![planned]).await {
            Ok(_) | Err(Error::ConditionFailed { .. }) => Ok(()),
            Err(error) => Err(error),
        }
    }
}
