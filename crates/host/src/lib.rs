//! Runs services: opens them on a backend, passes requests to the one that a path names, does their
//! background work and loads their sample data.
//!
//! Each service implements [`Service`] in its own crate. This crate knows no service by name, no sockets
//! and no command line: a program lists the services that it contains, turns their [`ServiceOption`]s into
//! flags, and connects [`Services`] to its HTTP server.
//!
//! | | |
//! |---|---|
//! | [`Service`], [`RunningService`], [`OpenService`] | what a service implements and returns |
//! | [`ServiceOption`], [`OptionValues`] | settings of single services |
//! | [`TableService`], [`TableApp`] | a service that has nothing but a table |
//! | [`HostSettings`], [`Identity`], [`secrets`] | settings of all services |
//! | [`SmtpMailer`] | e-mail |
//! | [`Remote`], [`RemoteSecret`] | HTTP interfaces of other programs |
//! | [`Services`], [`Worker`] | open services: their requests, and their background work |

mod error;
mod identity;
mod option;
mod remote;
pub mod secrets;
mod service;
mod services;
mod settings;
mod smtp;
mod table_app;
#[cfg(test)]
mod tests;
mod worker;

pub use error::{BoxError, Error, problem_error};
pub use identity::Identity;
pub use option::{OptionKind, OptionValues, ServiceOption};
pub use remote::{CallFailure, Remote, RemoteError, RemoteSecret, RemoteSettings, authorization};
pub use service::{BoxFuture, DemoSettings, OpenService, RunningService, Service};
pub use services::{Responding, ServicePath, Services};
pub use settings::{HostSettings, limits};
pub use smtp::{SmtpError, SmtpMailer};
pub use table_app::{TableApp, TableService};
pub use worker::{Backfill, Worker};
