//! The steps of every request, in one order: CORS, authentication, body, schema, rate limit,
//! idempotency, the route's own function, and recording refusals.
//!
//! Only this folder uses axum. Nothing here knows what a service is about.

mod body;
mod client_address;
mod cors;
mod endpoint;
pub(crate) mod form;
mod head;
mod json;
mod multipart;
pub(crate) mod operations;
mod pipeline;
pub(crate) mod respond;

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use axum::response::Response;
use axum::routing::any;

pub use client_address::{TrustedProxy, TrustedProxyError};
pub use cors::Cors;

use self::endpoint::{Endpoint, Shared};
use crate::identity::Authenticator;
use crate::log::{LogSink, StandardError};
use crate::metrics::MetricsRegistry;
use crate::randomness::{Ids, Randomness, SystemRandomness};
use crate::records::Records;
use crate::route::{Route, Service};
use crate::sign_in::{self, SignIn};
use crate::state::State;
use crate::throttle::Throttle;
use crate::zone::Zone;

/// What a service needs of its host.
pub struct Host {
    /// Authenticates requests.
    pub authenticator: Arc<dyn Authenticator>,
    /// The storage of responses to requests with an `Idempotency-Key`.
    pub records: Arc<dyn Records>,
    /// The rate limits.
    pub throttle: Arc<Throttle>,
    /// Proxies that report the addresses of clients; none by default.
    pub trusted_proxies: Vec<TrustedProxy>,
    /// The other origins whose pages may send requests; none by default.
    pub cors: Cors,
    /// The destination of the log.
    pub log: Arc<dyn LogSink>,
    /// The registry of the service's metrics.
    pub metrics: MetricsRegistry,
    /// The source of request ids.
    pub ids: Arc<Ids>,
    /// The source of randomness, for the key with which users are hashed in the log.
    pub randomness: Arc<dyn Randomness>,
    /// The key that encrypts secrets in recorded responses.
    pub secrets_key: [u8; 32],
    /// Sign-in, if it is enabled.
    pub sign_in: Option<SignIn>,
    /// The public address of the services, such as `https://example.org`: for links and examples.
    pub origin: Arc<str>,
    /// The time zone of users: pages show times in it, and forms are read in it.
    pub zone: Zone,
}

impl Host {
    /// Creates a host with the defaults: no other origins, the log on standard error.
    pub fn new(authenticator: Arc<dyn Authenticator>, records: Arc<dyn Records>) -> Self {
        let mut secrets_key = [0; 32];
        SystemRandomness.fill(&mut secrets_key);
        Self {
            authenticator,
            records,
            throttle: Arc::default(),
            trusted_proxies: Vec::new(),
            cors: Cors::default(),
            log: Arc::new(StandardError),
            metrics: MetricsRegistry::default(),
            ids: Arc::default(),
            randomness: Arc::new(SystemRandomness),
            secrets_key,
            sign_in: None,
            origin: "http://127.0.0.1:8000".into(),
            zone: Zone::default(),
        }
    }

    /// Accepts requests from pages of other origins.
    #[must_use]
    pub fn cors(mut self, cors: Cors) -> Self {
        self.cors = cors;
        self
    }

    /// Writes the log elsewhere.
    #[must_use]
    pub fn log(mut self, log: impl LogSink + 'static) -> Self {
        self.log = Arc::new(log);
        self
    }

    /// Sets the rate limits.
    #[must_use]
    pub fn throttle(mut self, throttle: Throttle) -> Self {
        self.throttle = Arc::new(throttle);
        self
    }

    /// Trusts the client addresses that these proxies report.
    #[must_use]
    pub fn trusted_proxies(mut self, proxies: impl IntoIterator<Item = TrustedProxy>) -> Self {
        self.trusted_proxies = proxies.into_iter().collect();
        self
    }

    /// Registers the service's metrics with those of other services.
    #[must_use]
    pub fn metrics(mut self, metrics: MetricsRegistry) -> Self {
        self.metrics = metrics;
        self
    }

    /// Encrypts secrets in recorded responses with this key, which must survive a restart: without
    /// it, repeats get the response without its secrets. By default every process generates a key.
    #[must_use]
    pub fn secrets_key(mut self, key: [u8; 32]) -> Self {
        self.secrets_key = key;
        self
    }

    /// Sets the public address of the services, without a slash at the end.
    #[must_use]
    pub fn origin(mut self, origin: impl Into<Arc<str>>) -> Self {
        self.origin = origin.into();
        self
    }

    /// Shows and reads times in this zone on pages.
    #[must_use]
    pub fn zone(mut self, zone: Zone) -> Self {
        self.zone = zone;
        self
    }

    /// Enables sign-in.
    #[must_use]
    pub fn sign_in(mut self, sign_in: SignIn) -> Self {
        self.sign_in = Some(sign_in);
        self
    }

    /// Sets the source of randomness.
    #[must_use]
    pub fn randomness(mut self, randomness: Arc<dyn Randomness>) -> Self {
        self.randomness = randomness;
        self
    }
}

impl Service {
    /// Returns the router of the service, with its health checks and documents. Paths are relative
    /// to the service's name, under which the router is nested.
    ///
    /// If a request has a [`Problem`](crate::Problem) among its extensions, the server has refused
    /// it, and the service responds with that problem in its own form.
    ///
    /// # Panics
    /// Panics if two routes are the same or name the same segment of a path differently, or if a
    /// route needs another type of state.
    pub fn router(self, state: Arc<impl State>, host: Host) -> Router {
        self.router_over(state, host)
    }

    fn router_over(mut self, state: Arc<dyn State>, host: Host) -> Router {
        let metrics = host.metrics.add(self.name);
        state.measure(&metrics);
        let own = operations::routes(&self, &host);
        self.routes.extend(own);
        if let Some(sign_in) = &host.sign_in {
            self.routes.extend(sign_in::routes(sign_in));
        }
        let mut paths: BTreeMap<&'static str, Vec<Route>> = BTreeMap::new();
        for route in std::mem::take(&mut self.routes) {
            let routes = paths.entry(route.path).or_default();
            let is_new = routes.iter().all(|other| other.method != route.method);
            assert!(is_new, "two routes answer {} {}", route.method, route.path);
            let is_ours = route.handler.takes(&*state);
            assert!(is_ours, "{} {} works on another state", route.method, route.path);
            routes.push(route);
        }
        let shared = Arc::new(Shared::new(&self, state, host, metrics));
        let no_route = Arc::new(Endpoint::new(Vec::new(), Arc::clone(&shared)));
        let router = paths.into_iter().fold(Router::new(), |router, (path, routes)| {
            let endpoint = Arc::new(Endpoint::new(routes, Arc::clone(&shared)));
            router.route(path, any(move |request: Request| answer(endpoint, request)))
        });
        router.fallback(move |request: Request| answer(no_route, request))
    }
}

async fn answer(endpoint: Arc<Endpoint>, request: Request) -> Response {
    endpoint.answer(request).await
}
