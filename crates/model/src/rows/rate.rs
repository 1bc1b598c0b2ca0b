//! Rate limits by fixed windows: a counter a subject, route and window.

use std::fmt;
use std::time::Duration;

use monotable_expression::{SetOperand, Update, attribute_not_exists, path};
use monotable_types::Item;

use super::key::RowKey;
use super::layout::Layout;
use super::place::Place;
use super::run::Run;
use crate::backend::request::{Action, Returns};
use crate::context::Context;
use crate::error::{Error, Result};
use crate::key::check_identifier;
use crate::time::EpochSeconds;
use crate::write::{self, Operation, Plan, PlannedWrite};

/// How long the row of a window stays behind the window's end.
const KEPT: Duration = Duration::from_secs(10);

/// So many requests in each window of this length. Windows start at multiples of their length since
/// 1970.
///
/// ```
/// use std::time::Duration;
/// use monotable_model::rows::RateWindow;
///
/// let per_minute = RateWindow { length: Duration::from_secs(60), limit: 20 };
/// // The row `rate#u1` / `submit_action#29378160`: db.run(hit).await? or Err(LimitReached)
/// let hit = per_minute.hit("rate#u1", "submit_action");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateWindow {
    /// The length of a window, in whole seconds.
    pub length: Duration,
    /// The requests that pass in one window.
    pub limit: u32,
}

impl RateWindow {
    /// Counts a request of a subject on a route, under the keys `partition` and
    /// `{route}#{number of the window}`. The route is an identifier, so that no two can be confused.
    pub fn hit(self, partition: impl Into<String>, route: impl Into<String>) -> Hit {
        let keys = Keys::Route { partition: partition.into(), route: route.into() };
        Hit { window: self, keys, layout: Layout::default() }
    }

    /// Counts a request under a key that is made of the number of the window.
    pub fn hit_at(self, key: impl Fn(u64) -> RowKey + Send + Sync + 'static) -> Hit {
        Hit { window: self, keys: Keys::Made(Box::new(key)), layout: Layout::default() }
    }

    /// The number of the window at a time.
    pub fn number(self, now: EpochSeconds) -> u64 {
        u64::try_from(now.as_seconds()).unwrap_or(0) / self.length.as_secs().max(1)
    }

    /// When a window ends.
    pub fn end(self, number: u64) -> EpochSeconds {
        let seconds = number.saturating_add(1).saturating_mul(self.length.as_secs().max(1));
        EpochSeconds::new(i64::try_from(seconds).unwrap_or(i64::MAX))
    }
}

/// Counts one request. Made by [`RateWindow::hit`].
pub struct Hit {
    window: RateWindow,
    keys: Keys,
    layout: Layout,
}

impl fmt::Debug for Hit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Hit").field("window", &self.window).finish_non_exhaustive()
    }
}

enum Keys {
    Route { partition: String, route: String },
    Made(Box<dyn Fn(u64) -> RowKey + Send + Sync>),
}

/// A request that passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Admitted {
    /// Requests in this window, with this one.
    pub used: u32,
    /// Requests that may still come in this window.
    pub remaining: u32,
    /// When the window ends.
    pub resets_at: EpochSeconds,
}

impl Hit {
    /// Names the row's attributes.
    #[must_use]
    pub fn layout(mut self, layout: Layout) -> Self {
        self.layout = layout;
        self
    }

    fn place(&self, number: u64) -> Result<Place> {
        let key = match &self.keys {
            Keys::Route { partition, route } => {
                check_identifier(route).map_err(|error| Error::Key { entity: "rate", error })?;
                RowKey::new(partition, format!("{route}#{number}"))
            }
            Keys::Made(key) => key(number),
        };
        Ok(Place { layout: self.layout, ..Place::new("rate", key) })
    }

    /// The update, and when its window ends. The row of the window that is now can't have expired, so
    /// that its expiry needs no look.
    fn planned(&self, context: &Context) -> Result<(PlannedWrite, EpochSeconds)> {
        if self.window.length.as_secs() == 0 {
            return Err(Error::Settings("a window of a rate limit has at least one second".into()));
        }
        let now = context.now_seconds();
        let number = self.window.number(now);
        let end = self.window.end(number);
        let place = self.place(number)?;
        let (value, expiry) = (place.layout.value, place.expiry(context));
        let mut update = Update::new()
            .add(value, 1)
            .set(expiry, SetOperand::if_not_exists(expiry, (end + KEPT).as_seconds()));
        if let Some((attribute, name)) = place.type_attribute(context) {
            update = update.set(path(attribute), name);
        }
        let below = path(value).lt(self.window.limit);
        let condition = match self.window.limit {
            0 => below,
            _ => attribute_not_exists(value).or(below),
        };
        let what = place.name();
        let wait = u64::try_from(end.as_seconds() - now.as_seconds()).unwrap_or(1);
        let failure =
            Box::new(move |_| Error::LimitReached { what, retry_after_seconds: Some(wait) });
        let action = Action::Update(place.key_item(context)?, update);
        Ok((place.write(context, action, condition, failure), end))
    }
}

impl Operation for Hit {
    fn label(&self) -> String {
        match &self.keys {
            Keys::Route { partition, route } => format!("count {route} of {partition}"),
            Keys::Made(_) => "count a request".to_owned(),
        }
    }

    fn plan(&self, context: &Context, _row: Option<Item>) -> Result<Plan> {
        Ok(Plan::new(vec![self.planned(context)?.0]))
    }
}

impl Run for Hit {
    type Output = Admitted;

    async fn run(self, context: &Context) -> Result<Admitted> {
        let (mut planned, resets_at) = self.planned(context)?;
        planned.write.returns = Returns::New;
        let answer = write::single(context, vec![planned]).await?;
        let used = answer.row.and_then(|row| row.get(self.layout.value)?.as_n()?.to_u64());
        let used = used.and_then(|used| u32::try_from(used).ok()).unwrap_or(self.window.limit);
        Ok(Admitted { used, remaining: self.window.limit.saturating_sub(used), resets_at })
    }
}
