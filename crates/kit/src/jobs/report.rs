//! What became of work, once and over time.

/// What became of the tickets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JobsReport {
    /// Work that is done, and whose tickets are gone.
    pub done: usize,
    /// Work that failed and will be tried again.
    pub failed: usize,
    /// Work that is not due yet, in another worker's hands, or has more steps than one turn.
    pub waiting: usize,
    /// Work of a kind that nobody here knows.
    pub unknown: usize,
}

crate::measures! {
    /// What became of work since the process started, and what there was of it in the last round.
    pub(super) struct JobsCounts {
        /// Background work that is done, its last step included.
        done: Counter = "monotable_jobs_done_total",
        /// Steps of background work that failed; each is tried again later.
        failed: Counter = "monotable_jobs_failed_total",
        /// Background work that was left after the last round: not due, failed, or unfinished.
        waiting: Level = "monotable_jobs_waiting",
        /// Background work of kinds that this process does not know, in the last round.
        unknown: Level = "monotable_jobs_unknown",
    }
}

impl JobsCounts {
    /// Adds a round; one that was broken off has not seen what is left.
    pub(super) fn add(&self, round: &JobsReport, is_whole: bool) {
        self.done.add(round.done as u64);
        self.failed.add(round.failed as u64);
        if is_whole {
            self.waiting.set((round.waiting + round.failed) as u64);
            self.unknown.set(round.unknown as u64);
        }
    }
}
