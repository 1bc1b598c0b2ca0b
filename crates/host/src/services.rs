//! Open services, and the routing of requests to the service in their path.
//!
//! Services are opened when a program starts, never by a request.

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use http::{Request, Response, StatusCode, Uri};
use monotable_kit::{BoxFuture, MetricsRegistry, Problem, SignIn, State};
use monotable_metrics::Page;
use tower::ServiceExt as _;

use crate::error::{BoxError, Error, problem_error};
use crate::option::OptionValues;
use crate::service::{DemoSettings, OpenService, RunningService, Service};
use crate::settings::HostSettings;

/// The services that are open. Clones are handles to the same ones.
#[derive(Clone)]
pub struct Services {
    pub(crate) open: Arc<[NamedService]>,
    /// Whether other processes may work on the same tables.
    pub(crate) are_tables_shared: bool,
    metrics: MetricsRegistry,
}

/// An open service, with what its requests need.
pub(crate) struct NamedService {
    pub(crate) name: &'static str,
    title: &'static str,
    /// Its clock.
    state: Arc<dyn State>,
    sign_in: Option<SignIn>,
    body_bytes_max: usize,
    router: Router,
    pub(crate) running: Arc<dyn RunningService>,
}

/// How requests for a path of a service are received.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ServicePath {
    /// The size of the largest body that the service accepts.
    pub body_bytes_max: usize,
}

/// A response in progress.
pub type Responding = Pin<Box<dyn Future<Output = Response<Body>> + Send>>;

impl Services {
    /// Passes the values of its options to every service.
    ///
    /// # Errors
    /// Returns the error of the first service that refuses them.
    pub fn configure(
        services: &mut [Box<dyn Service>],
        values: &OptionValues,
    ) -> Result<(), Error> {
        services
            .iter_mut()
            .try_for_each(|service| service.configure(values).map_err(Error::Service))
    }

    /// Opens services, each on its own table, which is created if it does not exist.
    ///
    /// # Errors
    /// Returns [`Error::Open`] with the first service that can't be opened.
    pub fn open<'a>(
        services: &'a [Box<dyn Service>],
        settings: &'a HostSettings,
    ) -> BoxFuture<'a, Self, Error> {
        Box::pin(async move {
            let mut open = Vec::new();
            for service in services {
                let name = service.name();
                let opened = service.open(settings.table_name(&**service), settings).await;
                let OpenService { router, running, state, sign_in } =
                    opened.map_err(|source| Error::Open { service: name, source })?;
                let (title, body_bytes_max) = (service.api().title, service.body_bytes_max());
                open.push(NamedService {
                    name,
                    title,
                    state,
                    sign_in,
                    body_bytes_max,
                    router,
                    running,
                });
            }
            let are_tables_shared = settings.backend.capabilities().is_shared;
            Ok(Self { open: open.into(), are_tables_shared, metrics: settings.metrics.clone() })
        })
    }

    /// Loads the sample data of every service; returns how to use them.
    ///
    /// # Errors
    /// Returns the error of the first service that can't load its data.
    pub fn demo<'a>(&'a self, settings: DemoSettings<'a>) -> BoxFuture<'a, String, Error> {
        Box::pin(async move {
            let mut text = String::new();
            let mut tokens = BTreeMap::new();
            for service in &*self.open {
                text += &service.demo(settings).await.map_err(Error::Service)?;
                for person in service.running.demo_people() {
                    let token = settings.issuer.map(|it| it.token(&person, service.state.now()));
                    tokens.insert(person.id, token);
                }
            }
            // The tokens of a user are valid for all services.
            let tokens = tokens.iter().filter_map(|(id, token)| Some((id, token.as_ref()?)));
            for (position, (id, token)) in tokens.enumerate() {
                if position == 0 {
                    text += "Tokens of the demo users, valid for twelve hours (paste the lines into \
                             a shell):\n";
                }
                let name = id.trim_start_matches("demo-").to_uppercase();
                text += &format!("  export {name}={token}\n");
            }
            Ok(text)
        })
    }

    /// Returns how requests for a path are received, if it belongs to a service.
    pub fn find(&self, path: &str) -> Option<ServicePath> {
        let body_bytes_max = self.service_of(path)?.body_bytes_max;
        Some(ServicePath { body_bytes_max })
    }

    /// Passes a request to the service in its path; responds with 404 if no service has this name.
    pub fn respond(&self, request: Request<Body>) -> Responding {
        let router = self.router_of(request.uri().path());
        Box::pin(respond_by(router, request))
    }

    /// Lets the service in a path report a problem with a request that did not reach it.
    pub fn refuse(&self, path: &str, problem: Problem) -> Responding {
        let mut request = Request::new(Body::empty());
        request.extensions_mut().insert(problem);
        Box::pin(respond_by(self.router_of(path), request))
    }

    /// Returns the router of the service in a path.
    fn router_of(&self, path: &str) -> Option<Router> {
        self.service_of(path).map(|service| service.router.clone())
    }

    /// Returns the service in a path.
    fn service_of(&self, path: &str) -> Option<&NamedService> {
        let name = path.strip_prefix('/')?.split('/').next()?;
        self.open.iter().find(|service| service.name == name)
    }

    /// Writes the metrics of all services.
    pub fn write_metrics(&self, page: &mut Page) {
        self.metrics.write(page);
    }
}

impl NamedService {
    /// Loads the sample data; returns the address of the service, and links for its users.
    async fn demo(&self, settings: DemoSettings<'_>) -> Result<String, BoxError> {
        let url = format!("{}/{}", settings.url, self.name);
        let examples = self.running.demo(&url).await?;
        let people = self.running.demo_people();
        let mut text = format!("{} and its documentation: {url}/docs\n", self.title);
        if let Some(sign_in) = self.sign_in.as_ref().filter(|_| !people.is_empty()) {
            text += "Sign in as a demo user (each link works once, within a day):\n";
            for person in &people {
                let link = sign_in.link(person).await.map_err(problem_error)?;
                text += &format!("  {:<12}{url}{link}\n", person.id);
            }
            if settings.offers_people {
                sign_in.offer(people);
            }
        }
        Ok(text + &examples)
    }
}

/// Passes a request to a service's router, whose paths begin after the service's name.
async fn respond_by(router: Option<Router>, request: Request<Body>) -> Response<Body> {
    let (mut head, body) = request.into_parts();
    let (Some(router), Some(uri)) = (router, after_name(&head.uri)) else { return not_found() };
    head.uri = uri;
    match router.oneshot(Request::from_parts(head, body)).await {
        Ok(response) => response,
        Err(never) => match never {},
    }
}

fn not_found() -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NOT_FOUND;
    response
}

/// Returns path and query after the name of a service.
fn after_name(uri: &Uri) -> Option<Uri> {
    let target = uri.path_and_query()?.as_str().strip_prefix('/')?;
    let rest = target.find(['/', '?']).map_or("", |end| &target[end..]);
    if rest.starts_with('/') { rest.parse().ok() } else { format!("/{rest}").parse().ok() }
}
