//! Tests of a service that are the same for every service. A service supplies its actors, its acts
//! and its invariants; this module uses them.
//!
//! | | |
//! |---|---|
//! | [`Subject`], [`World`], [`Actor`], [`Response`] | the service, opened as a host opens it, and requests to it |
//! | [`Traffic`] | everything that was sent; each response is checked against the service's own document |
//! | [`Matrix`] | every operation by every actor |
//! | [`Crash`] | the process is killed at every storage call |
//! | [`histories`] | random histories of several actors at once, also in two processes whose backend has [`Faults`] |
//! | [`oracle`] | indexes, expiry and concurrent commands |
//! | [`sign_in`] | sessions of people |
//! | [`design`], [`seed`] | the design document, and rows as a seed prints them |
//!
//! Every world also checks that a row is overwritten without a condition only where its entity
//! declares that this is intended (`condition.rs`).

mod blobs;
mod condition;
mod conformance;
mod crash;
pub mod design;
mod example;
mod fleet;
pub mod histories;
mod matrix;
pub mod oracle;
mod request;
pub mod seed;
mod sign_in;
mod subject;
mod traffic;
mod world;

pub use crash::{Act, Crash};
pub use example::{example_body, path_with};
pub use fleet::Faults;
pub use histories::{Dice, Histories, History};
pub use matrix::{Matrix, Row, Stage};
pub use request::{Actor, Request, Response};
pub use sign_in::{link_of, sign_in};
pub use subject::{Backing, Subject, Testing, in_process};
pub use traffic::{Exchange, Traffic};
pub use world::{Expiry, Setting, World};
