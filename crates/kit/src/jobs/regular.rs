//! Recurring work that no ticket schedules.

use std::sync::atomic::{AtomicI64, Ordering};

use monotable::model::time::Timestamp;

/// Recurring work of a process. It is due when the process starts.
#[derive(Debug, Default)]
pub struct Regular {
    next_ms: AtomicI64,
}

impl Regular {
    /// Returns whether the work is due; then it is due again after this number of seconds. A clock
    /// that is set back does not delay it.
    pub fn is_due(&self, now: Timestamp, seconds: u32) -> bool {
        let (now_ms, pause_ms) = (now.as_ms(), i64::from(seconds) * 1_000);
        let wait_ms = self.next_ms.load(Ordering::Relaxed) - now_ms;
        let is_due = !(1..=pause_ms).contains(&wait_ms);
        if is_due {
            self.next_ms.store(now_ms + pause_ms, Ordering::Relaxed);
        }
        is_due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_due_at_first_and_then_after_each_pause() {
        let work = Regular::default();
        let is_due = |ms| work.is_due(Timestamp::from_ms(ms).unwrap(), 60);
        assert_eq!(
            [5_000, 5_001, 64_999, 65_000, 65_001].map(is_due),
            [true, false, false, true, false]
        );
        // The clock was an hour ahead.
        assert_eq!([3_605_000, 5_000, 5_001, 65_000].map(is_due), [true, true, false, true]);
    }
}
