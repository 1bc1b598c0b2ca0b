//! Routes whose operations are not in `api` yet.

mod command;
pub(crate) mod gm;
pub(crate) mod kv;
pub(crate) mod lobby;
pub(crate) mod log;
pub(crate) mod matches;
pub(crate) mod me;
pub(crate) mod messages;
pub(crate) mod play;
pub(crate) mod recap;
pub(crate) mod story;
