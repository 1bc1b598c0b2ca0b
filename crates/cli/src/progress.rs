//! The progress of long work, in a terminal or a log.

use std::io::{IsTerminal as _, Write as _};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use monotable_lifecycle::{Control, Lifecycle};

/// How often the progress is shown in a terminal, and in a log.
const SHOW_EVERY: Duration = Duration::from_millis(500);
const SHOW_EVERY_IN_LOG: Duration = Duration::from_secs(10);

/// Shows the progress of something.
pub(crate) struct ProgressLine {
    started: Instant,
    rows_before: u64,
    shown: Option<Instant>,
    is_terminal: bool,
}

impl ProgressLine {
    /// Starts after rows that were done before.
    pub(crate) fn new(rows_before: u64) -> Self {
        let is_terminal = std::io::stderr().is_terminal();
        Self { started: Instant::now(), rows_before, shown: None, is_terminal }
    }

    /// Shows the figures, unless that was done just now.
    pub(crate) fn show(&mut self, what: &str, verb: &str, rows: u64, bytes: u64) {
        let every = if self.is_terminal { SHOW_EVERY } else { SHOW_EVERY_IN_LOG };
        if self.shown.unwrap_or(self.started).elapsed() < every {
            return;
        }
        self.shown = Some(Instant::now());
        let new = rows.saturating_sub(self.rows_before) as f64;
        let rate = new / self.started.elapsed().as_secs_f64();
        let megabytes = bytes as f64 / 1e6;
        let text = format!("{what}: {verb} {rows} rows, {megabytes:.1} MB, {rate:.0} rows/s");
        let mut out = std::io::stderr();
        let _ =
            if self.is_terminal { write!(out, "\r\x1b[K{text}") } else { writeln!(out, "{text}") };
    }

    /// Removes the line from a terminal.
    pub(crate) fn clear(&self) {
        if self.is_terminal && self.shown.is_some() {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

/// Runs work that counts its progress, and shows that.
pub(crate) fn watch<T>(what: &str, verb: &str, work: impl FnOnce(&Control) -> T) -> T {
    let control = Control::default();
    let done = || (control.items_done(), control.bytes_done());
    show_while(what, verb, done, || work(&control))
}

/// Waits for the jobs of a lifecycle, and shows their progress.
pub(crate) fn watch_jobs(what: &str, verb: &str, lifecycle: &Lifecycle) {
    let done = || {
        let jobs = lifecycle.running_jobs();
        let items = jobs.iter().map(|job| job.items_done()).sum();
        (items, jobs.iter().map(|job| job.bytes_done()).sum())
    };
    show_while(what, verb, done, || lifecycle.finish_jobs());
}

/// Shows the number of rows and bytes while the work runs.
fn show_while<T>(
    what: &str,
    verb: &str,
    done: impl Fn() -> (u64, u64) + Sync,
    work: impl FnOnce() -> T,
) -> T {
    let (end, ended) = channel::<()>();
    std::thread::scope(|scope| {
        let done = &done;
        scope.spawn(move || {
            let mut line = ProgressLine::new(0);
            while ended.recv_timeout(SHOW_EVERY) == Err(RecvTimeoutError::Timeout) {
                let (rows, bytes) = done();
                line.show(what, verb, rows, bytes);
            }
            line.clear();
        });
        // Moved into this scope, so that a panic ends the thread as well.
        let end = end;
        let result = work();
        drop(end);
        result
    })
}
