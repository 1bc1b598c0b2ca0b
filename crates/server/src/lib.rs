//! The DynamoDB-compatible server: sockets, limits, dispatch, figures, shutdown.
//!
//! A few threads each serve their own connections on their own runtime, so that requests share no
//! lock; the protocol is `monotable-wire`'s business, the data the engine's. [`Limits`] says what a
//! client may use.

mod acceptor;
mod access;
mod backlog;
mod body_memory;
mod buffers;
mod clock;
mod config;
mod connection;
pub mod credentials;
mod dispatch;
mod encoding;
mod error;
mod http;
mod limits;
mod maintenance;
mod metrics;
mod pace;
mod pages;
mod places;
mod refusal;
mod request_id;
mod server;
mod site;
mod timer;
mod worker;

pub use access::{Access, Reach};
pub use config::Config;
pub use error::Error;
pub use limits::Limits;
pub use refusal::Refusal;
pub use server::Server;
pub use site::{Site, SiteBody, SitePath, SiteReply, Upload};
