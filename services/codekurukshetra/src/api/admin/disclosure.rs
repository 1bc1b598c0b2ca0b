//! Personal data for organisers: masked, unless they say why they need it, which the audit keeps.

use monotable_kit::Masking;

use crate::api::prelude::*;

/// Whether personal data is shown.
#[derive(Body, Clone, Debug)]
#[body(case = "snake")]
pub(crate) struct Disclosure {
    /// Shows names, addresses and telephone numbers in full. It needs a reason.
    #[body(default)]
    pii: bool,
    /// Why they are needed. The audit keeps it.
    #[body(length = 3..=200, example = "badges")]
    reason: Option<String>,
}

impl Disclosure {
    /// Returns how personal data is shown. If it is shown in full, that is in the audit first.
    ///
    /// # Errors
    /// Returns 400 without a reason.
    pub(crate) async fn decide(
        &self,
        app: &App,
        call: &Request,
        action: &str,
        entity: &str,
    ) -> Result<Masking, Problem> {
        if !self.pii {
            return Ok(Masking::Masked);
        }
        let Some(reason) = &self.reason else {
            return Err(Problem::field("reason", "must say why personal data is needed"));
        };
        app.db.create(&app.audit(call, action, entity)?.is("reason", reason)).await?;
        Ok(Masking::Plain)
    }
}
