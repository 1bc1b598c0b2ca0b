//! The way in: an operation and a body go in, a response's body comes out.

use monotable_engine::Database;

use crate::error::Failure;
use crate::operation::{self, Operation};
use crate::sigv4::Identity;

/// Answers requests from a database.
#[derive(Clone)]
pub struct Endpoint {
    pub(crate) database: Database,
}

/// A request whose signature was looked at.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// The name that the client knows the server by, from the header `Host`.
    pub host: &'a str,
    /// The JSON that was sent.
    pub body: &'a [u8],
    /// Who signed it; none when the server asks for no signatures.
    pub identity: Option<&'a Identity<'a>>,
}

impl Endpoint {
    /// An endpoint of this database.
    pub fn new(database: Database) -> Self {
        Self { database }
    }

    /// Appends the response's body to `out`: the answer, or what went wrong.
    pub async fn call(
        &self,
        operation: Operation,
        request: Request<'_>,
        out: &mut Vec<u8>,
    ) -> Result<(), Failure> {
        let start = out.len();
        let result = operation::call(self, operation, request, out).await;
        if let Err(failure) = &result {
            out.truncate(start);
            failure.write(out);
        }
        result
    }
}
