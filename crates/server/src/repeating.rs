//! A thread that repeats something regularly.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// The thread, until it is stopped.
pub(crate) struct Repeating {
    stop: Sender<()>,
    thread: JoinHandle<()>,
}

impl Repeating {
    /// Starts a thread that pauses before each round.
    pub(crate) fn start(
        name: &str,
        rest: Duration,
        mut work: impl FnMut() + Send + 'static,
    ) -> std::io::Result<Self> {
        let (stop, stopped) = channel();
        let thread = std::thread::Builder::new().name(name.to_owned()).spawn(move || {
            while stopped.recv_timeout(rest) == Err(RecvTimeoutError::Timeout) {
                work();
            }
        })?;
        Ok(Self { stop, thread })
    }

    /// Ends the thread after the round that it is in.
    pub(crate) fn stop(self) {
        drop(self.stop);
        let _ = self.thread.join();
    }
}
