//! The services behind the server's port: each is opened when it is first asked for, so that a server
//! which nobody uses for them has none of their tables.
//!
//! What one service is, its own file knows. A service that can't be opened, or whose work fails or takes
//! long, is no other's trouble.

mod body;
mod btl_run;
mod hacktracker;
mod hosted;
#[cfg(test)]
mod tests;
mod worker;

use std::collections::BTreeMap;
use std::future::Future;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;

use anyhow::Result;
use axum::body::Body;
use http::request::Parts;
use http::{Request, Response, Uri};
use monotable::model::backend::Backend as _;
use monotable::prelude::{Embedded, Timestamp};
use monotable_btl_run::narration::Narrator;
use monotable_engine::{Database, DescribeTable};
use monotable_kit::{Authenticator, Cors, Host, NoLog, Problem, Records};
use monotable_server::{Site, SiteReply, Upload};
use tokio::sync::OnceCell;
use tower::ServiceExt as _;

pub(crate) use worker::Worker;

use self::hosted::{Hosted, Running};
use crate::identity::{self, Identity};

/// Every service that there is.
fn all() -> Vec<Box<dyn Hosted>> {
    vec![Box::new(hacktracker::HackTracker), Box::new(btl_run::BtlRun)]
}

/// Whether there is a service of this name.
pub(crate) fn is_known(name: &str) -> bool {
    all().iter().any(|hosted| hosted.name() == name)
}

/// The names of all services, for people.
pub(crate) fn names() -> String {
    let names: Vec<&str> = all().iter().map(|hosted| hosted.name()).collect();
    names.join(" or ")
}

/// What the services need of the command line.
#[derive(Clone)]
pub(crate) struct Setting {
    pub(crate) database: Database,
    /// The environment in the names of their tables.
    pub(crate) environment: String,
    pub(crate) identity: Arc<Identity>,
    /// Where data is kept, if it is: secrets of their own, and letters until something sends them on.
    pub(crate) directory: Option<PathBuf>,
    /// Pages of which origins may ask.
    pub(crate) origins: Vec<String>,
    /// Names of tables that are not those of the designs, by service.
    pub(crate) tables: BTreeMap<String, String>,
    /// The language model that tells stories, if there is one.
    pub(crate) narrator: Option<Arc<dyn Narrator>>,
    /// Whether a line is written for each request.
    pub(crate) has_log: bool,
}

impl Setting {
    /// What a service needs to be hosted. `authenticator` makes what tells who its requests are from out
    /// of what tells it for all: a service may know further ways.
    fn host(
        &self,
        records: impl Records + 'static,
        authenticator: impl FnOnce(Arc<dyn Authenticator>) -> Arc<dyn Authenticator>,
    ) -> Result<Host> {
        let authenticator = authenticator(self.identity.authenticator()?);
        let host = Host::new(authenticator, Arc::new(records)).cors(Cors::origins(&self.origins));
        Ok(match self.has_log {
            true => host,
            false => host.log(NoLog),
        })
    }

    fn now(&self) -> Timestamp {
        let now_ms = i64::try_from(Embedded::new(self.database.clone()).now_ms());
        let now = now_ms.ok().and_then(|now_ms| Timestamp::from_ms(now_ms).ok());
        now.unwrap_or(Timestamp::MAX)
    }

    /// The name of a service's table, with `{environment}` in it.
    fn table_name<'a>(&'a self, hosted: &'a dyn Hosted) -> &'a str {
        self.tables.get(hosted.name()).map_or(hosted.table_name(), String::as_str)
    }

    /// The key that cursors are signed with.
    fn cursor_key(&self) -> Result<[u8; 32]> {
        identity::cursor_key(self.directory.as_deref())
    }
}

/// The services.
#[derive(Clone)]
pub(crate) struct Services {
    setting: Arc<Setting>,
    places: Arc<[Arc<Place>]>,
}

/// A service and, once somebody has asked for it, what answers for it.
struct Place {
    hosted: Box<dyn Hosted>,
    body_bytes_max: usize,
    running: OnceCell<Box<dyn Running>>,
}

impl Place {
    /// The service, opened if it is not yet.
    async fn open(&self, setting: &Setting) -> Result<&dyn Running> {
        let running = self.running.get_or_try_init(|| self.hosted.open(setting)).await?;
        Ok(&**running)
    }

    /// Tells that the service can't be opened, and why.
    fn complain(&self, error: &anyhow::Error) {
        eprintln!("{} can't be opened: {error:#}", self.hosted.name());
    }
}

impl Services {
    pub(crate) fn new(setting: Setting) -> Self {
        Self::of(setting, all())
    }

    fn of(setting: Setting, services: Vec<Box<dyn Hosted>>) -> Self {
        let place = |hosted: Box<dyn Hosted>| {
            let body_bytes_max = hosted.body_bytes_max();
            Arc::new(Place { hosted, body_bytes_max, running: OnceCell::new() })
        };
        Self { setting: Arc::new(setting), places: services.into_iter().map(place).collect() }
    }

    /// Opens the services whose tables are there, so that their background work goes on after a
    /// restart.
    pub(crate) async fn open_existing(&self) {
        for place in &*self.places {
            let name = self.setting.table_name(&*place.hosted);
            let name = name.replace("{environment}", &self.setting.environment);
            let found = self.setting.database.describe_table(DescribeTable::new(name));
            if found.is_ok()
                && let Err(error) = place.open(&self.setting).await
            {
                place.complain(&error);
            }
        }
    }

    /// Loads the demo of every service; how to ask them.
    pub(crate) async fn demo(&self, address: SocketAddr) -> Result<String> {
        let mut text = String::new();
        for place in &*self.places {
            let service = place.open(&self.setting).await?;
            text += &service.demo(&self.setting.identity, address).await?;
        }
        Ok(text)
    }

    /// The service that a path is for.
    fn find(&self, path: &str) -> Option<&Arc<Place>> {
        let name = path.strip_prefix('/')?.split('/').next()?;
        self.places.iter().find(|place| place.hosted.name() == name)
    }
}

impl Site for Services {
    fn owns(&self, path: &str) -> bool {
        self.find(path).is_some()
    }

    fn body_bytes_max(&self, path: &str) -> usize {
        self.find(path).map_or(0, |place| place.body_bytes_max)
    }

    fn call(&self, request: Request<Upload>) -> SiteReply {
        let Some(place) = self.find(request.uri().path()).map(Arc::clone) else {
            unreachable!("the server asks only for what the site owns")
        };
        let setting = Arc::clone(&self.setting);
        Box::pin(async move { place.answer(&setting, request).await.map(body::sent) })
    }
}

impl Place {
    /// Asks the service's router, whose paths begin behind the service's name.
    async fn answer(&self, setting: &Setting, request: Request<Upload>) -> Response<Body> {
        let (mut head, body) = request.into_parts();
        let refused = |head: &Parts, problem: &Problem| {
            self.hosted.refuse(&head.headers, problem, setting.now())
        };
        let service = match self.open(setting).await {
            Ok(service) => service,
            Err(error) => {
                self.complain(&error);
                let problem = Problem::unavailable("The service can't answer now; try again.");
                return refused(&head, &problem);
            }
        };
        let Some(uri) = behind_name(&head.uri) else {
            return refused(&head, &Problem::field("path", "is no path"));
        };
        head.uri = uri;
        match service.router().oneshot(Request::from_parts(head, body::received(body))).await {
            Ok(response) => response,
            Err(never) => match never {},
        }
    }
}

/// Path and query behind the name of a service.
fn behind_name(uri: &Uri) -> Option<Uri> {
    let target = uri.path_and_query()?.as_str().strip_prefix('/')?;
    let behind = target.find(['/', '?']).map_or("", |end| &target[end..]);
    match behind.starts_with('/') {
        true => behind.parse().ok(),
        false => format!("/{behind}").parse().ok(),
    }
}

/// A problem as an error of the command line.
fn told(problem: Problem) -> anyhow::Error {
    anyhow::anyhow!(problem.message)
}

/// Runs something to its end on a runtime of its own.
pub(crate) fn block_on<T>(future: impl Future<Output = T>) -> Result<T> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    Ok(runtime.block_on(Box::pin(future) as Pin<Box<dyn Future<Output = T>>>))
}
