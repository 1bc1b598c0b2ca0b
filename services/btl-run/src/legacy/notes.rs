//! Repairs while the service runs: each is counted and logged.

use std::sync::Arc;

use monotable::model::time::Timestamp;
use monotable_kit::{Counter, LogSink, Metrics, NoLog};
use serde_json::{Value, json};

use crate::service::NAME;

/// The destination of repairs.
#[derive(Clone)]
pub(crate) struct Repairs {
    log: Arc<dyn LogSink>,
    done: Counter,
}

impl Default for Repairs {
    fn default() -> Self {
        Self { log: Arc::new(NoLog), done: Counter::default() }
    }
}

impl Repairs {
    /// Writes repairs to this log.
    pub(crate) fn log(self, log: Arc<dyn LogSink>) -> Self {
        Self { log, ..self }
    }

    /// Records a repair: what was done, and to which row. It contains no texts of users.
    pub(super) fn note(&self, repair: &str, of: &Value, now: Timestamp) {
        self.done.add(1);
        let line = json!({ "time": now, "service": NAME, "repair": repair, "of": of });
        self.log.write(format!("{line}\n").as_bytes());
    }

    /// Counts repairs.
    pub(crate) fn measure(&self, metrics: &Metrics) {
        let about = "Damaged states and orphaned events that were repaired.";
        metrics.count("btl_run_repairs_total", about, &self.done);
    }
}
