//! The usage of a table or index since the database was opened, counted without a lock.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::op::capacity::Capacity;

/// The units used by one table or index. Never stored: they count from the opening.
#[derive(Debug, Default)]
pub(crate) struct Usage {
    /// Halves, because an eventually consistent read may use half a unit.
    read_half_units: AtomicU64,
    write_units: AtomicU64,
}

impl Usage {
    pub(crate) fn add_read(&self, units: f64) {
        self.read_half_units.fetch_add((units * 2.0) as u64, Ordering::Relaxed);
    }

    pub(crate) fn add_write(&self, units: u64) {
        self.write_units.fetch_add(units, Ordering::Relaxed);
    }

    pub(crate) fn capacity(&self) -> Capacity {
        Capacity {
            read_units: self.read_half_units.load(Ordering::Relaxed) as f64 / 2.0,
            write_units: self.write_units.load(Ordering::Relaxed) as f64,
        }
    }
}

/// The usage of a table without its indexes, and its failed conditions.
#[derive(Debug, Default)]
pub(crate) struct TableUsage {
    pub(crate) items: Usage,
    condition_failures: AtomicU64,
}

impl TableUsage {
    pub(crate) fn add_condition_failure(&self) {
        self.condition_failures.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn condition_failures(&self) -> u64 {
        self.condition_failures.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_add_up() {
        let usage = Usage::default();
        usage.add_read(0.5);
        usage.add_read(0.5);
        usage.add_read(2.5);
        usage.add_write(3);
        assert_eq!(usage.capacity(), Capacity { read_units: 3.5, write_units: 3.0 });
    }
}
