//! Runs services: opens them on a backend, passes requests to the service in the path, does
//! background work and loads sample data.
//!
//! Each service implements [`Service`] in its own crate. This crate does not depend on services,
//! sockets or the command line: a program lists its services, turns their [`ServiceOption`]s into
//! flags, and connects [`Services`] to its HTTP server.
//!
//! | | |
//! |---|---|
//! | [`Service`], [`RunningService`], [`OpenService`] | what a service implements and returns |
//! | [`ServiceOption`], [`OptionValues`] | settings of single services |
//! | [`TableService`], [`TableApp`] | a service that has nothing but a table |
//! | [`HostSettings`], [`Identity`], [`secrets`] | settings of all services |
//! | [`SmtpMailer`] | e-mail |
//! | [`Chat`], [`narrator`] | language models |
//! | [`Razorpay`] | payments |
//! | [`Remote`], [`RemoteSecret`] | HTTP interfaces of other programs |
//! | [`Services`], [`Worker`] | open services: their requests, and their background work |

mod chat;
mod error;
mod identity;
mod narrator;
mod option;
mod razorpay;
mod remote;
#[cfg(feature = "s3")]
mod s3;
pub mod secrets;
mod service;
mod services;
mod settings;
mod smtp;
mod table_app;
#[cfg(test)]
mod tests;
mod worker;

pub use monotable::design::meta::TableMeta;

pub use chat::{Chat, ChatSettings};
pub use error::{BoxError, Error, problem_error};
pub use identity::Identity;
pub use narrator::{narrator, narrator_options};
pub use option::{OptionKind, OptionValues, ServiceOption};
pub use razorpay::{Razorpay, RazorpaySettings};
pub use remote::{CallFailure, Remote, RemoteError, RemoteSecret, RemoteSettings, authorization};
#[cfg(feature = "s3")]
pub use s3::{S3Blobs, S3Error, S3Settings};
pub use service::{BoxFuture, DemoSettings, OpenService, RunningService, Service};
pub use services::{Responding, ServicePath, Services};
pub use settings::{HostSettings, MissingTables, limits};
pub use smtp::{SmtpError, SmtpMailer};
pub use table_app::{TableApp, TableService};
pub use worker::{Backfill, Worker};
