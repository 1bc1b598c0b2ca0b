//! What a long step is doing, on standard error.

use std::time::{Duration, Instant};

/// Tells how far a step has come, at most every two seconds.
#[derive(Debug)]
pub struct Progress {
    what: String,
    total: u64,
    start: Instant,
    told: Instant,
}

impl Progress {
    /// Starts a step of `total` parts.
    pub fn start(what: impl Into<String>, total: u64) -> Self {
        let now = Instant::now();
        Self { what: what.into(), total, start: now, told: now }
    }

    /// Tells that `done` parts are done.
    pub fn tell(&mut self, done: u64) {
        if self.told.elapsed() >= Duration::from_secs(2) {
            self.told = Instant::now();
            let percent = done * 100 / self.total.max(1);
            eprintln!("  {} {percent} %, {:.0} s", self.what, self.start.elapsed().as_secs_f64());
        }
    }
}
