//! DynamoDB's protocol: JSON and operations, validation in AWS's order, one table of errors,
//! signatures, PartiQL.
//!
//! [`Endpoint::call`] turns the body of a request into the body of its response. This is the only
//! crate that knows DynamoDB's JSON. It knows no sockets, and takes the time as an argument.
//!
//! ```
//! use monotable_engine::Database;
//! use monotable_wire::{Endpoint, Operation, Request};
//!
//! # async fn example() {
//! let endpoint = Endpoint::new(Database::memory());
//! let operation = Operation::from_target(b"DynamoDB_20120810.ListTables").expect("it is known");
//! let mut response = Vec::new();
//! let request = Request { host: "localhost:8000", body: b"{}", identity: None };
//! endpoint.call(operation, request, &mut response).await.expect("it is valid");
//! assert_eq!(response, br#"{"TableNames":[]}"#);
//! # }
//! ```

pub mod access;
mod backup;
mod backup_arguments;
mod bucket;
mod capacity;
mod condition;
mod error;
mod field;
mod insights;
mod item_lines;
mod jobs;
mod json;
mod layer;
mod legacy;
mod member;
mod observation;
mod op;
mod operation;
mod page;
mod parameters;
mod partiql;
mod placeholders;
mod policy;
mod projection;
mod returns;
pub mod sigv4;
mod stream;
mod table;
mod touch;
mod unsupported;
mod value;

pub use error::{Failure, MissingResource, StatementReason};
pub use item_lines::ItemLines;
pub use observation::Observation;
pub use operation::{Endpoint, Operation, Request};
pub use touch::Touch;
