//! What the service does when it is asked: each command reads, lets `decide` or `resolve` say what
//! happens, and commits it as one change.

pub mod archive;
pub mod due;
pub(crate) mod erase;
pub mod export;
pub mod log;
pub mod me;
pub mod messages;
pub mod narrate;
mod page;
pub mod recap;
pub mod repair;
mod results;
pub mod stream;
pub mod summaries;
pub mod verify;

use crate::turn;
