//! Leases: rows of locks and jobs that belong to a holder until a time.

use std::time::Duration;

use monotable_expression::{Condition, path};

use super::row::RuleRow;
use crate::context::Context;
use crate::error::{Error, Result};
use crate::time::EpochSeconds;
use crate::write::Failure;

impl RuleRow {
    /// Tests that there is a lease and that it has ended.
    pub(super) fn lease_has_ended(&self, context: &Context) -> Condition {
        path(self.attributes.lease).le(context.now_seconds().as_seconds())
    }

    /// Returns whether the end of a lease is also the expiry of its row, so that a row without a
    /// holder is useless.
    pub(super) fn expires_with_lease(&self, context: &Context) -> bool {
        self.attributes.lease == self.expiry(context)
    }

    /// Returns the end of a lease that starts now.
    pub(super) fn lease_end(&self, context: &Context, lease: Duration) -> Result<EpochSeconds> {
        if lease.as_secs() == 0 {
            let message = format!("{} needs a lease of at least one second", self.name());
            return Err(Error::Settings(message));
        }
        Ok(context.now_seconds() + lease)
    }

    /// Returns the failure of a lease that belongs to another holder or was lost.
    pub(super) fn locked(&self) -> Failure {
        let what = self.key.to_string();
        Box::new(move |_| Error::Locked { what })
    }
}
