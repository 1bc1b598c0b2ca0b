//! The way in: an operation and a body go in, a response's body comes out.

use monotable_engine::Database;

use crate::error::Failure;
use crate::operation::{self, Operation};

/// Answers requests from a database.
#[derive(Clone)]
pub struct Endpoint {
    pub(crate) database: Database,
}

/// A request whose signature was looked at.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// The JSON that was sent.
    pub body: &'a [u8],
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
