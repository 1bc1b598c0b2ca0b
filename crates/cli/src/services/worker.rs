//! The background work of the services, on a thread of its own: jobs that were left, messages to send.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use anyhow::Result;

use super::{Services, block_on};

/// How long the thread rests between two rounds.
const PAUSE: Duration = Duration::from_secs(1);

/// Rounds from one sweep to the next, a day, and before the first: not all at once after a start.
const SWEEP_ROUNDS: u64 = 24 * 60 * 60;
const FIRST_SWEEP: u64 = 10 * 60;

/// The thread. It ends with the round that it is in when it is dropped.
pub(crate) struct Worker {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Worker {
    /// Starts the thread, with what is to be done once before everything else.
    pub(crate) fn start(services: Services, backfills: bool) -> Result<Self> {
        let (stop, stopped) = channel();
        let thread =
            std::thread::Builder::new().name("monotable-services".to_owned()).spawn(move || {
                let rounds = async {
                    if backfills {
                        match services.backfill().await {
                            Ok(report) => println!("Backfilled {report}"),
                            Err(error) => eprintln!("the backfill stopped: {error:#}"),
                        }
                    }
                    let mut round = 0;
                    while stopped.recv_timeout(PAUSE) == Err(RecvTimeoutError::Timeout) {
                        services.work(round % SWEEP_ROUNDS == FIRST_SWEEP).await;
                        round += 1;
                    }
                };
                if let Err(error) = block_on(rounds) {
                    eprintln!("the services' background work can't start: {error:#}");
                }
            })?;
        Ok(Self { stop: Some(stop), thread: Some(thread) })
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
