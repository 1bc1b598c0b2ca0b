//! Routes whose operations are not in `api` yet.

mod command;
pub(crate) mod kv;
pub(crate) mod log;
pub(crate) mod me;
pub(crate) mod messages;
pub(crate) mod recap;
pub(crate) mod story;
