//! The services behind the server's port: each is opened when it is first asked for, so that a server
//! which nobody uses for them has none of their tables.

mod body;
mod worker;

use std::future::Future;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;

use anyhow::Result;
use axum::Router;
use axum::body::Body;
use bytes::Bytes;
use http::{Request, Response, StatusCode};
use monotable::prelude::{Embedded, Store};
use monotable_engine::{Database, DescribeTable};
use monotable_hacktracker::App;
use monotable_hacktracker::patterns::HackTracker;
use monotable_kit::outbox::FileMailer;
use monotable_kit::{Host, NoLog, Problem, Records, SystemRandomness};
use monotable_server::{Site, SiteBody, SiteReply};
use tokio::sync::OnceCell;
use tower::ServiceExt as _;

pub(crate) use worker::Worker;

use crate::identity::Identity;

/// What the services need of the command line.
#[derive(Clone)]
pub(crate) struct Setting {
    pub(crate) database: Database,
    /// The environment in the names of their tables.
    pub(crate) environment: String,
    pub(crate) identity: Arc<Identity>,
    /// Where letters are put, if they are sent at all.
    pub(crate) mail_directory: Option<PathBuf>,
    /// Whether a line is written for each request.
    pub(crate) has_log: bool,
}

/// The services.
#[derive(Clone)]
pub(crate) struct Services {
    inner: Arc<Inner>,
}

struct Inner {
    setting: Setting,
    hacktracker: OnceCell<Running<App>>,
}

/// A service that was asked for.
struct Running<S> {
    app: Arc<S>,
    router: Router,
}

impl Services {
    pub(crate) fn new(setting: Setting) -> Self {
        Self { inner: Arc::new(Inner { setting, hacktracker: OnceCell::new() }) }
    }

    /// HackTracker, opened if it is not yet.
    pub(crate) async fn hacktracker(&self) -> Result<Arc<App>> {
        Ok(Arc::clone(&self.inner.hacktracker().await?.app))
    }

    /// Opens the services whose tables are there, so that their background work goes on after a
    /// restart.
    pub(crate) async fn open_existing(&self) -> Result<()> {
        let setting = &self.inner.setting;
        let table_name = format!("hacktracker-{}", setting.environment);
        match setting.database.describe_table(DescribeTable::new(table_name)) {
            Ok(_) => self.hacktracker().await.map(drop),
            Err(_) => Ok(()),
        }
    }

    /// One round of background work of the services that are open.
    async fn work(&self) {
        if let Some(running) = self.inner.hacktracker.get() {
            if let Err(problem) = running.app.work().await {
                eprintln!("hacktracker's background work: {}", problem.message);
            }
        }
    }
}

impl Inner {
    async fn hacktracker(&self) -> Result<&Running<App>> {
        let open = async || -> Result<Running<App>> {
            let backend = Embedded::new(self.setting.database.clone());
            let settings = HackTracker::settings().environment(&self.setting.environment);
            let store: Store<HackTracker> = settings.open(backend).await?;
            let mut app = App::new(store.clone(), Arc::new(SystemRandomness));
            if let Some(directory) = &self.setting.mail_directory {
                app = app.mailer(Arc::new(FileMailer::new(directory))).map_err(told)?;
            }
            let app = Arc::new(app);
            let host = self.setting.host(store)?;
            let router = monotable_hacktracker::service().router(Arc::clone(&app), host);
            Ok(Running { app, router })
        };
        self.hacktracker.get_or_try_init(open).await
    }
}

impl Setting {
    fn host(&self, records: impl Records + 'static) -> Result<Host> {
        let host = Host::new(self.identity.authenticator()?, Arc::new(records));
        Ok(match self.has_log {
            true => host,
            false => host.log(NoLog),
        })
    }
}

/// A problem as an error of the command line.
fn told(problem: Problem) -> anyhow::Error {
    anyhow::anyhow!(problem.message)
}

/// The service that a path is for, and the path behind its name.
fn split(path: &str) -> Option<(&str, &str)> {
    let rest = path.strip_prefix('/')?;
    let (name, behind) = rest.find('/').map_or((rest, ""), |slash| rest.split_at(slash));
    Some((name, behind))
}

impl Site for Services {
    fn owns(&self, path: &str) -> bool {
        split(path).is_some_and(|(name, _)| name == "hacktracker")
    }

    fn call(&self, request: Request<Bytes>) -> SiteReply {
        let services = self.clone();
        Box::pin(async move {
            match services.inner.hacktracker().await {
                Ok(running) => answer(running.router.clone(), request).await,
                Err(error) => {
                    eprintln!("hacktracker can't be opened: {error:#}");
                    unavailable()
                }
            }
        })
    }
}

/// Asks a service's router, whose paths begin behind the service's name.
async fn answer(router: Router, request: Request<Bytes>) -> Response<SiteBody> {
    let (mut head, body) = request.into_parts();
    let target = head.uri.path_and_query().map_or("/", |target| target.as_str());
    let behind = target[1..].find(['/', '?']).map_or("", |end| &target[1 + end..]);
    let behind = match behind.starts_with('/') {
        true => behind.to_owned(),
        false => format!("/{behind}"),
    };
    let Ok(uri) = behind.parse() else { return unavailable() };
    head.uri = uri;
    let request = Request::from_parts(head, Body::from(body));
    match router.oneshot(request).await {
        Ok(response) => response.map(body::sent),
        Err(never) => match never {},
    }
}

fn unavailable() -> Response<SiteBody> {
    let mut response =
        Response::new(body::sent(Body::from("{\"error\":\"The service can't answer now.\"}\n")));
    *response.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
    response
}

/// Runs something to its end on a runtime of its own.
pub(crate) fn block_on<T>(future: impl Future<Output = T>) -> Result<T> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    Ok(runtime.block_on(Box::pin(future) as Pin<Box<dyn Future<Output = T>>>))
}
