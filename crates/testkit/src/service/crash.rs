//! The process is killed at every call of the table and of the blobs, in an act and in the work
//! after it, before the call and after it. At no time is anything half written; when the process is
//! back and has worked, all invariants hold; and a repeat with the same `Idempotency-Key` gets the
//! response.

use monotable::model::backend::Embedded;
use serde_json::Value;

use super::{Actor, Request, Response, Subject, Testing, World};
use crate::failing::{Failing, MOMENTS, Moment};

/// More storage calls than any act makes.
const CALLS_MAX: usize = 300;

/// What the process is doing when it is killed.
#[derive(Clone, Copy, Debug)]
pub enum Act<'a> {
    /// A request, and the work after it.
    Request {
        /// The sender.
        actor: Actor<'a>,
        /// The method and the path.
        route: &'a str,
        /// The body.
        body: &'a Value,
    },
    /// Work that is due.
    Work,
    /// The backfill of older rows, which do not satisfy the invariants of newer ones.
    Backfill,
}

impl<'a> Act<'a> {
    /// Creates a request of an actor.
    pub fn request(actor: impl Into<Actor<'a>>, route: &'a str, body: &'a Value) -> Self {
        Self::Request { actor: actor.into(), route, body }
    }

    async fn run<S: Subject>(&self, world: &World<S>) -> Option<Response> {
        match self {
            Self::Request { actor, route, body } => {
                // Some operations are idempotent, and accept no key.
                let headers = [("idempotency-key", "once")];
                let headers = if is_recorded(*self, world) { &headers[..] } else { &[] };
                let request = Request::new(route, (*body).clone()).headers(headers);
                Some(world.send(*actor, request).await)
            }
            Self::Work => None,
            Self::Backfill => {
                let _ = world.running.backfill().await;
                None
            }
        }
    }
}

/// A step of a process; failures are retried later.
type Step<S> = fn(&World<S>) -> Testing<'_, ()>;

/// A world whose process is killed.
pub struct Crash<'a, S: Subject> {
    start: &'a World<S>,
    warm_up: Option<Step<S>>,
    work: Step<S>,
}

impl<'a, S: Subject> Crash<'a, S> {
    /// Kills processes on copies of this world.
    pub fn of(start: &'a World<S>) -> Self {
        let work: Step<S> = |world| Box::pin(async { drop(world.running.work().await) });
        Self { start, warm_up: None, work }
    }

    /// Runs this in each process before anything is counted.
    #[must_use]
    pub fn warm_up(mut self, step: Step<S>) -> Self {
        self.warm_up = Some(step);
        self
    }

    /// Runs this in the process after the act, instead of all work that is due.
    #[must_use]
    pub fn work(mut self, step: Step<S>) -> Self {
        self.work = step;
        self
    }

    /// Kills the process at every call, before and after it.
    ///
    /// # Panics
    /// Panics if an invariant does not hold afterwards.
    pub async fn at_every_call(&self, act: Act<'_>) {
        let calls = self.calls_before().await;
        for moment in MOMENTS {
            for call in calls..calls + CALLS_MAX {
                if !self.kill(act, call, moment).await {
                    break;
                }
                assert!(call + 1 < calls + CALLS_MAX, "{act:?} makes more calls than are tried");
            }
        }
    }

    /// Returns the calls of a process before the act.
    async fn calls_before(&self) -> usize {
        let Some(warm_up) = self.warm_up else { return 0 };
        let world = self.start.copy().await;
        let counted = Failing::never(&Embedded::new(world.database.clone()));
        warm_up(&world.dying(counted.clone()).await).await;
        counted.calls()
    }

    /// Kills the process at a call; returns false if the call was never made.
    async fn kill(&self, act: Act<'_>, call: usize, moment: Moment) -> bool {
        let when = format!("{act:?}, killed {moment:?} call {call}");
        let world = self.start.copy().await;
        let failing = Failing::at(&Embedded::new(world.database.clone()), call, moment);
        let dying = world.dying(failing.clone()).await;
        if let Some(warm_up) = self.warm_up {
            warm_up(&dying).await;
            assert!(!failing.has_died(), "{when}: too early");
        }
        let told = act.run(&dying).await;
        (self.work)(&dying).await;
        // The repeat comes before the work of the new process, and after it.
        let other = world.copy().await;
        let revived = world.another_process().await;
        if !matches!(act, Act::Backfill) {
            revived.check(&when).await;
        }
        repeat(act, &revived, told.as_ref(), &when).await;
        if !matches!(act, Act::Backfill) {
            other.finish_work(&when).await;
            other.check_quiet(&when).await;
            repeat(act, &other, told.as_ref(), &format!("{when}, after work")).await;
        }
        failing.has_died()
    }
}

/// Sends the request again, or does the work again, and checks everything.
async fn repeat<S: Subject>(act: Act<'_>, world: &World<S>, told: Option<&Response>, when: &str) {
    if let Some(again) = act.run(world).await {
        assert!(again.is_success(), "{when}, repeated: {} {}", again.status, again.text);
        if is_recorded(act, world) {
            let third = act.run(world).await.expect("a response");
            assert_same(&again, &third, when);
            if let Some(told) = told.filter(|told| told.is_success()) {
                assert_same(told, &again, when);
            }
        }
    }
    if matches!(act, Act::Work) {
        world.running.work().await.expect("work after a restart");
    }
    world.finish_work(when).await;
    world.check_quiet(&format!("{when}, repeated")).await;
}

/// Returns whether the response to an act is recorded for repeats.
fn is_recorded<S: Subject>(act: Act<'_>, world: &World<S>) -> bool {
    let Act::Request { route, .. } = act else { return false };
    let request = Request::new(route, Value::Null);
    world.route_of(&request).is_some_and(|route| route.takes_idempotency_key)
}

fn assert_same(one: &Response, other: &Response, when: &str) {
    assert_eq!((one.status, one.value()), (other.status, other.value()), "{when}");
}
