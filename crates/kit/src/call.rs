//! A request that has passed every step before the route's own function.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::str::FromStr;
use std::sync::Arc;

use bytes::Bytes;
use monotable::model::time::Timestamp;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::metrics::CommitCounts;
use crate::problem::{Problem, ProblemKind};
use crate::queue::Queues;
use crate::records::RequestRecord;
use crate::route::ServiceName;
use crate::schema::check_id;
use crate::sign_in::ActiveSession;
use crate::zone::Zone;

/// Somebody who is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Principal {
    /// The subject, as the issuer of the token names it.
    pub id: String,
    /// The e-mail address, if the token contains it.
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
pub struct Request {
    /// The service that it is for.
    pub service: ServiceName,
    /// The id of the request, which is in its answer and in the log.
    pub request_id: String,
    /// Who it is from; there is somebody for every route that is not public.
    pub principal: Option<Principal>,
    /// The address of the client, if the server reports it: that of the peer, or what trusted proxies
    /// report. Of IPv6 it is the /64 network.
    pub client: Option<IpAddr>,
    /// The values of the path's `{names}`.
    pub path: BTreeMap<String, String>,
    /// The query parameters, as the route's schema has read them.
    pub query: Map<String, Value>,
    /// The body, as the route's schema has allowed it.
    pub body: Map<String, Value>,
    /// The body as it was sent, for routes that keep JSON exactly as it is written.
    pub body_text: Bytes,
    /// The headers that the route reads.
    pub headers: BTreeMap<&'static str, String>,
    /// The version that `If-Match` asks for.
    pub if_match: Option<u64>,
    /// Whether `If-Match: *` or `If-None-Match: *` says if there must be something already.
    pub must_exist: Option<bool>,
    /// `Accept-Version`.
    pub accept_version: Option<u32>,
    /// The last event that a browser has seen before it connected again: `Last-Event-ID`, if that is
    /// a number.
    pub last_event_id: Option<u64>,
    /// The record of the request, if it has an `Idempotency-Key`.
    pub record: Option<RequestRecord>,
    /// Where commits that fail are counted.
    pub counts: CommitCounts,
    /// The queues of the service.
    pub queues: Queues,
    /// The person in front of the page.
    pub viewer: Viewer,
}

/// A person in a browser.
#[derive(Clone, Debug, Default)]
pub struct Viewer {
    /// The session that the person is in.
    pub(crate) session: Option<ActiveSession>,
    /// Whether people can sign in.
    pub(crate) has_sign_in: bool,
    /// Where people reach the services, such as `https://example.org`.
    pub(crate) origin: Arc<str>,
    /// The time zone of pages.
    pub zone: Zone,
}

impl Viewer {
    /// Returns what requests of the session send in `X-CSRF-Token`, and when the session ends.
    pub fn session(&self) -> Option<(&str, Timestamp)> {
        self.session.as_ref().map(|session| (session.csrf.as_str(), session.ends_at))
    }
}

impl Request {
    /// Who the request is from.
    ///
    /// # Errors
    /// 401 if nobody is known.
    pub fn principal(&self) -> Result<&Principal, Problem> {
        self.principal.as_ref().ok_or_else(|| Problem::unauthenticated("Sign in first."))
    }

    /// Returns a header that the route reads; `None` if it is absent or no text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(String::as_str)
    }

    /// Returns the id of the caller.
    ///
    /// # Errors
    /// 401 if nobody is known, 400 if the issuer's name of the caller can't be part of a key.
    pub fn user<I>(&self) -> Result<I, Problem>
    where
        I: FromStr,
        I::Err: std::fmt::Display,
    {
        let id = &self.principal()?.id;
        id.parse().map_err(|error: I::Err| Problem::field("sub", error.to_string()))
    }

    /// Returns the address of a path of the service, for people who are not on the page: in e-mails and QR codes.
    pub fn url(&self, path: &str) -> String {
        format!("{}/{}{path}", self.viewer.origin, self.service.name)
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
        check_id(text).map_err(|message| Problem::field(name, message))?;
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
                "The resource has changed. Fetch it again and retry.",
            )
            .with("version", stored)),
            _ => Ok(()),
        }
    }

    /// Holds what the request asks for against nothing: there is no such thing yet.
    ///
    /// # Errors
    /// 412 if it asks for something, whatever its version.
    pub fn check_absent(&self) -> Result<(), Problem> {
        match self.must_exist {
            Some(true) => Err(Problem::new(
                ProblemKind::Precondition,
                "PRECONDITION_FAILED",
                "There is nothing yet. Retry without If-Match to create it.",
            )),
            Some(false) | None => self.check_version(0),
        }
    }
}

fn typed<B: DeserializeOwned>(what: &str, object: Map<String, Value>) -> Result<B, Problem> {
    serde_json::from_value(Value::Object(object))
        .map_err(|error| Problem::field(what, error.to_string()))
}
