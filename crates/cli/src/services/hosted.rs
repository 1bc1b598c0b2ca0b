//! What the command line needs of a service, whichever it is.

use std::future::Future;
use std::net::SocketAddr;
use std::pin::Pin;

use anyhow::Result;
use axum::Router;
use axum::response::Response;
use http::HeaderMap;
use monotable::prelude::Timestamp;
use monotable_kit::Problem;

use super::Setting;
use crate::identity::Identity;

/// Something that takes its time.
pub(crate) type Promise<'a, T> = Pin<Box<dyn Future<Output = Result<T>> + Send + 'a>>;

/// A service that can be asked for.
pub(crate) trait Hosted: Send + Sync {
    /// Its name, which is the first part of its paths.
    fn name(&self) -> &'static str;

    /// The name of its table, with `{environment}` in it.
    fn table_name(&self) -> &'static str;

    /// Bytes of a body that it takes.
    fn body_bytes_max(&self) -> usize;

    /// Opens its table, and makes one if there is none.
    fn open<'a>(&'a self, setting: &'a Setting) -> Promise<'a, Box<dyn Running>>;

    /// Refuses a request in its own form when it can't be opened.
    fn refuse(&self, headers: &HeaderMap, problem: &Problem, now: Timestamp) -> Response;
}

/// A service that is open.
pub(crate) trait Running: Send + Sync {
    /// What answers its requests; paths begin behind its name.
    fn router(&self) -> Router;

    /// Does what was promised to those who asked, as far as it is due.
    fn work(&self) -> Promise<'_, ()>;

    /// Forgets what need not be remembered any more.
    fn sweep(&self) -> Promise<'_, ()>;

    /// Brings rows of older programs up to date; what was done, and what needs a decision.
    fn backfill(&self) -> Promise<'_, String>;

    /// Loads what is missing of its demo; how to ask it.
    fn demo<'a>(&'a self, identity: &'a Identity, address: SocketAddr) -> Promise<'a, String>;
}
