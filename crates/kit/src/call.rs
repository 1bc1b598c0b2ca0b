//! A request that has passed every step before the route's own function.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::str::FromStr;

use monotable::model::rows::{IdempotencyRecord, Once};
use monotable::model::{Error, Receipt, Store, Table, Transact};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::metrics::{CommitCounts, is_condition_failure};
use crate::problem::{Problem, ProblemKind, refusal};
use crate::reply::{Reply, ReplyBody};

/// Somebody who is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Principal {
    /// The subject: whoever issued the token calls them so.
    pub id: String,
    /// Their e-mail address, if the issuer tells.
    pub email: Option<String>,
    /// Whether the issuer has seen that the address is theirs.
    pub email_verified: bool,
    /// What the issuer says that they are, such as `admin`.
    pub roles: Vec<String>,
}

impl Principal {
    /// Whether the issuer says that they are this.
    pub fn has_role(&self, role: &str) -> bool {
        self.roles.iter().any(|held| held == role)
    }
}

/// A request for a route: who it is from, and what it says in the route's own terms.
#[derive(Clone, Debug, Default)]
pub struct Call {
    /// The id of the request, which is in its answer and in the log.
    pub request_id: String,
    /// Who it is from; there is somebody for every route that is not public.
    pub principal: Option<Principal>,
    /// The address that it came from, if whoever received it tells: that of the client, or of the last
    /// one who passed it on.
    pub peer: Option<IpAddr>,
    /// The values of the path's `{names}`.
    pub path: BTreeMap<String, String>,
    /// The query parameters, as the route's schema has read them.
    pub query: Map<String, Value>,
    /// The body, as the route's schema has allowed it.
    pub body: Map<String, Value>,
    /// The version that `If-Match` asks for.
    pub if_match: Option<u64>,
    /// `Accept-Version`.
    pub accept_version: Option<u32>,
    /// The last event that a browser has seen before it connected again: `Last-Event-ID`, if that is
    /// a number.
    pub last_event_id: Option<u64>,
    /// The record of the request, if it has an `Idempotency-Key`.
    pub record: Option<IdempotencyRecord>,
    /// Where commits that fail are counted.
    pub counts: CommitCounts,
}

impl Call {
    /// Who the request is from.
    ///
    /// # Errors
    /// 401 if nobody is known.
    pub fn principal(&self) -> Result<&Principal, Problem> {
        self.principal.as_ref().ok_or_else(|| Problem::unauthenticated("Sign in first."))
    }

    /// A value of the path.
    ///
    /// # Errors
    /// 400 if it can't be one.
    pub fn id<I>(&self, name: &str) -> Result<I, Problem>
    where
        I: FromStr,
        I::Err: std::fmt::Display,
    {
        let text = self.path.get(name).map_or("", String::as_str);
        text.parse().map_err(|error: I::Err| Problem::field(name, error.to_string()))
    }

    /// The body as a type.
    ///
    /// # Errors
    /// 400 if the schema has let something pass that the type does not take.
    pub fn read<B: DeserializeOwned>(&self) -> Result<B, Problem> {
        typed("body", self.body.clone())
    }

    /// The query parameters as a type.
    ///
    /// # Errors
    /// 400 if the schema has let something pass that the type does not take.
    pub fn parameters<Q: DeserializeOwned>(&self) -> Result<Q, Problem> {
        typed("query", self.query.clone())
    }

    /// Holds what `If-Match` asks for against the version that is stored.
    ///
    /// # Errors
    /// 412 if it is another one.
    pub fn check_version(&self, stored: u64) -> Result<(), Problem> {
        match self.if_match {
            Some(wanted) if wanted != stored => Err(Problem::new(
                ProblemKind::Precondition,
                "PRECONDITION_FAILED",
                "It was changed since; read it again.",
            )
            .with("version", stored)),
            _ => Ok(()),
        }
    }

    /// Runs the transaction of a command, with the record of the request if it has one. `reply` makes
    /// the answer of what the operations do, and `known` the problems of those that may fail.
    ///
    /// # Errors
    /// What `known` says, or what the error says by itself.
    pub async fn commit<T: Table>(
        &self,
        db: &Store<T>,
        transaction: Transact<T>,
        reply: impl Fn(&Receipt) -> Reply + Clone + Send + 'static,
        known: impl Fn(usize, &Error) -> Option<Problem>,
    ) -> Result<Reply, Problem> {
        let Some(record) = &self.record else {
            let receipt = transaction.await.map_err(|error| self.refused(error, known))?;
            return Ok(reply(&receipt));
        };
        let recorded = reply.clone();
        let answer = move |receipt: &Receipt| recorded(receipt).recorded();
        match db.once(record, transaction, answer).await {
            Ok(Once::Fresh(receipt)) => Ok(reply(&receipt)),
            Ok(Once::Replay { status, body }) => Ok(Reply::replayed(status, body)),
            Err(error) => Err(self.refused(error, known)),
        }
    }

    /// Counts a commit that failed, and tells why.
    fn refused(&self, error: Error, known: impl Fn(usize, &Error) -> Option<Problem>) -> Problem {
        let is_counted = is_condition_failure(&error);
        let problem = refusal(error, known);
        if is_counted {
            self.counts.failed(problem.is_version_conflict());
        }
        problem
    }
}

fn typed<B: DeserializeOwned>(what: &str, object: Map<String, Value>) -> Result<B, Problem> {
    serde_json::from_value(Value::Object(object))
        .map_err(|error| Problem::field(what, error.to_string()))
}

/// Says that an answer was given before.
const REPLAY: http::HeaderName = http::HeaderName::from_static("idempotent-replay");

impl Reply {
    /// The status and the text that are kept for a repeat of the request.
    pub fn recorded(&self) -> (u16, String) {
        let text = match &self.body {
            ReplyBody::Json(value) => value.to_string(),
            ReplyBody::JsonText(text) => text.clone(),
            ReplyBody::Empty | ReplyBody::Text { .. } | ReplyBody::Events(_) => String::new(),
        };
        (self.status, text)
    }

    /// What was answered before.
    pub fn replayed(status: u16, text: String) -> Self {
        let body = match text.is_empty() {
            true => ReplyBody::Empty,
            false => ReplyBody::JsonText(text),
        };
        Self::new(status, body).header(REPLAY, http::HeaderValue::from_static("true"))
    }

    /// Whether it was answered before, so that nothing has happened now.
    pub fn is_replay(&self) -> bool {
        self.headers.iter().any(|(name, _)| *name == REPLAY)
    }
}
