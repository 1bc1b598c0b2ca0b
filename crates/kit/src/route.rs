//! A service as a list of routes: requests, access and responses.

use std::future::Future;
use std::sync::Arc;

use http::Method;
use serde_json::Value;

use crate::call::Request;
use crate::handler::Handler;
use crate::problem::Problem;
use crate::reply::Reply;
use crate::schema::{Kind, Schema};
use crate::state::State;

/// A service.
#[derive(Clone)]
pub struct Service {
    /// Its name and the first segment of its paths, such as `hacktracker`.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// Its description, for the document.
    pub description: &'static str,
    /// Writes a problem; the text is the request's id.
    pub problem_form: fn(&Problem, &str) -> Value,
    /// The kinds of tokens that it accepts, for the document.
    pub tokens: Vec<TokenScheme>,
    /// Its routes.
    pub routes: Vec<Route>,
    /// The prefix of its cookies' names, if other programs know them.
    pub cookie_prefix: Option<&'static str>,
    /// The path of its home page, if it has one.
    pub home: Option<&'static str>,
}

/// The names of a service.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ServiceName {
    /// The first segment of its paths.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// Its purpose, in a sentence.
    pub about: &'static str,
    /// The prefix of its cookies' names, if other programs know them.
    pub cookie_prefix: Option<&'static str>,
    /// The path of its home page, if it has one.
    pub home: Option<&'static str>,
}

impl ServiceName {
    /// Returns the path of the home page: its documentation, if it has no other.
    pub(crate) fn home(self) -> String {
        format!("/{}{}", self.name, self.home.unwrap_or("/docs"))
    }

    /// Returns the name of one of its cookies. Services share an origin, so each has its own names.
    pub(crate) fn cookie(self, what: &str) -> String {
        match self.cookie_prefix {
            Some(prefix) => format!("{prefix}{what}"),
            None => format!("{}-{what}", self.name),
        }
    }
}

/// A kind of bearer tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokenScheme {
    /// Its name in the document, such as `bearer`.
    pub name: &'static str,
    /// The form of such a token.
    pub format: &'static str,
    /// The holder of such a token, and its source.
    pub about: &'static str,
}

/// Tokens of users, which every service accepts.
const USERS: TokenScheme = TokenScheme {
    name: "bearer",
    format: "JWT",
    about: "The token of a user. `monotable token USER` signs one, unless the server accepts another issuer only.",
};

/// A refusal of a service: a variant of its own enum. Declared with `#[derive(Refusal)]`.
pub trait Refuse: Copy {
    /// Returns the problem that clients get.
    fn problem(self) -> Problem;

    /// Returns the refusal unless a condition holds.
    ///
    /// # Errors
    /// Returns the refusal.
    fn unless(self, holds: bool) -> Result<(), Self> {
        if holds { Ok(()) } else { Err(self) }
    }

    /// Returns the problem with another text than the declared one.
    fn text(self, text: impl Into<String>) -> Problem {
        Problem { message: text.into(), ..self.problem() }
    }

    /// Returns the problem with a detail for programs.
    fn with(self, name: &str, detail: impl Into<Value>) -> Problem {
        self.problem().with(name, detail)
    }
}

/// A response of a route, for the document.
#[derive(Clone, Debug)]
pub struct Answered {
    /// The status.
    pub status: u16,
    /// Its meaning.
    pub meaning: &'static str,
    /// An example of the body.
    pub example: Option<Value>,
    /// The schema of the body.
    pub schema: Option<Kind>,
}

impl Answered {
    /// Creates a response with the fields of a view.
    pub fn of_view(status: u16, schema: Schema) -> Self {
        let (meaning, example) = (schema.about, schema.example());
        Self { status, meaning, example, schema: Some(Kind::Object(schema)) }
    }
}

/// Who may use a route at all. Its function decides about individual actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Everyone.
    Public,
    /// Every authenticated caller.
    SignedIn,
}

/// A route of a service.
#[derive(Clone)]
pub struct Route {
    /// The HTTP method.
    pub method: Method,
    /// The path with `{names}`, relative to the service's name.
    pub path: &'static str,
    /// Its name in the document and the log, such as `addPlayer`.
    pub operation: &'static str,
    /// Its purpose, in one line.
    pub summary: &'static str,
    /// Its chapter in the document.
    pub chapter: &'static str,
    /// Who may use it.
    pub access: Access,
    /// The query parameters.
    pub query: Schema,
    /// The body, if it has one.
    pub body: Option<Schema>,
    /// Whether the body may be left out.
    pub body_optional: bool,
    /// The maximum size of the body in bytes.
    pub body_bytes_max: usize,
    /// Its responses.
    pub answers: Vec<Answered>,
    /// The media types of its responses.
    pub media_types: &'static [&'static str],
    /// Its refusals, besides those of every route: status and code.
    pub refusals: Vec<(u16, &'static str)>,
    /// The same with the texts that clients get.
    pub declared: Vec<Problem>,
    /// Whether it accepts an `Idempotency-Key`.
    pub takes_idempotency_key: bool,
    /// Whether it requires one.
    pub needs_idempotency_key: bool,
    /// Whether it changes nothing, whatever its method is.
    pub changes_nothing: bool,
    /// Whether it accepts `If-Match`.
    pub takes_if_match: bool,
    /// Whether it accepts `If-None-Match: *`.
    pub takes_if_none_match: bool,
    /// Whether it refuses invalid tokens, although it is public.
    pub refuses_invalid_tokens: bool,
    /// Whether browsers may use it.
    pub is_for_browsers: bool,
    /// The headers that its function reads, in lower case.
    pub headers: &'static [&'static str],
    /// Whether it accepts forms of other sites: see [`Route::foreign_forms`].
    pub takes_foreign_forms: bool,
    /// Whether its JSON is sent in an envelope: see [`Service::envelop_responses`].
    pub is_enveloped: bool,
    /// Whether it is exempt from rate limits, for monitoring.
    pub(crate) is_unlimited: bool,
    /// Whether it shows a page in the kit's frame.
    pub(crate) is_page: bool,
    /// Its function.
    pub handler: Handler,
}

/// The maximum size of a body in bytes, unless a route sets another one.
const BODY_BYTES_MAX: usize = 256 * 1024;

impl Service {
    /// Creates a service without routes.
    pub fn new(
        name: &'static str,
        title: &'static str,
        description: &'static str,
        problem_form: fn(&Problem, &str) -> Value,
    ) -> Self {
        Self {
            name,
            title,
            description,
            problem_form,
            tokens: vec![USERS],
            routes: Vec::new(),
            cookie_prefix: None,
            home: None,
        }
    }

    /// Sets the home page.
    #[must_use]
    pub fn home(mut self, path: &'static str) -> Self {
        self.home = Some(path);
        self
    }

    /// Names its cookies `{prefix}session` and `{prefix}csrf`, because other programs know them by
    /// these names.
    #[must_use]
    pub fn cookie_prefix(mut self, prefix: &'static str) -> Self {
        self.cookie_prefix = Some(prefix);
        self
    }

    /// Adds a kind of accepted tokens; the service's authenticator checks them.
    #[must_use]
    pub fn tokens(mut self, scheme: TokenScheme) -> Self {
        self.tokens.push(scheme);
        self
    }

    /// Returns the names of the service.
    pub fn service_name(&self) -> ServiceName {
        let Self { name, title, description: about, cookie_prefix, home, .. } = *self;
        ServiceName { name, title, about, cookie_prefix, home }
    }

    /// Returns the maximum size of a body of its routes.
    pub fn body_bytes_max(&self) -> usize {
        self.routes.iter().map(|route| route.body_bytes_max).max().unwrap_or(BODY_BYTES_MAX)
    }

    /// Adds the operations of a chapter: `chapter("Seasons", operations![seasons::create, …])`.
    #[must_use]
    pub fn chapter(self, chapter: &'static str, routes: impl IntoIterator<Item = Route>) -> Self {
        self.routes(routes.into_iter().map(|route| Route { chapter, ..route }))
    }

    /// Adds routes.
    #[must_use]
    pub fn routes(mut self, routes: impl IntoIterator<Item = Route>) -> Self {
        self.routes.extend(routes);
        self
    }

    /// Refuses invalid tokens on public routes, too: where a token decides what its bearer sees,
    /// the bearer must not get the anonymous view instead.
    #[must_use]
    pub fn refuse_invalid_tokens(mut self) -> Self {
        for route in &mut self.routes {
            route.refuses_invalid_tokens = true;
        }
        self
    }

    /// Sends JSON as `{"success": true, "data": …}`, for clients that expect it.
    #[must_use]
    pub fn envelop_responses(mut self) -> Self {
        for route in &mut self.routes {
            route.is_enveloped = true;
        }
        self
    }
}

impl Route {
    /// Returns whether it shows a page: its problems are pages as well, and it is not part of the
    /// API.
    pub fn is_page(&self) -> bool {
        self.is_page
    }

    /// Creates a route for authenticated callers.
    pub fn new<S, F, R>(
        method: Method,
        path: &'static str,
        operation: &'static str,
        handler: F,
    ) -> Self
    where
        S: State,
        F: Fn(Arc<S>, Request) -> R + Send + Sync + 'static,
        R: Future<Output = Result<Reply, Problem>> + Send + 'static,
    {
        Self::with(method, path, operation, Handler::new(handler))
    }

    /// Creates a route from a handler. This is not compiled into each route of a service.
    #[inline(never)]
    pub(crate) fn with(
        method: Method,
        path: &'static str,
        operation: &'static str,
        handler: Handler,
    ) -> Self {
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
            declared: Vec::new(),
            takes_idempotency_key: false,
            needs_idempotency_key: false,
            changes_nothing: false,
            takes_if_match: false,
            takes_if_none_match: false,
            refuses_invalid_tokens: false,
            is_for_browsers: true,
            headers: &[],
            takes_foreign_forms: false,
            is_enveloped: false,
            is_unlimited: false,
            is_page: false,
            handler,
        }
    }

    /// Sets its chapter in the document and its summary.
    #[must_use]
    pub fn about(mut self, chapter: &'static str, summary: &'static str) -> Self {
        self.chapter = chapter;
        self.summary = summary;
        self
    }

    /// Makes it public.
    #[must_use]
    pub fn public(mut self) -> Self {
        self.access = Access::Public;
        self
    }

    /// Sets the query parameters.
    #[must_use]
    pub fn query(mut self, schema: Schema) -> Self {
        self.query = schema;
        self
    }

    /// Sets the body.
    #[must_use]
    pub fn body(mut self, schema: Schema) -> Self {
        self.body = Some(schema);
        self
    }

    /// Sets a body that may be left out.
    #[must_use]
    pub fn optional_body(mut self, schema: Schema) -> Self {
        self.body_optional = true;
        self.body(schema)
    }

    /// Sets the maximum size of the body in bytes, instead of 256 KB.
    #[must_use]
    pub fn body_bytes_max(mut self, bytes: usize) -> Self {
        self.body_bytes_max = bytes;
        self
    }

    /// Adds a response.
    #[must_use]
    pub fn answers(mut self, status: u16, meaning: &'static str, example: Option<Value>) -> Self {
        self.answers.push(Answered { status, meaning, example, schema: None });
        self
    }

    /// Sets the media types of its responses, if they are not only JSON.
    #[must_use]
    pub fn produces(mut self, media_types: &'static [&'static str]) -> Self {
        self.media_types = media_types;
        self
    }

    /// Adds refusals, besides those of every route.
    #[must_use]
    pub fn refuses(mut self, refusals: &[(u16, &'static str)]) -> Self {
        self.refusals.extend_from_slice(refusals);
        self
    }

    /// Adds refusals of its service.
    #[must_use]
    pub fn refuses_with<R: Refuse>(mut self, refusals: &[R]) -> Self {
        self.declared.extend(refusals.iter().map(|refusal| refusal.problem()));
        self
    }

    /// Accepts an `Idempotency-Key`: the function commits with [`Request::commit`], which records
    /// the response together with the effect.
    #[must_use]
    pub fn once(mut self) -> Self {
        self.takes_idempotency_key = true;
        self
    }

    /// Requires an `Idempotency-Key`.
    #[must_use]
    pub fn once_required(mut self) -> Self {
        self.needs_idempotency_key = true;
        self.once()
    }

    /// Declares that it changes nothing, although its method is not `GET`. An `Idempotency-Key` is
    /// accepted and needs no record.
    #[must_use]
    pub fn changes_nothing(mut self) -> Self {
        self.changes_nothing = true;
        self
    }

    /// Refuses requests from browsers, before authentication, so that no page can use a browser's
    /// credentials or its network.
    #[must_use]
    pub fn not_from_browsers(mut self) -> Self {
        self.is_for_browsers = false;
        self
    }

    /// Accepts forms that pages of other sites send, such as the result of a payment: the form
    /// itself must prove its origin. Fields that are not those of the body are ignored.
    #[must_use]
    pub fn foreign_forms(mut self) -> Self {
        self.takes_foreign_forms = true;
        self
    }

    /// Lists the headers that its function reads, in lower case: see [`Request::header`].
    #[must_use]
    pub fn headers(mut self, headers: &'static [&'static str]) -> Self {
        self.headers = headers;
        self
    }

    /// Accepts `If-Match`.
    #[must_use]
    pub fn if_match(mut self) -> Self {
        self.takes_if_match = true;
        self
    }

    /// Accepts `If-None-Match: *`, with which it may only create something.
    #[must_use]
    pub fn if_none_match(mut self) -> Self {
        self.takes_if_none_match = true;
        self
    }
}
