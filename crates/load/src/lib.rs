//! The load generator: sends the same requests, as fast as responses arrive, to any endpoint with
//! DynamoDB's protocol over HTTP, with TLS or without.
//!
//! [`run`] creates a table, fills it, measures one operation after the other with a fixed number of
//! connections, each of which always has exactly one request under way, deletes the table and
//! returns a [`Report`]. [`Client`] is the blocking client that it prepares the table with.
//!
//! It knows DynamoDB's public protocol and nothing of our own server or engine, so that all
//! endpoints are measured in the same way.

mod client;
mod connection;
mod credentials;
mod drive;
mod endpoint;
mod error;
mod numbers;
mod operation;
mod options;
mod progress;
mod random;
mod report;
mod request;
mod response;
mod run;
mod sample;
mod signature;
mod table;
mod tally;
mod timestamp;
#[cfg(feature = "tls")]
mod tls;
mod transport;

pub use client::Client;
pub use credentials::{Credentials, Keys};
pub use endpoint::Endpoint;
pub use error::{Error, Result};
pub use operation::Operation;
pub use options::{Options, TableEnd};
pub use progress::Progress;
pub use report::{ErrorCount, Figure, Fill, Report};
pub use run::run;
