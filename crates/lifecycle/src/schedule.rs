//! The schedule: makes backups of all tables and drills when they are due, on a separate
//! thread.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use monotable_engine::History;

use crate::backup::{Drill, MARGIN_MS, RestoreJob};
use crate::error::{Error, Result};
use crate::jobs::Control;
use crate::lifecycle::Lifecycle;
use crate::record;

/// The longest sleep of the thread, because the clock of the database can jump.
const SLEEP_MAX: Duration = Duration::from_secs(60);
/// The time until a failed backup or drill is tried again, unless it is due earlier.
const RETRY_MS: u64 = 10 * 60 * 1000;
/// The name of the backups.
const NAME: &str = "scheduled";

/// The tasks and their intervals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// The time between two backups.
    pub backup_every: Duration,
    /// How many backups are kept.
    pub keep: usize,
    /// The time between two drills; `None` for no drills.
    pub drill_every: Option<Duration>,
    /// The history that is trimmed, if one is kept.
    pub history: Option<KeptHistory>,
}

/// The period whose times can be restored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptHistory {
    /// The directory of the database.
    pub directory: PathBuf,
    /// How long commits are kept.
    pub keep: Duration,
    /// The limit of their bytes; the oldest are deleted first.
    pub bytes_max: u64,
}

/// The state of backups and drills.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BackupHealth {
    /// The time of the newest backup of all tables, in milliseconds since the epoch.
    pub newest_ms: Option<u64>,
    /// The failure of the last attempt, if it is newer than the backup.
    pub failure: Option<String>,
    /// The newest drill.
    pub drill: Option<Drill>,
}

/// The next due times, and the failures.
#[derive(Debug, Default)]
pub(crate) struct Attempts {
    backup_not_before_ms: u64,
    drill_not_before_ms: u64,
    failure: Option<String>,
}

/// The thread that runs a schedule. It ends when this is dropped; an unfinished backup is cancelled
/// then.
pub struct Scheduler {
    control: Arc<Control>,
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Drop for Scheduler {
    fn drop(&mut self) {
        self.control.stop();
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Lifecycle {
    /// Starts to run a schedule.
    ///
    /// # Errors
    /// Fails if the thread can't be started.
    pub fn start_schedule(&self, schedule: Schedule) -> Result<Scheduler> {
        let (stop, stopped) = channel();
        let control = Arc::new(Control::default());
        let (lifecycle, of_thread) = (self.clone(), Arc::clone(&control));
        let thread = std::thread::Builder::new().name("monotable-schedule".to_owned());
        let thread = thread.spawn(move || {
            loop {
                let wait_ms = match lifecycle.run_due(&schedule, &of_thread) {
                    Err(Error::Interrupted) => return,
                    Ok(wait_ms) => wait_ms,
                    Err(error) => {
                        log::error!("the schedule of backups failed: {error}");
                        RETRY_MS
                    }
                };
                let wait = Duration::from_millis(wait_ms).min(SLEEP_MAX);
                if stopped.recv_timeout(wait) != Err(RecvTimeoutError::Timeout) {
                    return;
                }
            }
        });
        let thread =
            thread.map_err(|error| Error::Io(format!("a thread can't be started: {error}")))?;
        Ok(Scheduler { control, stop: Some(stop), thread: Some(thread) })
    }

    /// Runs the tasks that are due. Returns the milliseconds until the next one is due. A failed
    /// backup is reported in [`backup_health`](Self::backup_health) and tried again later.
    ///
    /// # Errors
    /// Fails with [`Error::Interrupted`], or if a directory or record can't be read.
    pub fn run_due(&self, schedule: &Schedule, control: &Control) -> Result<u64> {
        let shared = self.shared();
        let now_ms = || shared.database.now_ms();
        let every_ms = |every: Duration| every.as_millis() as u64;
        let newest = shared.newest_set()?.map(|set| set.created_ms);
        let due_ms = newest.map_or(0, |newest| newest + every_ms(schedule.backup_every));
        let mut backup_ms = due_ms.max(shared.attempts().backup_not_before_ms);
        if backup_ms <= now_ms() {
            let made = self.back_up_all(NAME, control).and_then(|set| {
                self.keep_newest(schedule.keep)?;
                Ok(set.created_ms)
            });
            backup_ms = match made {
                Err(Error::Interrupted) => return Err(Error::Interrupted),
                Ok(made_ms) => {
                    shared.attempts().failure = None;
                    made_ms + every_ms(schedule.backup_every)
                }
                Err(error) => {
                    log::error!("the scheduled backup failed: {error}");
                    shared.attempts().failure = Some(error.to_string());
                    now_ms() + RETRY_MS.min(every_ms(schedule.backup_every))
                }
            };
            shared.attempts().backup_not_before_ms = backup_ms;
        }
        shared.remove_expired_backups()?;
        if let Some(history) = &schedule.history {
            self.trim_history(history)?;
        }
        let mut next_ms = backup_ms;
        if let Some(every) = schedule.drill_every {
            let last = shared.last_drill()?.map(|drill| drill.end_ms);
            let due_ms = last.map_or(0, |last| last + every_ms(every));
            let mut drill_ms = due_ms.max(shared.attempts().drill_not_before_ms);
            if drill_ms <= now_ms() && shared.newest_set()?.is_some() {
                let drill = self.drill(control)?;
                if let Some(failure) = &drill.failure {
                    log::error!("the drill of the backup {} failed: {failure}", drill.backup_id);
                }
                drill_ms = drill.end_ms + every_ms(every);
                shared.attempts().drill_not_before_ms = drill_ms;
            }
            next_ms = next_ms.min(drill_ms);
        }
        Ok(next_ms.saturating_sub(now_ms()).max(1))
    }

    /// Removes commits that no restorable time needs: those before the backup of the oldest such
    /// time.
    fn trim_history(&self, history: &KeptHistory) -> Result<()> {
        let shared = self.shared();
        let oldest_ms = shared.database.now_ms().saturating_sub(history.keep.as_millis() as u64);
        let sets = shared.all_sets()?;
        let base = sets.iter().rfind(|set| set.created_ms <= oldest_ms).or(sets.first());
        let before_ms = base.map_or(0, |set| set.created_ms.saturating_sub(2 * MARGIN_MS));
        // Commits that running restores apply are kept.
        let restores = record::all::<RestoreJob>(&shared.database)?;
        let unfinished = restores.iter().filter(|job| job.failure.is_none());
        let applied = unfinished.filter_map(|job| Some(job.commits.as_ref()?.from_ms));
        let before_ms = before_ms.min(applied.min().unwrap_or(u64::MAX));
        History::open(&history.directory)?.trim(before_ms, history.bytes_max)?;
        Ok(())
    }

    /// Returns the state of backups and drills.
    ///
    /// # Errors
    /// Fails if a directory or a record can't be read.
    pub fn backup_health(&self) -> Result<BackupHealth> {
        let shared = self.shared();
        Ok(BackupHealth {
            newest_ms: shared.newest_set()?.map(|set| set.created_ms),
            failure: shared.attempts().failure.clone(),
            drill: shared.last_drill()?,
        })
    }
}
