//! What the service does when it is asked: each command reads, lets `decide` or `resolve` say what
//! happens, and commits it as one change.

pub mod advance;
pub mod archive;
pub mod create;
pub mod due;
pub mod end;
pub(crate) mod erase;
pub mod export;
pub mod gm;
pub mod invite;
pub mod join;
pub mod lobby;
pub mod log;
pub mod look;
pub mod me;
pub mod messages;
mod mine;
pub mod narrate;
mod page;
pub mod recap;
pub mod repair;
mod results;
pub mod start;
pub mod stream;
pub mod submit;
pub mod summaries;
pub mod token;
pub mod turn;
pub mod verify;
