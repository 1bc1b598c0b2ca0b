//! The service in memory.

use std::sync::Arc;

use monotable::{Database, ManualClock};
use monotable_btl_run::table::BtlRun;
use monotable_btl_run::{App, BtlRunService};
use monotable_host::{BoxFuture, HostSettings, OpenService, Service, TableMeta};
use monotable_kit::{Principal, Route};
use monotable_testkit::service::{self, Backing, Setting, Subject, Testing};
pub(crate) use monotable_testkit::service::{Actor, Response};

use crate::{invariants, storage};

/// The time at which tests start: 2027-01-15T08:00:00Z.
pub(crate) const START_MS: u64 = 1_800_000_000_000;
/// The table's name.
pub(crate) const TABLE: &str = "btlrun_kv";

/// A process of the service.
pub(crate) type World = service::World<Arena>;

/// btl.run, for its tests.
pub(crate) struct Arena;

impl Subject for Arena {
    type App = App;
    type Table = BtlRun;

    const HIDDEN_FIELDS: &'static [&'static str] =
        &["pk", "sk", "tokenHashes", "hostUserId", "memoryBlob", "pendingActions"];

    fn service() -> Box<dyn Service> {
        Box::new(narrating_later())
    }

    /// Programs are named after their role.
    fn principal(user: &str) -> Principal {
        let roles = if user.starts_with("kv:") { vec![user.to_owned()] } else { Vec::new() };
        Principal { id: user.to_owned(), email: None, email_verified: false, roles }
    }

    /// Rows are shown to programs by their keys, and the whole match to everybody after its end.
    fn shows_rows(route: &Route) -> bool {
        route.path.starts_with("/kv") || route.operation == "exportMatch"
    }

    fn backend(database: &Database, clock: &Arc<ManualClock>) -> Backing {
        storage::backend(database, clock)
    }

    fn invariants(world: &World) -> Testing<'_, Vec<String>> {
        Box::pin(async { invariants::wrong(world) })
    }

    fn quiet_invariants(world: &World) -> Testing<'_, Vec<String>> {
        Box::pin(async { invariants::wrong_when_quiet(world) })
    }

    fn finish_work(world: &World) -> Testing<'_, bool> {
        Box::pin(invariants::finish_work(world))
    }
}

/// Returns the service, whose stories are left to the background work.
pub(crate) fn narrating_later() -> BtlRunService {
    BtlRunService::default().narrates_later()
}

/// Returns a process of a service with options of its own, on an empty table.
pub(crate) async fn world_of(service: BtlRunService) -> World {
    World::set(Setting::new(service)).await
}

/// A service that is made again for each process, and has a table of this name.
pub(crate) struct EachProcess {
    pub(crate) table_name: &'static str,
    pub(crate) service: fn() -> BtlRunService,
}

impl Service for EachProcess {
    fn api(&self) -> monotable_kit::Service {
        monotable_btl_run::service()
    }

    fn table(&self) -> &'static TableMeta {
        (self.service)().table()
    }

    fn table_name(&self) -> &'static str {
        self.table_name
    }

    fn open<'a>(
        &'a self,
        table_name: &'a str,
        settings: &'a HostSettings,
    ) -> BoxFuture<'a, OpenService> {
        let service = (self.service)();
        Box::pin(async move { service.open(table_name, settings).await })
    }
}

/// A match that was opened.
#[derive(Clone, Debug)]
pub(crate) struct Opened {
    pub(crate) id: String,
    pub(crate) host: String,
    pub(crate) code: String,
}

impl Opened {
    /// Returns the match that a response to its creation shows.
    pub(crate) fn of(created: &Response) -> Self {
        assert_eq!(created.status, 201, "{}", created.text);
        let body = created.json();
        let text = |name: &str| body[name].as_str().unwrap().to_owned();
        Self { id: text("matchId"), host: text("adminToken"), code: text("inviteCode") }
    }

    pub(crate) fn actor(&self) -> Actor<'_> {
        Actor::Token(&self.host)
    }

    /// Returns a path of the match, such as `start`.
    pub(crate) fn path(&self, rest: &str) -> String {
        format!("/match/{}/{rest}", self.id)
    }
}
