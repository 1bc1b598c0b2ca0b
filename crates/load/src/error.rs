//! The errors of a run, each with a text that contains what to do.

use std::io;
use std::path::PathBuf;

/// The result of everything that can fail here.
pub type Result<T> = std::result::Result<T, Error>;

/// The reason why a run ended without a report.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The URL is not valid for an endpoint.
    #[error("{url} is not an endpoint: {reason}")]
    InvalidEndpoint {
        /// The URL.
        url: String,
        /// The error.
        reason: String,
    },
    /// The certificates to trust can't be used.
    #[error("the certificates in {} can't be used: {reason}", file.display())]
    Authority {
        /// The file that was given.
        file: PathBuf,
        /// The error.
        reason: String,
    },
    /// The server accepts connections, but no secure one is made.
    #[error(
        "there is no secure connection to {endpoint} ({reason}): is it an https server, and is its \
         certificate for this host? Give the certificate of its issuer with --ca FILE"
    )]
    NotSecure {
        /// The server.
        endpoint: String,
        /// The reason why the handshake failed.
        reason: io::Error,
    },
    /// Options that contradict each other or request nothing.
    #[error("{0}")]
    InvalidOptions(String),
    /// No server accepts connections there.
    #[error("no server responds at {endpoint} ({reason}): is it started, and is the port correct?")]
    Unreachable {
        /// The endpoint.
        endpoint: String,
        /// The error of the system.
        reason: io::Error,
    },
    /// A server responds, but not like DynamoDB.
    #[error("{endpoint} is not a DynamoDB endpoint: {reason}")]
    NotDynamoDb {
        /// The endpoint.
        endpoint: String,
        /// The response.
        reason: String,
    },
    /// The server checks credentials, and not these.
    #[error(
        "{endpoint} refuses the credentials ({code}: {message}): give keys that it knows with \
         --access-key and --secret-key or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
    )]
    CredentialsRefused {
        /// The server that refused.
        endpoint: String,
        /// The exception.
        code: String,
        /// Its message.
        message: String,
    },
    /// The table did not become ready for use.
    #[error("table {table} was created but is still {status} after {seconds} s")]
    TableNotActive {
        /// The table's name.
        table: String,
        /// Its last status.
        status: String,
        /// How long it was waited for.
        seconds: u64,
    },
    /// Too many of the requests that fill the table failed.
    #[error("the table could not be filled: {0}")]
    NotFilled(String),
    /// The response to a request that prepares or checks the run was an exception.
    #[error("{operation} failed with {code}: {message}")]
    Refused {
        /// DynamoDB's name of the operation.
        operation: String,
        /// The exception.
        code: String,
        /// Its message.
        message: String,
    },
    /// A response lacks the expected contents.
    #[error("{operation} succeeded, but {reason}")]
    WrongAnswer {
        /// DynamoDB's name of the operation.
        operation: String,
        /// What is missing.
        reason: String,
    },
    /// Connections break, or responses stop.
    #[error("the server stopped responding: {0}")]
    Lost(String),
    /// The progress callback ended the run.
    #[error("interrupted")]
    Interrupted,
    /// An error of the system that is not related to the server.
    #[error(transparent)]
    Io(#[from] io::Error),
}
