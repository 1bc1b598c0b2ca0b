//! What the service does when it is asked: each command reads, lets `decide` or `resolve` say what
//! happens, and commits it as one [`Change`](crate::change::Change).

pub mod advance;
pub mod create;
pub mod end;
pub mod gm;
pub mod invite;
pub mod join;
pub mod lobby;
pub mod look;
mod mine;
pub mod start;
pub mod submit;
pub mod token;
pub mod turn;
