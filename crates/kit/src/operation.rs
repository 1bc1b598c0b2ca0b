//! Operations: functions over typed requests and responses, from which routes are created.

use std::future::Future;
use std::ops::Deref;
use std::pin::Pin;
use std::sync::Arc;

use http::Method;

use crate::body::{Body, Path};
use crate::box_future::BoxFuture;
use crate::call::Request;
use crate::call_limit::{CallCounters, CallLimit, LimitsCalls, limited};
use crate::handler::Handler;
use crate::problem::Problem;
use crate::repeat::repeat;
use crate::reply::Reply;
use crate::route::Route;
use crate::state::State;
use crate::view::{Answer, Response, Typed};

/// Returns the routes of operations, by their modules: `operations![statistics, seasons::{create,
/// list}]`.
#[macro_export]
macro_rules! operations {
    ($($($module:ident)::+ $(::{ $($operation:ident),+ $(,)? })?),* $(,)?) => {{
        let mut routes = ::std::vec::Vec::new();
        $($crate::operations!(@add routes, [$($module)::+] $($($operation)+)?);)*
        routes
    }};
    (@add $routes:ident, [$($module:ident)::+]) => {
        $routes.push($($module)::+::route());
    };
    (@add $routes:ident, $modules:tt $($operation:ident)+) => {
        $($crate::operations!(@push $routes, $modules $operation);)+
    };
    (@push $routes:ident, [$($module:ident)::+] $operation:ident) => {
        $routes.push($($module)::+::$operation::route());
    };
}

/// A request in the types of its operation: the path, the body and the query.
#[derive(Debug)]
pub struct Call<P = (), B = (), Q = ()> {
    request: Request,
    /// The values of the path.
    pub path: P,
    /// The body.
    pub body: B,
    /// The query parameters.
    pub query: Q,
}

impl<P: Path, B: Body, Q: Body> Call<P, B, Q> {
    /// Parses a request whose fields the schemas have accepted.
    ///
    /// # Errors
    /// Returns 400 if a value is not valid for its type.
    pub fn of(mut request: Request) -> Result<Self, Problem> {
        let body = B::read(std::mem::take(&mut request.body))?;
        let query = Q::read(request.query.clone())?;
        Ok(Self { path: P::read(&request.path)?, body, query, request })
    }
}

impl<P, B, Q> Deref for Call<P, B, Q> {
    type Target = Request;

    fn deref(&self) -> &Request {
        &self.request
    }
}

/// The future of an operation.
pub type Answering<'a, A> = Pin<Box<dyn Future<Output = A> + Send + 'a>>;

type Run<S, P, B, Q, R> = for<'a> fn(&'a S, &'a Call<P, B, Q>) -> Answering<'a, Answer<R>>;

/// Returns the subject of a request.
type Subject<P, B, Q> = fn(&Call<P, B, Q>) -> String;

/// A function with the settings of its route. Created by `#[operation]`.
pub struct Operation<S, P, B, Q, R> {
    method: Method,
    path: &'static str,
    name: &'static str,
    summary: &'static str,
    run: Run<S, P, B, Q, R>,
    subject: Option<Subject<P, B, Q>>,
    limit: Option<Limit<S, P, B, Q>>,
    repeats: bool,
}

/// How often a subject may call the operation.
struct Limit<S, P, B, Q> {
    limit: CallLimit,
    subject: LimitedSubject<P, B, Q>,
    counters: fn(&S) -> &dyn CallCounters,
}

/// Returns the subject whose calls are limited.
type LimitedSubject<P, B, Q> = fn(&Call<P, B, Q>) -> Result<String, Problem>;

impl<S: State, P: Path, B: Body, Q: Body, R: Response> Operation<S, P, B, Q, R> {
    /// Creates an operation with this name.
    pub fn new(
        method: Method,
        path: &'static str,
        name: &'static str,
        summary: &'static str,
        run: Run<S, P, B, Q, R>,
    ) -> Self {
        Self { method, path, name, summary, run, subject: None, limit: None, repeats: true }
    }

    /// Queues requests about the same subject.
    #[must_use]
    pub fn queued(mut self, subject: Subject<P, B, Q>) -> Self {
        self.subject = Some(subject);
        self
    }

    /// Limits the calls of a subject.
    #[must_use]
    pub fn limited(mut self, limit: CallLimit, subject: LimitedSubject<P, B, Q>) -> Self
    where
        S: LimitsCalls,
    {
        self.limit = Some(Limit { limit, subject, counters: S::call_counters });
        self
    }

    /// Reports a version conflict instead of running the function again: for callers that rely on
    /// what they saw.
    #[must_use]
    pub fn no_repeat(mut self) -> Self {
        self.repeats = false;
        self
    }

    /// Returns the route. After a version conflict the function runs again, in its turn of the
    /// queue, unless [`no_repeat`](Self::no_repeat) was called.
    pub fn route(self) -> Route {
        let (run, subject, repeats) = (self.run, self.subject, self.repeats);
        let limit = Arc::new(self.limit);
        let handler = Handler::new(move |state: Arc<S>, request: Request| {
            let limit = Arc::clone(&limit);
            async move {
                let call = Call::<P, B, Q>::of(request)?;
                let subject = subject.map(|subject| subject(&call));
                let attempt = || -> BoxFuture<'_, Reply> {
                    Box::pin(async { run(&state, &call).await.map(Typed::into_reply) })
                };
                let run = if repeats { repeat(attempt) } else { attempt() };
                let run: BoxFuture<'_, Reply> = Box::pin(in_turn(&call.request, subject, run));
                match &*limit {
                    Some(Limit { limit, subject, counters }) => {
                        let subject = subject(&call)?;
                        limited(counters(&state), *limit, &subject, run).await
                    }
                    None => run.await,
                }
            }
        });
        let mut route = Route::with(self.method, self.path, self.name, handler);
        route.summary = self.summary;
        route.query = Q::schema().unwrap_or_default();
        route.body = B::schema();
        route.body_optional = B::IS_OPTIONAL;
        route.answers.push(R::describe());
        route.answers.extend(R::describe_others());
        route.media_types = R::MEDIA_TYPES;
        route.is_page = R::IS_PAGE;
        route
    }
}

/// Runs a future when it is its turn.
async fn in_turn(
    request: &Request,
    subject: Option<String>,
    run: BoxFuture<'_, Reply>,
) -> Result<Reply, Problem> {
    let _turn = match &subject {
        Some(subject) => Some(request.queues.turn(subject).await),
        None => None,
    };
    run.await
}
