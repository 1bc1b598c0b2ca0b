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
use monotable_kit::{Cors, Host, NoLog, Problem, Records, SystemRandomness};
use monotable_server::{Site, SiteBody, SiteReply};
use tokio::sync::OnceCell;
use tower::ServiceExt as _;

pub(crate) use worker::Worker;

use crate::identity::{self, Identity};

/// Where letters are put, one file each.
const MAIL_DIRECTORY: &str = "mail";

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

    /// Brings rows of older programs up to date; what was done, and what needs a decision.
    pub(crate) async fn backfill(&self) -> Result<String> {
        let app = self.hacktracker().await?;
        let report = monotable_hacktracker::backfill::backfill(&app.db).await?;
        Ok(format!("hacktracker: {}", serde_json::to_string_pretty(&report)?))
    }

    /// One round of background work of the services that are open; now and then with what need not be
    /// remembered any more.
    async fn work(&self, sweeps: bool) {
        let Some(running) = self.inner.hacktracker.get() else { return };
        let app = &running.app;
        let done = match app.work().await {
            Ok(_) if sweeps => app.sweep().await.map(drop),
            done => done.map(drop),
        };
        if let Err(problem) = done {
            eprintln!("hacktracker's background work: {}", problem.message);
        }
    }
}

impl Inner {
    async fn hacktracker(&self) -> Result<&Running<App>> {
        let open = async || -> Result<Running<App>> {
            let backend = Embedded::new(self.setting.database.clone());
            let cursor_key = identity::cursor_key(self.setting.directory.as_deref())?;
            let settings = HackTracker::settings()
                .environment(&self.setting.environment)
                .cursor_key(cursor_key);
            let store: Store<HackTracker> = settings.open(backend).await?;
            let mut app =
                App::new(store.clone(), Arc::new(SystemRandomness)).cursor_key(cursor_key);
            if let Some(directory) = &self.setting.directory {
                let mailer = FileMailer::new(directory.join(MAIL_DIRECTORY));
                app = app.mailer(Arc::new(mailer)).map_err(told)?;
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
        let host = Host::new(self.identity.authenticator()?, Arc::new(records))
            .cors(Cors::origins(&self.origins));
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
