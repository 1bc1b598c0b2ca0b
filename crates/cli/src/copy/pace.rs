//! The rate at which a copy writes.

use std::time::{Duration, Instant};

/// Spreads writes over time.
pub(super) struct Pace {
    units_per_second: Option<u32>,
    /// When the next write may start.
    next: Instant,
}

impl Pace {
    pub(super) fn new(units_per_second: Option<u32>) -> Self {
        Self { units_per_second, next: Instant::now() }
    }

    /// Waits until this many more units are within the budget.
    pub(super) async fn wait(&mut self, units: u64) {
        let Some(per_second) = self.units_per_second else { return };
        let now = Instant::now();
        let begins = self.next.max(now);
        self.next = begins + Duration::from_secs_f64(units as f64 / f64::from(per_second));
        tokio::time::sleep(begins - now).await;
    }
}

/// Returns the write units of a row.
pub(super) fn write_units(row_bytes: usize) -> u64 {
    row_bytes.div_ceil(1_024).max(1) as u64
}
