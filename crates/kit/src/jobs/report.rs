//! The results of jobs, per round and in total.

/// The results of tickets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JobsReport {
    /// Jobs that are done, and whose tickets were deleted.
    pub done: usize,
    /// Jobs that failed and will be retried.
    pub failed: usize,
    /// Jobs that are not due yet, are claimed by another worker, or have more steps than one turn.
    pub waiting: usize,
    /// Jobs of a kind that this process does not know.
    pub unknown: usize,
}

crate::measures! {
    /// The results of jobs since the process started, and how many there were in the last round.
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
    /// Adds a round. An incomplete round does not know how many jobs are left.
    pub(super) fn add(&self, round: &JobsReport, is_whole: bool) {
        self.done.add(round.done as u64);
        self.failed.add(round.failed as u64);
        if is_whole {
            self.waiting.set((round.waiting + round.failed) as u64);
            self.unknown.set(round.unknown as u64);
        }
    }
}
