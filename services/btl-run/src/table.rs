//! The table: its rows, its keys and its access patterns, as in the design document.
//!
//! Rows are values with a version and an expiry. Keys are those that other programs know; a value
//! is the state, the event or the number itself, so that programs can read it without our types.

mod counts;
mod ids;
mod matches;
mod patterns;
mod people;
mod value;

pub use counts::*;
pub use ids::*;
pub use matches::*;
pub use patterns::*;
pub use people::*;
