//! The options of a database: durability, memory, time, randomness and fault modes.

use std::sync::Arc;
use std::time::Duration;

use crate::clock::{Clock, SystemClock};
use crate::faults::Faults;

/// When a write on disk is acknowledged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Durability {
    /// After it is synced: it survives kill -9 and power loss.
    #[default]
    Full,
    /// After it is passed to the operating system: it survives kill -9, and power loss once
    /// `sync_every` has passed.
    Relaxed {
        /// The longest time a write stays unsynced.
        sync_every: Duration,
    },
}

/// The options of a database.
///
/// ```
/// use monotable_engine::{Durability, Options};
///
/// let options = Options { cache_bytes: 64 << 20, ..Options::default() };
/// assert_eq!(options.durability, Durability::Full);
/// ```
#[derive(Clone)]
pub struct Options {
    /// When a write is acknowledged.
    pub durability: Durability,
    /// Memory for cached blocks of the store on disk.
    pub cache_bytes: u64,
    /// The source of time.
    pub clock: Arc<dyn Clock>,
    /// The seed of everything random: table ids and fault modes.
    pub seed: u64,
    /// The fault modes to enable; none by default.
    pub faults: Faults,
    /// Whether the log is kept after its commits are in table files, for
    /// [`History`](crate::History); the caller then has to trim it.
    pub keeps_history: bool,
    /// The region in ARNs.
    pub region: String,
    /// The account in ARNs.
    pub account: String,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            durability: Durability::Full,
            cache_bytes: 64 << 20,
            clock: Arc::new(SystemClock),
            seed: 0,
            faults: Faults::default(),
            keeps_history: false,
            region: "us-east-1".to_owned(),
            account: "123456789012".to_owned(),
        }
    }
}
