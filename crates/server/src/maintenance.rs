//! What has to be done from time to time: expired items, old change records, old tokens.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use monotable_engine::Database;

const EVERY: Duration = Duration::from_secs(1);

/// The thread that keeps a database tidy.
pub(crate) struct Maintenance {
    stop: Sender<()>,
    thread: JoinHandle<()>,
}

impl Maintenance {
    pub(crate) fn start(database: Database) -> std::io::Result<Self> {
        let (stop, stopped) = channel();
        let thread =
            std::thread::Builder::new().name("monotable-maintain".to_owned()).spawn(move || {
                let mut failing = false;
                while stopped.recv_timeout(EVERY) == Err(RecvTimeoutError::Timeout) {
                    let result = database.maintain();
                    // Once is enough: a database that failed stays so until it is reopened.
                    if let (Err(error), false) = (&result, failing) {
                        eprintln!("maintenance failed: {error}");
                    }
                    failing = result.is_err();
                }
            })?;
        Ok(Self { stop, thread })
    }

    pub(crate) fn stop(self) {
        drop(self.stop);
        let _ = self.thread.join();
    }
}
