//! What became of work, once and over time.

use crate::metrics::{Counter, Level, Metrics};

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

/// What became of work since the process started, and what there was of it in the last round.
#[derive(Default)]
pub(super) struct JobsCounts {
    done: Counter,
    failed: Counter,
    waiting: Level,
    unknown: Level,
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

    pub(super) fn measure(&self, metrics: &Metrics) {
        let about = "Background work that is done, its last step included.";
        metrics.count("monotable_jobs_done_total", about, &self.done);
        let about = "Steps of background work that failed; each is tried again later.";
        metrics.count("monotable_jobs_failed_total", about, &self.failed);
        let about =
            "Background work that was left after the last round: not due, failed, or unfinished.";
        metrics.level("monotable_jobs_waiting", about, &self.waiting);
        let about = "Background work of kinds that this process does not know, in the last round.";
        metrics.level("monotable_jobs_unknown", about, &self.unknown);
    }
}
