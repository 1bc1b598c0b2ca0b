//! The results of deliveries, per round and in total.

/// The number of messages by result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OutboxReport {
    /// E-mails that were delivered.
    pub delivered: usize,
    /// E-mails that were delivered before, and not again.
    pub repeated: usize,
    /// E-mails that failed and will be tried again.
    pub failed: usize,
    /// E-mails that were given up.
    pub dead: usize,
    /// E-mails that are not due yet, or are claimed by another worker.
    pub waiting: usize,
}

crate::measures! {
    /// The results of deliveries since the process started, and how many e-mails were left in the
    /// last round.
    pub(super) struct OutboxCounts {
        /// E-mails that this process delivered.
        delivered: Counter = "monotable_outbox_delivered_total",
        /// Deliveries of this process that failed and will be tried again.
        failed: Counter = "monotable_outbox_failed_total",
        /// E-mails that this process gave up, and that lie among the dead ones.
        dead: Counter = "monotable_outbox_dead_letters_total",
        /// E-mails that were left in the outbox after the last round.
        depth: Level = "monotable_outbox_depth",
    }
}

impl OutboxCounts {
    /// Adds a round. An incomplete round does not know how many e-mails are left.
    pub(super) fn add(&self, round: &OutboxReport, is_whole: bool) {
        self.delivered.add(round.delivered as u64);
        self.failed.add(round.failed as u64);
        self.dead.add(round.dead as u64);
        if is_whole {
            self.depth.set((round.waiting + round.failed) as u64);
        }
    }
}
