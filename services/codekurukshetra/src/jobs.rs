//! Background work: what operations promise, and what is looked for regularly.

pub(crate) mod sweep;

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use monotable::model::Store;
use monotable::model::time::Timestamp;
use monotable_kit::Problem;
use monotable_kit::jobs::Jobs;

use crate::app::App;
use crate::gateway::Gateway;
use crate::table::CodeKurukshetra;

/// When each kind of regular work is due. A process begins with all of it.
#[derive(Debug, Default)]
pub(crate) struct Schedule {}

/// Work that is done again and again.
#[derive(Debug, Default)]
pub(crate) struct Regular {
    next_ms: AtomicI64,
}

impl Regular {
    /// Returns whether the work is due, and waits for the next time in that case.
    pub(crate) fn is_due(&self, now: Timestamp, seconds: u32) -> bool {
        let now_ms = now.as_ms();
        let is_due = now_ms >= self.next_ms.load(Ordering::Relaxed);
        if is_due {
            self.next_ms.store(now_ms + i64::from(seconds) * 1_000, Ordering::Relaxed);
        }
        is_due
    }
}

/// Returns the worker for everything that operations promise.
pub(crate) fn jobs(
    db: Store<CodeKurukshetra>,
    _gateway: Arc<dyn Gateway>,
) -> Jobs<CodeKurukshetra> {
    Jobs::new(db)
}

/// Does the background work that is due.
pub(crate) async fn work(app: &App) -> Result<(), Problem> {
    app.background.work().await?;
    Ok(())
}
