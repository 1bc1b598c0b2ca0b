//! The services that the server hosts. They are opened at the start, by configuration: a request opens
//! nothing.
//!
//! What one service is, its own file knows. A service whose work fails or takes long does not disturb the
//! others.

mod arguments;
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

use anyhow::{Context as _, Result};
use axum::body::Body;
use bytes::Bytes;
use http::{Request, Response, StatusCode, Uri};
use monotable_engine::Database;
use monotable_kit::{
    Authenticator, Cors, Host, NoLog, Problem, ProblemKind, Rate, Records, Throttle,
    ThrottleSettings, TrustedProxy,
};
use monotable_server::{Reach, Refusal, Site, SitePath, SiteReply, Upload};
use tower::ServiceExt as _;

pub(crate) use arguments::ServiceArguments;
pub(crate) use hacktracker::HackTrackerArguments;
pub(crate) use hosted::Hosted;
pub(crate) use worker::Worker;

use self::hosted::Running;
use crate::identity::{self, Identity};
use crate::narrator::Narration;

/// Every service that there is.
fn all() -> Vec<Box<dyn Hosted>> {
    vec![Box::new(hacktracker::HackTracker), Box::new(btl_run::BtlRun)]
}

/// What the services need of the command line.
pub(crate) struct Setting {
    pub(crate) database: Database,
    pub(crate) identity: Identity,
    /// Where data is kept, if it is: secrets of their own, and e-mails until something sends them on.
    pub(crate) directory: Option<PathBuf>,
    /// Origins whose pages may send requests.
    pub(crate) origins: Vec<String>,
    /// The names of their tables, by service.
    pub(crate) tables: BTreeMap<String, String>,
    /// Who writes stories, and at what cost.
    pub(crate) narration: Narration,
    /// Writes per second that are admitted of one caller, if not the usual number.
    pub(crate) writes_per_second: Option<u32>,
    /// Proxies that report the addresses of clients.
    pub(crate) trusted_proxies: Vec<TrustedProxy>,
    /// What the command line says about HackTracker.
    pub(crate) hacktracker: HackTrackerArguments,
    /// Whether a line is logged for each request.
    pub(crate) has_log: bool,
}

impl Setting {
    /// What a service needs to be hosted. `authenticator` extends the authenticator of all services: a
    /// service may have tokens of its own.
    fn host(
        &self,
        records: Arc<dyn Records>,
        authenticator: impl FnOnce(Arc<dyn Authenticator>) -> Arc<dyn Authenticator>,
    ) -> Result<Host> {
        let authenticator = authenticator(self.identity.authenticator());
        let host = Host::new(authenticator, records)
            .cors(Cors::origins(&self.origins))
            .trusted_proxies(self.trusted_proxies.iter().copied())
            .secrets_key(self.cursor_key()?)
            .throttle(Throttle::new(self.limits()));
        Ok(if self.has_log { host } else { host.log(NoLog) })
    }

    /// What is admitted. Callers that may write more may also send more requests.
    fn limits(&self) -> ThrottleSettings {
        let usual = ThrottleSettings::default();
        let Some(writes) = self.writes_per_second else { return usual };
        let at_least = |rate: Rate| Rate {
            per_second: rate.per_second.max(writes),
            burst: rate.burst.max(writes),
        };
        let burst = usual.writes_of_one.burst.max(writes);
        ThrottleSettings {
            everybody: at_least(usual.everybody),
            requests_of_one: at_least(usual.requests_of_one),
            writes_of_one: Rate { per_second: writes, burst },
            ..usual
        }
    }

    /// The name of a service's table.
    fn table_name<'a>(&'a self, hosted: &'a dyn Hosted) -> &'a str {
        self.tables.get(hosted.name()).map_or(hosted.table_name(), String::as_str)
    }

    /// The key that cursors are signed with.
    fn cursor_key(&self) -> Result<[u8; 32]> {
        identity::cursor_key(self.directory.as_deref())
    }
}

/// The services that are open.
#[derive(Clone)]
pub(crate) struct Services {
    open: Arc<[OpenService]>,
    /// Who can reach their routes.
    reach: Reach,
}

/// A service that is open.
struct OpenService {
    name: &'static str,
    body_bytes_max: usize,
    running: Arc<dyn Running>,
}

impl Services {
    /// Opens services, whose tables are created if they do not exist.
    pub(crate) async fn open(services: &[Box<dyn Hosted>], setting: &Setting) -> Result<Self> {
        let mut open = Vec::new();
        for hosted in services {
            let name = hosted.name();
            let running = hosted.open(setting).await;
            let running = running.with_context(|| format!("the service {name} can't be opened"))?;
            open.push(OpenService { name, body_bytes_max: hosted.body_bytes_max(), running });
        }
        // Whoever claims to be anybody must at least be on this machine.
        let reach = if setting.identity.is_claimed() { Reach::Local } else { Reach::Anyone };
        Ok(Self { open: open.into(), reach })
    }

    /// Loads the demo of every service; returns how to use them.
    pub(crate) async fn demo(&self, identity: &Identity, address: SocketAddr) -> Result<String> {
        let mut text = String::new();
        for service in &*self.open {
            text += &service.running.demo(identity, address).await?;
        }
        Ok(text)
    }

    /// The service that a path is for, and the path behind its name.
    fn service_of<'p>(&self, path: &'p str) -> Option<(&OpenService, &'p str)> {
        let path = path.strip_prefix('/')?;
        let (name, behind) = path.split_at(path.find('/').unwrap_or(path.len()));
        Some((self.open.iter().find(|service| service.name == name)?, behind))
    }

    /// Passes a request to the service that a path is for.
    fn pass(&self, path: &str, request: Request<Upload>) -> SiteReply {
        let running = self.service_of(path).map(|(service, _)| Arc::clone(&service.running));
        Box::pin(async move {
            match running {
                Some(running) => answer(&*running, request).await.map(body::sent),
                None => absent().map(body::sent),
            }
        })
    }
}

impl Site for Services {
    fn find(&self, path: &str) -> Option<SitePath> {
        let (service, behind) = self.service_of(path)?;
        let reach = if behind == METRICS_PATH { Reach::Metrics } else { self.reach };
        Some(SitePath { body_bytes_max: service.body_bytes_max, reach })
    }

    fn call(&self, request: Request<Upload>) -> SiteReply {
        let path = request.uri().path().to_owned();
        self.pass(&path, request)
    }

    fn refuse(&self, path: &str, refusal: Refusal) -> SiteReply {
        let mut request = Request::new(Upload::Whole(Bytes::new()));
        request.extensions_mut().insert(problem_of(refusal));
        self.pass(path, request)
    }
}

/// Where a service shows its metrics.
const METRICS_PATH: &str = "/metrics";

/// Passes a request to the service's router, whose paths begin behind the service's name.
async fn answer(running: &dyn Running, request: Request<Upload>) -> Response<Body> {
    let (mut head, body) = request.into_parts();
    let Some(uri) = behind_name(&head.uri) else { return absent() };
    head.uri = uri;
    match running.router().oneshot(Request::from_parts(head, body::received(body))).await {
        Ok(response) => response,
        Err(never) => match never {},
    }
}

fn absent() -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NOT_FOUND;
    response
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

/// What the server refuses, as a problem that the service writes in its own form.
fn problem_of(refusal: Refusal) -> Problem {
    let (kind, code) = match refusal {
        Refusal::Malformed => (ProblemKind::Invalid, "MALFORMED_REQUEST"),
        Refusal::HeadTooLarge => (ProblemKind::Invalid, "HEADERS_TOO_LARGE"),
        Refusal::BodyTooLarge => (ProblemKind::TooLarge, "BODY_TOO_LARGE"),
        Refusal::Encoding => (ProblemKind::MediaType, "UNSUPPORTED_MEDIA_TYPE"),
        Refusal::Busy => return Problem::unavailable(refusal.message()),
    };
    Problem::new(kind, code, refusal.message())
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
