//! Histories of concurrent clients, and whether a correct database could have given them.
//!
//! Clients write down what they asked, what was answered, and when both happened by one
//! [`Timeline`]. Two checkers read it:
//!
//! - [`linearizability`] searches an order of the operations on one item that a sequential
//!   [`Model`](linearizability::Model) explains; [`item`] is the model of an item.
//! - [`serializability`] draws which transaction must come before which, from lists that are only
//!   ever appended to, and searches for cycles ([`graph`]).
//!
//! Nothing here knows the engine or the protocol: a history is all there is.

use std::sync::atomic::{AtomicU64, Ordering};

pub mod graph;
pub mod item;
pub mod linearizability;
pub mod serializability;

/// The time of a history: a number for each moment, later moments with larger ones.
///
/// A count, not a clock: the order of moments is exact, and how long something took is of no
/// interest.
#[derive(Debug, Default)]
pub struct Timeline(AtomicU64);

impl Timeline {
    /// This moment, which differs from every other.
    pub fn now(&self) -> u64 {
        self.0.fetch_add(1, Ordering::SeqCst)
    }
}
