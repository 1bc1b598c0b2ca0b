//! Leases: rows that belong to somebody until a time, of locks and jobs.

use std::time::Duration;

use monotable_expression::{Condition, path};

use super::row::RuleRow;
use crate::context::Context;
use crate::error::{Error, Result};
use crate::time::EpochSeconds;
use crate::write::Failure;

impl RuleRow {
    /// There is a lease, and its time is over.
    pub(super) fn lease_has_ended(&self, context: &Context) -> Condition {
        path(self.attributes.lease).le(context.now_seconds().as_seconds())
    }

    /// Whether the end of a lease is the row's expiry, so that a row without holder is of no use.
    pub(super) fn expires_with_lease(&self, context: &Context) -> bool {
        self.attributes.lease == self.expiry(context)
    }

    /// The end of a lease that starts now.
    pub(super) fn lease_end(&self, context: &Context, lease: Duration) -> Result<EpochSeconds> {
        if lease.as_secs() == 0 {
            let message = format!("{} needs a lease of at least one second", self.name());
            return Err(Error::Settings(message));
        }
        Ok(context.now_seconds() + lease)
    }

    /// The failure of a lease that is another's, or was lost.
    pub(super) fn locked(&self) -> Failure {
        let what = self.key.to_string();
        Box::new(move |_| Error::Locked { what })
    }
}
