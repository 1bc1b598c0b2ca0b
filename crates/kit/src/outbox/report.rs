//! What became of letters, once and over time.

use crate::metrics::{Counter, Level, Metrics};

/// What became of the messages. It counts, and says nothing of anybody.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OutboxReport {
    /// Letters that were delivered.
    pub delivered: usize,
    /// Letters that were delivered before, and not again.
    pub repeated: usize,
    /// Letters that failed and will be tried again.
    pub failed: usize,
    /// Letters that were given up.
    pub dead: usize,
    /// Letters that are not due yet, or in another worker's hands.
    pub waiting: usize,
}

/// What became of letters since the process started, and how many were left in the last round.
#[derive(Default)]
pub(super) struct OutboxCounts {
    delivered: Counter,
    failed: Counter,
    dead: Counter,
    depth: Level,
}

impl OutboxCounts {
    /// Adds a round; one that was broken off has not seen what is left.
    pub(super) fn add(&self, round: &OutboxReport, is_whole: bool) {
        self.delivered.add(round.delivered as u64);
        self.failed.add(round.failed as u64);
        self.dead.add(round.dead as u64);
        if is_whole {
            self.depth.set((round.waiting + round.failed) as u64);
        }
    }

    pub(super) fn measure(&self, metrics: &Metrics) {
        let about = "Letters that this process delivered.";
        metrics.count("monotable_outbox_delivered_total", about, &self.delivered);
        let about = "Deliveries of this process that failed and will be tried again.";
        metrics.count("monotable_outbox_failed_total", about, &self.failed);
        let about = "Letters that this process gave up, and that lie among the dead ones.";
        metrics.count("monotable_outbox_dead_letters_total", about, &self.dead);
        let about = "Letters that were left in the outbox after the last round.";
        metrics.level("monotable_outbox_depth", about, &self.depth);
    }
}
