//! One connection to a server, with requests and answers as JSON.

use monotable_load::{Credentials, Endpoint};
use serde_json::Value;

/// A client with one connection.
pub(crate) struct Client(monotable_load::Client);

/// An answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: Value,
}

impl Client {
    pub(crate) fn new(endpoint: Endpoint, credentials: Credentials) -> Self {
        Self(monotable_load::Client::new(endpoint, credentials))
    }

    /// Sends a request. Without an answer nobody knows whether it was done.
    ///
    /// The client below sends a request again if its connection is closed before an answer. A server
    /// that is gone has no listener any more, so nothing is done twice.
    pub(crate) fn try_ask(&mut self, operation: &str, request: &Value) -> Option<Answer> {
        let (status, text) = self.0.call(operation, &request.to_string()).ok()?;
        let body = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        Some(Answer { status, body })
    }

    /// Sends a request that must be answered.
    #[track_caller]
    pub(crate) fn ask(&mut self, operation: &str, request: &Value) -> Answer {
        self.try_ask(operation, request).expect("an answer")
    }

    /// Sends a request that must succeed.
    #[track_caller]
    pub(crate) fn done(&mut self, operation: &str, request: &Value) -> Value {
        let answer = self.ask(operation, request);
        assert_eq!(answer.status, 200, "{operation} {request}: {}", answer.body);
        answer.body
    }

    /// Sends a request that must be refused; with which exception.
    #[track_caller]
    pub(crate) fn refused(&mut self, operation: &str, request: &Value) -> String {
        let answer = self.ask(operation, request);
        assert_eq!(answer.status, 400, "{operation} {request}: {}", answer.body);
        answer.exception().to_owned()
    }
}

impl Answer {
    /// The exception without its package, or nothing.
    pub(crate) fn exception(&self) -> &str {
        let code = self.body["__type"].as_str().unwrap_or_default();
        code.rsplit('#').next().unwrap_or_default()
    }
}
