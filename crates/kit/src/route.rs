//! A service as a list of routes: what is asked, who may ask, what is answered.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use http::Method;
use serde_json::Value;

use crate::call::Call;
use crate::problem::Problem;
use crate::records::{RecordPlace, RecordScope};
use crate::reply::Reply;
use crate::schema::Schema;
use crate::state::State;

/// A service.
pub struct Service<S> {
    /// Its name and the first part of its paths, such as `hacktracker`.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// What it does, for the document.
    pub description: &'static str,
    /// How it writes a problem; the text is the request's id.
    pub problem_form: fn(&Problem, &str) -> Value,
    /// Where it keeps the answers to requests with an `Idempotency-Key`.
    pub record_key: fn(&RecordScope<'_>) -> RecordPlace,
    /// What it answers.
    pub routes: Vec<Route<S>>,
}

/// Who may use a route at all. What they may do with it is for its function to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Everybody.
    Public,
    /// Whoever is known.
    SignedIn,
}

/// What a route does with a request.
pub type Handler<S> = Arc<
    dyn Fn(Arc<S>, Call) -> Pin<Box<dyn Future<Output = Result<Reply, Problem>> + Send>>
        + Send
        + Sync,
>;

/// One way to ask a service for something.
pub struct Route<S> {
    /// The HTTP method.
    pub method: Method,
    /// The path with `{names}`, behind the service's name.
    pub path: &'static str,
    /// Its name in the document and the log, such as `addPlayer`.
    pub operation: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// The chapter of the document it is in.
    pub chapter: &'static str,
    /// Who may use it.
    pub access: Access,
    /// The query parameters.
    pub query: Schema,
    /// The body, if it takes one.
    pub body: Option<Schema>,
    /// Whether it can be asked without one.
    pub body_optional: bool,
    /// Bytes that the body has at most.
    pub body_bytes_max: usize,
    /// What it answers: status, what that means, and an example of the body.
    pub answers: Vec<(u16, &'static str, Option<Value>)>,
    /// The media types of what it answers.
    pub media_types: &'static [&'static str],
    /// How it refuses, besides what every route may say: status and code.
    pub refusals: Vec<(u16, &'static str)>,
    /// Whether it takes an `Idempotency-Key`.
    pub takes_idempotency_key: bool,
    /// Whether it is refused without one.
    pub needs_idempotency_key: bool,
    /// Whether it takes `If-Match`.
    pub takes_if_match: bool,
    /// Whether browsers may use it.
    pub is_for_browsers: bool,
    /// Whether it is answered however many requests there are, for whoever watches the service.
    pub(crate) is_unlimited: bool,
    /// What it does.
    pub handler: Handler<S>,
}

// Derived, they would ask for states that can be cloned.
impl<S> Clone for Service<S> {
    fn clone(&self) -> Self {
        Self { routes: self.routes.clone(), ..*self }
    }
}

impl<S> Clone for Route<S> {
    fn clone(&self) -> Self {
        Self {
            method: self.method.clone(),
            query: self.query.clone(),
            body: self.body.clone(),
            answers: self.answers.clone(),
            refusals: self.refusals.clone(),
            handler: Arc::clone(&self.handler),
            ..*self
        }
    }
}

/// Bytes of a body unless a route says otherwise.
const BODY_BYTES_MAX: usize = 256 * 1024;

impl<S: State> Service<S> {
    /// A service without routes.
    pub fn new(
        name: &'static str,
        title: &'static str,
        description: &'static str,
        problem_form: fn(&Problem, &str) -> Value,
    ) -> Self {
        let record_key = |scope: &RecordScope<'_>| scope.of_principal();
        Self { name, title, description, problem_form, record_key, routes: Vec::new() }
    }

    /// Keeps the answers to requests with an `Idempotency-Key` in rows of its own choice, instead of
    /// one partition for each principal.
    #[must_use]
    pub fn record_key(mut self, record_key: fn(&RecordScope<'_>) -> RecordPlace) -> Self {
        self.record_key = record_key;
        self
    }

    /// Bytes of a body that some route of it takes.
    pub fn body_bytes_max(&self) -> usize {
        self.routes.iter().map(|route| route.body_bytes_max).max().unwrap_or(BODY_BYTES_MAX)
    }

    /// Adds routes.
    #[must_use]
    pub fn routes(mut self, routes: impl IntoIterator<Item = Route<S>>) -> Self {
        self.routes.extend(routes);
        self
    }
}

impl<S: State> Route<S> {
    /// A route for those who are signed in.
    pub fn new<F, R>(
        method: Method,
        path: &'static str,
        operation: &'static str,
        handler: F,
    ) -> Self
    where
        F: Fn(Arc<S>, Call) -> R + Send + Sync + 'static,
        R: Future<Output = Result<Reply, Problem>> + Send + 'static,
    {
        Self {
            method,
            path,
            operation,
            summary: "",
            chapter: "",
            access: Access::SignedIn,
            query: Schema::default(),
            body: None,
            body_optional: false,
            body_bytes_max: BODY_BYTES_MAX,
            answers: Vec::new(),
            media_types: &["application/json"],
            refusals: Vec::new(),
            takes_idempotency_key: false,
            needs_idempotency_key: false,
            takes_if_match: false,
            is_for_browsers: true,
            is_unlimited: false,
            handler: Arc::new(move |state, call| Box::pin(handler(state, call))),
        }
    }

    /// What it does, and the chapter of the document it is in.
    #[must_use]
    pub fn about(mut self, chapter: &'static str, summary: &'static str) -> Self {
        self.chapter = chapter;
        self.summary = summary;
        self
    }

    /// Everybody may use it.
    #[must_use]
    pub fn public(mut self) -> Self {
        self.access = Access::Public;
        self
    }

    /// The query parameters.
    #[must_use]
    pub fn query(mut self, schema: Schema) -> Self {
        self.query = schema;
        self
    }

    /// The body.
    #[must_use]
    pub fn body(mut self, schema: Schema) -> Self {
        self.body = Some(schema);
        self
    }

    /// The body, which may be left out.
    #[must_use]
    pub fn optional_body(mut self, schema: Schema) -> Self {
        self.body_optional = true;
        self.body(schema)
    }

    /// Bytes that the body has at most, instead of 256 KB.
    #[must_use]
    pub fn body_bytes_max(mut self, bytes: usize) -> Self {
        self.body_bytes_max = bytes;
        self
    }

    /// What it answers.
    #[must_use]
    pub fn answers(mut self, status: u16, meaning: &'static str, example: Option<Value>) -> Self {
        self.answers.push((status, meaning, example));
        self
    }

    /// The media types of what it answers, if that is not JSON alone.
    #[must_use]
    pub fn produces(mut self, media_types: &'static [&'static str]) -> Self {
        self.media_types = media_types;
        self
    }

    /// How it refuses, besides what every route may say.
    #[must_use]
    pub fn refuses(mut self, refusals: &[(u16, &'static str)]) -> Self {
        self.refusals.extend_from_slice(refusals);
        self
    }

    /// It takes an `Idempotency-Key`: its function commits by [`Call::commit`], which keeps the answer
    /// together with the effect.
    #[must_use]
    pub fn once(mut self) -> Self {
        self.takes_idempotency_key = true;
        self
    }

    /// It takes an `Idempotency-Key`, and is refused without one.
    #[must_use]
    pub fn once_required(mut self) -> Self {
        self.needs_idempotency_key = true;
        self.once()
    }

    /// It is for programs: what comes from a browser is refused before anybody is asked who they are,
    /// so that no page can use what the browser holds or where it stands.
    #[must_use]
    pub fn not_from_browsers(mut self) -> Self {
        self.is_for_browsers = false;
        self
    }

    /// It takes `If-Match`.
    #[must_use]
    pub fn if_match(mut self) -> Self {
        self.takes_if_match = true;
        self
    }
}
