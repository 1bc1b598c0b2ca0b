//! One path with its methods: finds the route, runs the steps, and logs and counts the result,
//! whatever happened.

use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Instant;

use axum::body::Body;
use axum::extract::Request;
use axum::response::Response;
use http::header::ALLOW;
use http::request::Parts;
use http::{HeaderValue, Method};
use monotable::model::time::Timestamp;
use serde_json::Value;

use super::form::SentForm;
use super::{Cors, Host, cors, form, head, respond};
use crate::events::OpenStreams;
use crate::log::{LogLine, redacted};
use crate::metrics::{CommitCounts, Metrics, RouteMetrics};
use crate::pages::layout::Frame;
use crate::pages::problem::Reported;
use crate::problem::{Problem, ProblemKind, code_of, display_of};
use crate::queue::Queues;
use crate::reply::{Reply, ReplyBody};
use crate::route::{Route, Service, ServiceName};
use crate::sealed::Sealer;
use crate::state::State;

/// The state that all paths of a service share.
pub(super) struct Shared {
    pub(super) service: ServiceName,
    pub(super) problem_form: fn(&Problem, &str) -> Value,
    pub(super) state: Arc<dyn State>,
    pub(super) host: Host,
    /// The key with which users are hashed in the log.
    pub(super) log_key: [u8; 32],
    /// The open event streams.
    pub(super) streams: Arc<OpenStreams>,
    /// Seals secrets in recorded responses.
    pub(super) sealer: Sealer,
    /// Queues requests about the same subject.
    pub(super) queues: Queues,
    metrics: Arc<Metrics>,
    /// Requests for unknown paths and methods.
    no_route: Arc<RouteMetrics>,
}

impl Shared {
    pub(super) fn new(
        service: &Service,
        state: Arc<dyn State>,
        host: Host,
        metrics: Arc<Metrics>,
    ) -> Self {
        let mut log_key = [0; 32];
        host.randomness.fill(&mut log_key);
        let no_route = metrics.route("", NO_ROUTE);
        let (name, problem_form) = (service.name, service.problem_form);
        Self {
            service: service.service_name(),
            problem_form,
            state,
            log_key,
            streams: Arc::default(),
            sealer: Sealer::new(&host.secrets_key, name),
            queues: Queues::default(),
            host,
            metrics,
            no_route,
        }
    }
}

/// The route in the log of a request without one. Its path is not logged, because it can contain
/// anything.
const NO_ROUTE: &str = "(none)";

/// The method in the log if it is unknown or not one of HTTP's.
const OTHER_METHOD: &str = "(other)";

/// One path of a service.
pub(super) struct Endpoint {
    routes: Vec<(Route, Arc<RouteMetrics>)>,
    methods: HeaderValue,
    /// The methods that browsers may use.
    browser_methods: HeaderValue,
    pub(super) shared: Arc<Shared>,
}

/// The state of a request while it is processed.
pub(super) struct Passage {
    pub(super) now: Timestamp,
    pub(super) request_id: String,
    /// The hash of the caller.
    pub(super) principal: Option<String>,
    /// The frame of a page for this request.
    pub(super) frame: Frame,
}

impl Endpoint {
    pub(super) fn new(routes: Vec<Route>, shared: Arc<Shared>) -> Self {
        let methods = methods_of(routes.iter());
        let browser_methods = methods_of(routes.iter().filter(|route| route.is_for_browsers));
        let counted = |route: Route| {
            let counts = shared.metrics.route(route.method.as_str(), route.path);
            (route, counts)
        };
        Self { routes: routes.into_iter().map(counted).collect(), methods, browser_methods, shared }
    }

    /// Responds to a request.
    pub(super) async fn answer(&self, request: Request) -> Response {
        let started = Instant::now();
        let shared = &*self.shared;
        let (mut head, mut body) = request.into_parts();
        let now = shared.state.now();
        let request_id = head::request_id(&head.headers)
            .map_or_else(|| shared.host.ids.next(now), str::to_owned);
        let frame =
            Frame { has_sign_in: shared.host.sign_in.is_some(), ..Frame::new(shared.service) };
        let mut passage = Passage { now, request_id, principal: None, frame };
        let mut refused = head.extensions.remove::<Problem>();
        let is_refused = refused.is_some();
        let mut form = None;
        if !is_refused {
            let file_bytes_max = self.body_bytes_max();
            match form::take(&mut head, &mut body, file_bytes_max).await {
                Ok(sent) => form = sent,
                Err(problem) => refused = Some(problem),
            }
        }
        let found = if is_refused { None } else { self.route(&head.method) };
        if let (Some(form), Some((route, _))) = (&form, found) {
            body = form.body(route, &shared.host.zone, &mut head);
        }
        let is_for_browsers = self.is_for_browsers(&head);

        let result = match (refused, found) {
            (Some(problem), _) => Err(problem),
            _ if !is_for_browsers && cors::is_from_browser(&head.headers) => {
                let message = "This is for programs; browsers may not use it.";
                Err(Problem::forbidden("NOT_FROM_BROWSERS", message))
            }
            (None, Some((route, _)))
                if is_from_elsewhere(route, &head, form.as_ref(), &shared.host.cors) =>
            {
                let message = "This form must be sent from a page of this service.";
                Err(Problem::forbidden("FOREIGN_ORIGIN", message))
            }
            (None, Some((route, counts))) => {
                self.caught((route, &counts.commits), &mut head, body, &mut passage).await
            }
            (None, None) => self.without_route(&head),
        };
        let mut logged = (None, None);
        let mut response = match result {
            Ok(reply) => {
                let reply = match (&form, found) {
                    (Some(form), Some((route, _))) => form.reply(shared.service, route, reply),
                    (None, Some((route, _))) if route.is_enveloped => reply.enveloped(),
                    _ => reply,
                };
                respond::reply(reply, &head.method, &head.headers)
            }
            Err(problem) => {
                let written = (shared.problem_form)(&problem, &passage.request_id);
                // The service may use a different code for the problem.
                let code = code_of(&written).unwrap_or(problem.code);
                // It may also have a text for people, in addition to the one for programs.
                let message = display_of(&written).unwrap_or(&problem.message);
                let request_id = passage.request_id.as_str();
                let reported = Reported { problem: &problem, code, message, request_id };
                let frame = passage.frame.clone();
                let page = found.and_then(|(route, _)| {
                    form::problem_page(
                        frame,
                        &head,
                        route,
                        form.as_ref(),
                        &shared.host.zone,
                        reported,
                    )
                });
                let mut response = match page {
                    Some(page) => {
                        let mut page = respond::reply(page, &head.method, &head.headers);
                        respond::add_retry_after(&mut page, &problem);
                        page
                    }
                    None => respond::problem(&problem, &written),
                };
                if problem.kind == ProblemKind::Method {
                    response.headers_mut().insert(ALLOW, self.methods.clone());
                }
                logged = (Some(problem.code), problem.internal.as_deref().map(redacted));
                response
            }
        };
        if is_for_browsers {
            shared.host.cors.show(&head.headers, response.headers_mut());
        }
        head::add_request_id(response.headers_mut(), &passage.request_id);

        let latency = started.elapsed();
        let status = response.status().as_u16();
        found.map_or(&shared.no_route, |(_, counts)| counts).count(status, latency);
        LogLine {
            time: now,
            service: shared.service.name,
            request_id: &passage.request_id,
            principal: passage.principal.as_deref(),
            method: if is_refused { OTHER_METHOD } else { logged_method(&head.method) },
            route: found.map_or(NO_ROUTE, |(route, _)| route.path),
            status,
            code: logged.0,
            latency_us: u64::try_from(latency.as_micros()).unwrap_or(u64::MAX),
            error: logged.1,
        }
        .write_to(&*shared.host.log);
        response
    }

    /// Returns the route of a method.
    fn route(&self, method: &Method) -> Option<&(Route, Arc<RouteMetrics>)> {
        let method = if *method == Method::HEAD { &Method::GET } else { method };
        self.routes.iter().find(|(route, _)| route.method == *method)
    }

    /// Returns the size of the largest body that a route of the path accepts.
    fn body_bytes_max(&self) -> usize {
        self.routes.iter().map(|(route, _)| route.body_bytes_max).max().unwrap_or(0)
    }

    /// Returns whether browsers may use the requested route, or the one of a preflight request.
    /// Without a route they may if there is one for browsers at the same path.
    fn is_for_browsers(&self, head: &Parts) -> bool {
        let asked = cors::preflight_method(head);
        match self.route(asked.as_ref().unwrap_or(&head.method)) {
            Some((route, _)) => route.is_for_browsers,
            None => self.routes.is_empty() || !self.browser_methods.is_empty(),
        }
    }

    /// Returns the response if there is no route: a preflight response to browsers, and 404 or 405
    /// to others.
    fn without_route(&self, head: &Parts) -> Result<Reply, Problem> {
        if self.routes.is_empty() {
            return Err(Problem::not_found("NOT_FOUND", "There is nothing at this path."));
        }
        if cors::preflight_method(head).is_some() {
            let Some(headers) = self.shared.host.cors.preflight(head, &self.browser_methods) else {
                let message = "Origin not allowed.";
                return Err(Problem::forbidden("ORIGIN_NOT_ALLOWED", message));
            };
            let reply = Reply::new(204, ReplyBody::Empty);
            return Ok(headers
                .into_iter()
                .fold(reply, |reply, (name, value)| reply.header(name, value)));
        }
        let methods = self.methods.to_str().unwrap_or_default();
        let message = format!("Method not allowed. Use {methods}.");
        Err(Problem::new(ProblemKind::Method, "METHOD_NOT_ALLOWED", message))
    }

    /// Runs the steps of a request. A panic becomes an internal error of this request alone.
    async fn caught(
        &self,
        route: (&Route, &CommitCounts),
        head: &mut Parts,
        body: Body,
        passage: &mut Passage,
    ) -> Result<Reply, Problem> {
        let mut steps: Pin<Box<_>> = Box::pin(self.pass(route, head, body, passage));
        std::future::poll_fn(|context| {
            let poll = || steps.as_mut().poll(context);
            std::panic::catch_unwind(AssertUnwindSafe(poll)).unwrap_or_else(|_| {
                let problem = Problem::internal("the route panicked; see standard error");
                std::task::Poll::Ready(Err(problem))
            })
        })
        .await
    }
}

/// Returns whether a form, or a request of a page, comes from a page of another site. A form that
/// is not sent by a page may come from the origins that may use the API.
fn is_from_elsewhere(route: &Route, head: &Parts, form: Option<&SentForm>, cors: &Cors) -> bool {
    let can_change = !matches!(head.method, Method::GET | Method::HEAD);
    let must_be_ours =
        (form.is_some() || route.is_page() && can_change) && !route.takes_foreign_forms;
    let is_allowed = !route.is_page()
        && form.is_some_and(|form| form.is_of_program)
        && cors.allowed(&head.headers).is_some();
    must_be_ours && !is_allowed && !cors::is_same_origin(&head.headers)
}

/// Returns the methods of routes, for a header.
fn methods_of<'a>(routes: impl Iterator<Item = &'a Route>) -> HeaderValue {
    let mut methods: Vec<&str> = routes.map(|route| route.method.as_str()).collect();
    if methods.contains(&Method::GET.as_str()) {
        methods.push(Method::HEAD.as_str());
    }
    HeaderValue::try_from(methods.join(", ")).unwrap_or(HeaderValue::from_static(""))
}

/// Returns the method, if it is one of HTTP's: a client may send any word.
fn logged_method(method: &Method) -> &str {
    match *method {
        Method::GET
        | Method::HEAD
        | Method::POST
        | Method::PUT
        | Method::PATCH
        | Method::DELETE
        | Method::OPTIONS => method.as_str(),
        _ => OTHER_METHOD,
    }
}
