//! How the event grows, as metrics: by the counters of the table, which all servers share.

use std::sync::{Mutex, PoisonError};

use monotable::model::Store;
use monotable_kit::{Metrics, Problem};

use crate::table::{CodeKurukshetra, CodeKurukshetraReads as _, TotalStats};

monotable_kit::measures! {
    /// How much the counters of the event grew since the process looked at them first.
    struct GrowthCounts {
        /// Teams that registered at any server since this process started.
        registrations: Counter = "codekurukshetra_registrations_total",
        /// Payments that were captured at any server since this process started.
        captured: Counter = "codekurukshetra_payments_captured_total",
        /// Payments that failed at any server since this process started.
        failed: Counter = "codekurukshetra_payments_failed_total",
    }
}

/// How the event grew since the process looked first.
#[derive(Debug, Default)]
pub(crate) struct Growth {
    counts: GrowthCounts,
    last: Mutex<Option<TotalStats>>,
}

impl Growth {
    /// Shows the counts among the metrics.
    pub(crate) fn measure(&self, metrics: &Metrics) {
        self.counts.measure(metrics);
    }

    /// Looks at the counters of the event.
    ///
    /// # Errors
    /// Returns the errors of the table.
    pub(crate) async fn look(&self, db: &Store<CodeKurukshetra>) -> Result<(), Problem> {
        let totals = db.totals().await?.unwrap_or_default();
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(last) = &*last {
            let GrowthCounts { registrations, captured, failed } = &self.counts;
            registrations.add(totals.registrations.saturating_sub(last.registrations));
            captured.add(totals.payments_paid.saturating_sub(last.payments_paid));
            failed.add(totals.payments_failed.saturating_sub(last.payments_failed));
        }
        *last = Some(totals);
        Ok(())
    }
}
