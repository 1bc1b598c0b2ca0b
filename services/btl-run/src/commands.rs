//! What the service does when it is asked: each command reads, lets `decide` or `resolve` say what
//! happens, and commits it as one [`Change`](crate::change::Change).

pub mod create;
pub mod look;
