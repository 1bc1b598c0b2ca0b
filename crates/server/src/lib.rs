//! The DynamoDB-compatible server: sockets, limits, dispatch, metrics, shutdown.
//!
//! A few threads each serve their own connections on their own runtime, so that requests share no
//! lock; `monotable-wire` implements the protocol, the engine stores the data. [`Limits`] restricts
//! clients.

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
mod keys;
mod limits;
mod maintenance;
mod metrics;
mod pace;
mod pages;
mod places;
mod refusal;
mod repeating;
mod request_id;
mod request_log;
mod secure;
mod server;
mod site;
mod timer;
#[cfg(feature = "tls")]
mod tls;
mod worker;

pub use access::{Access, Reach};
pub use config::Config;
pub use error::Error;
pub use keys::Keys;
pub use limits::Limits;
pub use refusal::Refusal;
pub use request_log::{LoggedRequest, RequestLog};
pub use secure::{Accepting, TlsAcceptor, TlsStream};
pub use server::Server;
pub use site::{Audience, Site, SiteBody, SitePath, SiteReply, Upload};
#[cfg(feature = "tls")]
pub use tls::{Tls, TlsError};
