//! A service as a list of routes: what is asked, who may ask, what is answered.

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
    /// Its name and the first part of its paths, such as `hacktracker`.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// What it does, for the document.
    pub description: &'static str,
    /// How it writes a problem; the text is the request's id.
    pub problem_form: fn(&Problem, &str) -> Value,
    /// The tokens that it accepts, for the document.
    pub tokens: Vec<TokenScheme>,
    /// What it answers.
    pub routes: Vec<Route>,
    /// What the names of its cookies begin with, if other programs know them.
    pub cookie_prefix: Option<&'static str>,
    /// The path of the page on which people start, if it has one.
    pub home: Option<&'static str>,
}

/// What a service is called.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ServiceName {
    /// The first part of its paths.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// What it is for, in a sentence.
    pub about: &'static str,
    /// What the names of its cookies begin with, if other programs know them.
    pub cookie_prefix: Option<&'static str>,
    /// The path of the page on which people start, if it has one.
    pub home: Option<&'static str>,
}

impl ServiceName {
    /// Returns the path of the page on which people start: its documentation, if it has no other.
    pub(crate) fn home(self) -> String {
        format!("/{}{}", self.name, self.home.unwrap_or("/docs"))
    }

    /// Returns the name of one of its cookies. Services share an origin, so that each has names of its own.
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
    /// What such a token looks like.
    pub format: &'static str,
    /// Whose it is, and where it comes from.
    pub about: &'static str,
}

/// Tokens of users, which every service accepts.
const USERS: TokenScheme = TokenScheme {
    name: "bearer",
    format: "JWT",
    about: "The token of a user. `monotable token USER` signs one, unless the server accepts another issuer only.",
};

/// A way in which a service refuses: a variant of its own enum. Declared with `#[derive(Refusal)]`.
pub trait Refuse: Copy {
    /// Returns the problem that clients get.
    fn problem(self) -> Problem;

    /// Refuses unless a condition holds.
    ///
    /// # Errors
    /// The refusal.
    fn unless(self, holds: bool) -> Result<(), Self> {
        if holds { Ok(()) } else { Err(self) }
    }

    /// Returns the problem with a text that says more than the declared one.
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
    /// What it means.
    pub meaning: &'static str,
    /// An example of the body.
    pub example: Option<Value>,
    /// What the body is.
    pub schema: Option<Kind>,
}

impl Answered {
    /// A response with the fields of a view.
    pub fn of_view(status: u16, schema: Schema) -> Self {
        let (meaning, example) = (schema.about, schema.example());
        Self { status, meaning, example, schema: Some(Kind::Object(schema)) }
    }
}

/// Who may use a route at all. What they may do with it is for its function to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Everybody.
    Public,
    /// Whoever is known.
    SignedIn,
}

/// One way to ask a service for something.
#[derive(Clone)]
pub struct Route {
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
    /// What it answers.
    pub answers: Vec<Answered>,
    /// The media types of what it answers.
    pub media_types: &'static [&'static str],
    /// How it refuses, besides what every route may say: status and code.
    pub refusals: Vec<(u16, &'static str)>,
    /// The same with the texts that clients get.
    pub declared: Vec<Problem>,
    /// Whether it takes an `Idempotency-Key`.
    pub takes_idempotency_key: bool,
    /// Whether it is refused without one.
    pub needs_idempotency_key: bool,
    /// Whether it changes nothing, whatever its method says.
    pub changes_nothing: bool,
    /// Whether it takes `If-Match`.
    pub takes_if_match: bool,
    /// Whether it takes `If-None-Match: *`.
    pub takes_if_none_match: bool,
    /// Whether it refuses tokens that are not accepted, although everybody may use it.
    pub refuses_invalid_tokens: bool,
    /// Whether browsers may use it.
    pub is_for_browsers: bool,
    /// The headers that its function reads, in lower case.
    pub headers: &'static [&'static str],
    /// Whether it takes forms of other sites: see [`Route::foreign_forms`].
    pub takes_foreign_forms: bool,
    /// Whether its JSON is sent in an envelope: see [`Service::envelop_responses`].
    pub is_enveloped: bool,
    /// Whether it is exempt from rate limits, for monitoring.
    pub(crate) is_unlimited: bool,
    /// Whether it shows a page of the kit's frame.
    pub(crate) is_page: bool,
    /// What it does.
    pub handler: Handler,
}

/// Bytes of a body unless a route says otherwise.
const BODY_BYTES_MAX: usize = 256 * 1024;

impl Service {
    /// A service without routes.
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

    /// Sets the page on which people start.
    #[must_use]
    pub fn home(mut self, path: &'static str) -> Self {
        self.home = Some(path);
        self
    }

    /// Names its cookies `{prefix}session` and `{prefix}csrf`, because other programs know them by these names.
    #[must_use]
    pub fn cookie_prefix(mut self, prefix: &'static str) -> Self {
        self.cookie_prefix = Some(prefix);
        self
    }

    /// Accepts further tokens; its authenticator knows them.
    #[must_use]
    pub fn tokens(mut self, scheme: TokenScheme) -> Self {
        self.tokens.push(scheme);
        self
    }

    /// Returns what it is called.
    pub fn service_name(&self) -> ServiceName {
        let Self { name, title, description: about, cookie_prefix, home, .. } = *self;
        ServiceName { name, title, about, cookie_prefix, home }
    }

    /// Bytes of a body that some route of it takes.
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

    /// Refuses tokens that are not accepted also on public routes: where a token decides what its bearer
    /// sees, the view of everybody else must not be taken for it.
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
    /// Whether it shows a page: its problems are pages as well, and it is not part of the API.
    pub fn is_page(&self) -> bool {
        self.is_page
    }

    /// A route for those who are signed in.
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

    /// A route whose handler is made already. It is not compiled into each route of a service.
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
        self.answers.push(Answered { status, meaning, example, schema: None });
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

    /// How it refuses, by the refusals of its service.
    #[must_use]
    pub fn refuses_with<R: Refuse>(mut self, refusals: &[R]) -> Self {
        self.declared.extend(refusals.iter().map(|refusal| refusal.problem()));
        self
    }

    /// It takes an `Idempotency-Key`: its function commits by [`Request::commit`], which keeps the answer
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

    /// It changes nothing, although its method is not `GET`. An `Idempotency-Key` is accepted and needs
    /// no record.
    #[must_use]
    pub fn changes_nothing(mut self) -> Self {
        self.changes_nothing = true;
        self
    }

    /// It is for programs: what comes from a browser is refused before anybody is asked who they are,
    /// so that no page can use what the browser holds or where it stands.
    #[must_use]
    pub fn not_from_browsers(mut self) -> Self {
        self.is_for_browsers = false;
        self
    }

    /// Takes forms that pages of other sites send, such as the result of a payment: something in the form itself must
    /// prove where it is from. Fields that are not those of the body are passed over.
    #[must_use]
    pub fn foreign_forms(mut self) -> Self {
        self.takes_foreign_forms = true;
        self
    }

    /// Its function reads these headers, in lower case: see [`Request::header`].
    #[must_use]
    pub fn headers(mut self, headers: &'static [&'static str]) -> Self {
        self.headers = headers;
        self
    }

    /// It takes `If-Match`.
    #[must_use]
    pub fn if_match(mut self) -> Self {
        self.takes_if_match = true;
        self
    }

    /// It takes `If-None-Match: *`, which lets it create something and change nothing.
    #[must_use]
    pub fn if_none_match(mut self) -> Self {
        self.takes_if_none_match = true;
        self
    }
}
