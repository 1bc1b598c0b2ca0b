//! What a service supplies for its tests.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use monotable::model::backend::{Backend, Embedded};
use monotable::{Database, ManualClock};
use monotable_host::{RunningService, Service};
use monotable_kit::{Principal, Route};

use super::{World, oracle};

/// A future of a test.
pub type Testing<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A backend that is being created.
pub type Backing = Testing<'static, Arc<dyn Backend>>;

/// A service, with everything that its tests need.
pub trait Subject: Sized + Send + Sync + 'static {
    /// The state of the service, which its [`Service::open`] returns.
    type App: RunningService;
    /// Its table.
    type Table: monotable::model::Table;

    /// Names that no field of a response may have, at any depth.
    const HIDDEN_FIELDS: &'static [&'static str] = &[];
    /// Personal data of the tests: no refusal contains it, and no line of the log.
    const PERSONAL_DATA: &'static [&'static str] = &[];

    /// Returns the service as most tests open it.
    fn service() -> Box<dyn Service>;

    /// Returns the contents of this user's token. By default, a user has a verified e-mail address,
    /// and no role.
    fn principal(user: &str) -> Principal {
        let email = Some(format!("{user}@example.org"));
        Principal { id: user.to_owned(), email, email_verified: true, roles: Vec::new() }
    }

    /// Returns whether an operation shows rows as they are stored. Its responses may contain hidden fields.
    fn shows_rows(_route: &Route) -> bool {
        false
    }

    /// Returns how the service reaches its table: in the same process, unless overridden.
    fn backend(database: &Database, clock: &Arc<ManualClock>) -> Backing {
        in_process(database, clock)
    }

    /// Returns violated invariants that must hold at every time, also while work is pending. By
    /// default, indexes are compared with the table.
    fn invariants(world: &World<Self>) -> Testing<'_, Vec<String>> {
        Box::pin(async { oracle::index_differences(world) })
    }

    /// Returns violated invariants that must hold when all work is done.
    fn quiet_invariants(world: &World<Self>) -> Testing<'_, Vec<String>> {
        Self::invariants(world)
    }

    /// Works until nothing is left to do; returns false if the work does not end.
    fn finish_work(world: &World<Self>) -> Testing<'_, bool> {
        Box::pin(async { world.running.work().await.is_ok() })
    }
}

/// Returns the backend of a service that reaches its table in the same process.
pub fn in_process(database: &Database, _clock: &Arc<ManualClock>) -> Backing {
    let backend: Arc<dyn Backend> = Arc::new(Embedded::new(database.clone()));
    Box::pin(std::future::ready(backend))
}
