//! Histories of concurrent clients, and whether a correct database could have produced them.
//!
//! Clients record their requests, the responses, and the times of both on one [`Timeline`]. Two
//! checkers read them:
//!
//! - [`linearizability`] searches for an order of the operations on one item that a sequential
//!   [`Model`](linearizability::Model) explains; [`item`] is the model of an item.
//! - [`serializability`] determines which transaction must precede which, from lists that are only
//!   appended to, and searches for cycles ([`graph`]).
//!
//! Nothing here knows the engine or the protocol: the input is a history.

use std::sync::atomic::{AtomicU64, Ordering};

pub mod graph;
pub mod item;
pub mod linearizability;
pub mod serializability;

/// The time of a history: a number for each event, later events with larger ones.
///
/// A count, not a clock: the order of events is exact, and durations do not matter.
#[derive(Debug, Default)]
pub struct Timeline(AtomicU64);

impl Timeline {
    /// Returns the current time, which differs from every other.
    pub fn now(&self) -> u64 {
        self.0.fetch_add(1, Ordering::SeqCst)
    }
}
