//! Time, injected: the engine never reads the wall clock itself.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// The engine's source of time.
pub trait Clock: Send + Sync {
    /// Returns milliseconds since 1970-01-01 UTC.
    fn now_ms(&self) -> u64;

    /// Returns whether time passes by itself, so that waiting helps.
    fn is_running(&self) -> bool {
        true
    }
}

/// The machine's clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now_ms(&self) -> u64 {
        SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |elapsed| u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX))
    }
}

/// A clock that is set explicitly, for tests and simulations.
///
/// ```
/// use monotable_engine::{Clock, ManualClock};
///
/// let clock = ManualClock::new(1_000);
/// clock.advance_ms(500);
/// assert_eq!(clock.now_ms(), 1_500);
/// ```
#[derive(Debug, Default)]
pub struct ManualClock(AtomicU64);

impl ManualClock {
    /// Creates a clock with this time.
    pub fn new(now_ms: u64) -> Self {
        Self(AtomicU64::new(now_ms))
    }

    /// Moves forward.
    pub fn advance_ms(&self, by_ms: u64) {
        self.0.fetch_add(by_ms, Ordering::Relaxed);
    }

    /// Sets the time, which may be earlier.
    pub fn set_ms(&self, now_ms: u64) {
        self.0.store(now_ms, Ordering::Relaxed);
    }
}

impl Clock for ManualClock {
    fn now_ms(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    fn is_running(&self) -> bool {
        false
    }
}
