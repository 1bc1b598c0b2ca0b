//! The rows of the table, as types. Fields that older programs did not write have defaults, and words
//! that they wrote otherwise are read. What a row means is decided by operations and rules.

mod accounts;
mod games;
mod plays;
mod roster;
mod teams;

pub use accounts::*;
pub use games::*;
pub use plays::*;
pub use roster::*;
pub use teams::*;

pub use crate::patterns::{Stamps, Times, Versioned};
