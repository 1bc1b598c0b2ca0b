//! What the command line needs of a service, whichever it is.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;

use super::Setting;
use crate::identity::Identity;

/// Something that takes its time.
pub(crate) type BoxFuture<'a, T> = monotable_kit::BoxFuture<'a, T, anyhow::Error>;

/// A service that can be opened.
pub(crate) trait Hosted: Send + Sync {
    /// Its name, which is the first part of its paths.
    fn name(&self) -> &'static str;

    /// The name of its table, with `{environment}` in it.
    fn table_name(&self) -> &'static str;

    /// Bytes of a body that it takes.
    fn body_bytes_max(&self) -> usize;

    /// Opens its table, and makes one if there is none.
    fn open<'a>(&'a self, setting: &'a Setting) -> BoxFuture<'a, Arc<dyn Running>>;
}

/// A service that is open.
pub(crate) trait Running: Send + Sync {
    /// What answers its requests; paths begin behind its name.
    fn router(&self) -> Router;

    /// Does what was promised to those who asked, as far as it is due.
    fn work(&self) -> BoxFuture<'_, ()>;

    /// Forgets what need not be remembered any more.
    fn sweep(&self) -> BoxFuture<'_, ()>;

    /// Brings rows of older programs up to date; what was done, and what needs a decision.
    fn backfill(&self) -> BoxFuture<'_, String>;

    /// Loads what is missing of its demo; how to ask it.
    fn demo<'a>(&'a self, identity: &'a Identity, address: SocketAddr) -> BoxFuture<'a, String>;
}
