//! DynamoDB's protocol: JSON and operations, validation in AWS's order, one table of errors,
//! signatures, PartiQL.
//!
//! A request's body goes through [`Endpoint::call`] and comes out as a response's body. This is the
//! only crate that knows DynamoDB's JSON; it knows no sockets, and takes the time as an argument.
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

mod absence;
pub mod access;
mod backup;
mod capacity;
mod condition;
mod error;
mod field;
mod insights;
mod json;
mod layer;
mod legacy;
mod member;
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
mod value;

pub use error::{Absent, Failure, StatementReason};
pub use operation::{Endpoint, Operation, Request};
pub use touch::Touch;
