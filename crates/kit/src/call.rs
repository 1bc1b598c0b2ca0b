//! A request that has passed every step before the route's function.

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

/// A known caller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Principal {
    /// The subject of the token.
    pub id: String,
    /// The e-mail address, if the token contains one.
    pub email: Option<String>,
    /// Whether the issuer has verified the address.
    pub email_verified: bool,
    /// The roles in the token, such as `admin`.
    pub roles: Vec<String>,
}

impl Principal {
    /// Returns whether the token has a role.
    pub fn has_role(&self, role: &str) -> bool {
        self.roles.iter().any(|held| held == role)
    }
}

/// A request for a route: its caller, and its values in the route's own types.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The service of the route.
    pub service: ServiceName,
    /// The id of the request, which is in its response and in the log.
    pub request_id: String,
    /// The caller; always present for routes that are not public.
    pub principal: Option<Principal>,
    /// The address of the client, if the server reports it: that of the peer, or the one that
    /// trusted proxies report. Of an IPv6 address it is the /64 network.
    pub client: Option<IpAddr>,
    /// The values of the `{names}` in the path.
    pub path: BTreeMap<String, String>,
    /// The query parameters, parsed by the route's schema.
    pub query: Map<String, Value>,
    /// The body, accepted by the route's schema.
    pub body: Map<String, Value>,
    /// The body as it was sent, for routes that keep JSON exactly as it is written.
    pub body_text: Bytes,
    /// The headers that the route reads.
    pub headers: BTreeMap<&'static str, String>,
    /// The version in `If-Match`.
    pub if_match: Option<u64>,
    /// Whether the row must exist (`If-Match: *`) or must not exist (`If-None-Match: *`).
    pub must_exist: Option<bool>,
    /// `Accept-Version`.
    pub accept_version: Option<u32>,
    /// The last event that a browser received before it reconnected: `Last-Event-ID`, if it is a
    /// number.
    pub last_event_id: Option<u64>,
    /// The record of the request, if it has an `Idempotency-Key`.
    pub record: Option<RequestRecord>,
    /// The counters of failed commits.
    pub counts: CommitCounts,
    /// The queues of the service.
    pub queues: Queues,
    /// The person who is viewing the page.
    pub viewer: Viewer,
}

/// A person who is using a browser.
#[derive(Clone, Debug, Default)]
pub struct Viewer {
    /// The session of the person.
    pub(crate) session: Option<ActiveSession>,
    /// Whether people can sign in.
    pub(crate) has_sign_in: bool,
    /// The public address of the services, such as `https://example.org`.
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
    /// Returns the caller.
    ///
    /// # Errors
    /// Returns 401 if the caller is unknown.
    pub fn principal(&self) -> Result<&Principal, Problem> {
        self.principal.as_ref().ok_or_else(|| Problem::unauthenticated("Sign in first."))
    }

    /// Returns a header that the route reads; `None` if it is absent or not text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(String::as_str)
    }

    /// Returns the id of the caller.
    ///
    /// # Errors
    /// Returns 401 if the caller is unknown, 400 if the subject of the token can't be part of a
    /// key.
    pub fn user<I>(&self) -> Result<I, Problem>
    where
        I: FromStr,
        I::Err: std::fmt::Display,
    {
        let id = &self.principal()?.id;
        id.parse().map_err(|error: I::Err| Problem::field("sub", error.to_string()))
    }

    /// Returns the absolute URL of a path of the service: for e-mails and QR codes.
    pub fn url(&self, path: &str) -> String {
        format!("{}/{}{path}", self.viewer.origin, self.service.name)
    }

    /// Returns a value of the path.
    ///
    /// # Errors
    /// Returns 400 if the value is not valid for its type.
    pub fn id<I>(&self, name: &str) -> Result<I, Problem>
    where
        I: FromStr,
        I::Err: std::fmt::Display,
    {
        let text = self.path.get(name).map_or("", String::as_str);
        check_id(text).map_err(|message| Problem::field(name, message))?;
        text.parse().map_err(|error: I::Err| Problem::field(name, error.to_string()))
    }

    /// Parses the body as a type.
    ///
    /// # Errors
    /// Returns 400 if the type does not accept a value that the schema accepts.
    pub fn read<B: DeserializeOwned>(&self) -> Result<B, Problem> {
        typed("body", self.body.clone())
    }

    /// Parses the query parameters as a type.
    ///
    /// # Errors
    /// Returns 400 if the type does not accept a value that the schema accepts.
    pub fn parameters<Q: DeserializeOwned>(&self) -> Result<Q, Problem> {
        typed("query", self.query.clone())
    }

    /// Compares `If-Match` with the stored version.
    ///
    /// # Errors
    /// Returns 412 if the versions differ.
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

    /// Checks that the request does not require an existing row, because there is none.
    ///
    /// # Errors
    /// Returns 412 if the request has an `If-Match` header.
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
