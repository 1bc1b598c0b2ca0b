//! `GET /hackathon/admin/audit`: lists what was done in a month.

use std::collections::BTreeMap;

use crate::api::prelude::*;

/// The month that is listed.
#[derive(Body, Debug)]
#[body(paged)]
pub(crate) struct MonthQuery {
    /// The month, as `yyyymm` in UTC; the present one unless set.
    #[body(check = month, example = "202701")]
    month: Option<String>,
}

impl MonthQuery {
    /// Returns the month.
    pub(super) fn month(&self, now: Timestamp) -> Month {
        let named = self.month.as_ref().and_then(|month| month.parse().ok());
        named.unwrap_or_else(|| Month::of(now))
    }
}

/// Returns a month in its form.
fn month(text: &str) -> Result<String, String> {
    let is_number = text.len() == 6 && text.bytes().all(|digit| digit.is_ascii_digit());
    let is_month = is_number && (1..=12).contains(&text[4..].parse().unwrap_or(0));
    is_month.then(|| text.to_owned()).ok_or_else(|| "must be a month such as 202701".to_owned())
}

/// A line of the audit.
#[derive(View)]
#[view(of = Audit, case = "snake", list = "entries")]
pub(crate) struct AuditView {
    at: Timestamp,
    entry_id: EntryId,
    /// The account; absent where the service acted by itself.
    actor: Option<AccountId>,
    #[view(example = "refund")]
    action: String,
    #[view(example = "TEAM#1")]
    entity: String,
    before: BTreeMap<String, String>,
    after: BTreeMap<String, String>,
    request_id: Option<String>,
}

/// Lists what was done in a month, newest first.
#[operation(GET "/hackathon/admin/audit", refuses(InvalidRequest, Forbidden))]
pub(crate) async fn list_audit(
    app: &App,
    call: &Call<(), (), MonthQuery>,
) -> Answer<Page<AuditView>> {
    policy::administer(call)?;
    let entries = app.db.audit(&call.query.month(app.db.now())).consistent();
    Ok(Page::of(call.page().of(entries).await?, AuditView::of).into())
}
