//! Limits of calls that are shared by all processes: a counter in the table for each subject and
//! window.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use monotable::model::rows::{Admitted, Rate, RateWindow, RateWindowKey};
use monotable::model::time::Timestamp;
use monotable::model::{Error, HoldsRule, Store};

use crate::box_future::BoxFuture;
use crate::problem::{Problem, ProblemKind};
use crate::reply::Reply;

const MINUTE_MS: i64 = 60_000;

/// How often a subject may call an operation. A call without effect is not counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallLimit {
    /// The name of the counters in the table.
    pub name: &'static str,
    /// The calls in each window.
    pub window: RateWindow,
    /// Whether calls without effect are counted, too.
    pub counts_attempts: bool,
}

impl CallLimit {
    /// Creates a limit of calls per minute.
    pub const fn per_minute(name: &'static str, calls: u32) -> Self {
        Self::new(name, calls, Duration::from_secs(60))
    }

    /// Creates a limit of calls per hour.
    pub const fn per_hour(name: &'static str, calls: u32) -> Self {
        Self::new(name, calls, Duration::from_secs(60 * 60))
    }

    const fn new(name: &'static str, limit: u32, length: Duration) -> Self {
        Self { name, window: RateWindow { length, limit }, counts_attempts: false }
    }

    /// Also counts calls without effect: against guessing.
    #[must_use]
    pub const fn counting_attempts(mut self) -> Self {
        self.counts_attempts = true;
        self
    }

    /// Returns 429 with the end of the window.
    pub fn reached(self, wait_seconds: u64) -> Problem {
        let RateWindow { length, limit } = self.window;
        let text = format!(
            "This can be done {limit} times in {}; try again in {}.",
            duration(length.as_secs()),
            duration(wait_seconds),
        );
        let mut problem = Problem::new(ProblemKind::RateLimited, "RATE_LIMITED", text);
        problem.retry_after_seconds = Some(wait_seconds);
        problem.with("retryAfterSeconds", wait_seconds)
    }
}

/// Returns a time for people: in minutes if it is longer than one, rounded up.
fn duration(seconds: u64) -> String {
    match seconds {
        0..=1 => "1 second".to_owned(),
        2..=60 => format!("{seconds} seconds"),
        _ => format!("{} minutes", seconds.div_ceil(60)),
    }
}

/// The calls of the current minute, by caller. They are counted in this process: the counts protect
/// it from too many calls, and don't need to survive it.
#[derive(Debug)]
pub struct MinuteCalls<K>(Mutex<(i64, HashMap<K, u32>)>);

impl<K> Default for MinuteCalls<K> {
    fn default() -> Self {
        Self(Mutex::new((0, HashMap::new())))
    }
}

impl<K: Eq + Hash> MinuteCalls<K> {
    /// Counts a call.
    ///
    /// # Errors
    /// Returns 429 above the limit.
    pub fn admit(&self, caller: K, limit: CallLimit, now: Timestamp) -> Result<(), Problem> {
        let minute = now.as_ms().div_euclid(MINUTE_MS);
        let mut calls = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if calls.0 != minute {
            *calls = (minute, HashMap::new());
        }
        let count = calls.1.entry(caller).or_default();
        *count = count.saturating_add(1);
        if *count <= limit.window.limit {
            return Ok(());
        }
        let left_ms = MINUTE_MS - now.as_ms().rem_euclid(MINUTE_MS);
        Err(limit.reached(left_ms.unsigned_abs().div_ceil(1_000)))
    }
}

/// A table that counts calls. It lists the key in `rules(…)`.
pub trait CountsCalls: HoldsRule<Self::Key> {
    /// The rule key of the counters.
    type Key: RateWindowKey;

    /// Returns the key of a subject's calls under the name of a limit.
    fn calls(subject: &str, name: &'static str) -> Self::Key;
}

/// The counters of calls: implemented by every store of a table that [`CountsCalls`].
pub trait CallCounters: Send + Sync {
    /// Counts a call; returns 429 if there were too many in the window.
    fn count<'a>(&'a self, limit: CallLimit, subject: &'a str) -> BoxFuture<'a, Admitted>;

    /// Takes back a call that had no effect.
    fn uncount<'a>(
        &'a self,
        limit: CallLimit,
        subject: &'a str,
        admitted: Admitted,
    ) -> BoxFuture<'a, ()>;
}

impl<T: CountsCalls> CallCounters for Store<T> {
    fn count<'a>(&'a self, limit: CallLimit, subject: &'a str) -> BoxFuture<'a, Admitted> {
        Box::pin(async move {
            let rate: Rate<T::Key> = T::calls(subject, limit.name).rate(limit.window);
            self.run(rate.hit()).await.map_err(|error| match error {
                Error::LimitReached { retry_after_seconds, .. } => {
                    limit.reached(retry_after_seconds.unwrap_or(limit.window.length.as_secs()))
                }
                error => error.into(),
            })
        })
    }

    fn uncount<'a>(
        &'a self,
        limit: CallLimit,
        subject: &'a str,
        admitted: Admitted,
    ) -> BoxFuture<'a, ()> {
        Box::pin(async move {
            let rate: Rate<T::Key> = T::calls(subject, limit.name).rate(limit.window);
            self.run(rate.undo(admitted)).await?;
            Ok(())
        })
    }
}

/// A service that limits the calls of operations with `#[operation(…, limit(LIMIT, subject))]`.
pub trait LimitsCalls {
    /// Returns the counters.
    fn call_counters(&self) -> &dyn CallCounters;
}

/// Runs a call, which is counted once however often it is repeated.
pub(crate) async fn limited(
    counters: &dyn CallCounters,
    limit: CallLimit,
    subject: &str,
    run: BoxFuture<'_, Reply>,
) -> Result<Reply, Problem> {
    let admitted = counters.count(limit, subject).await?;
    let result = run.await;
    let has_effect = result.as_ref().is_ok_and(|reply| !reply.is_replay());
    if !has_effect && !limit.counts_attempts {
        // If that fails, the call counts until the window ends; its own result is what matters.
        let _ = counters.uncount(limit, subject, admitted).await;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_caller_has_a_limit_per_minute() {
        let (calls, limit) = (MinuteCalls::default(), CallLimit::per_minute("scan", 2));
        let at = |seconds: i64| Timestamp::from_ms(seconds * 1_000).unwrap();
        for caller in ["ann", "bo"] {
            calls.admit(caller, limit, at(100)).unwrap();
            calls.admit(caller, limit, at(101)).unwrap();
            let problem = calls.admit(caller, limit, at(102)).unwrap_err();
            assert_eq!((problem.code, problem.retry_after_seconds), ("RATE_LIMITED", Some(18)));
        }
        calls.admit("ann", limit, at(120)).unwrap();
    }
}
