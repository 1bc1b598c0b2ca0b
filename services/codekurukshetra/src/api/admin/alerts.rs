//! `GET /hackathon/admin/alerts`: lists what organisers must look at.

use super::audit::MonthQuery;
use crate::api::prelude::*;

/// Something that organisers must look at.
#[derive(View)]
#[view(of = Alert, case = "snake", list = "alerts")]
pub(crate) struct AlertView {
    at: Timestamp,
    entry_id: EntryId,
    #[view(example = "unknown_order")]
    kind: String,
    #[view(example = "The gateway reports a payment of the order order_1, which is unknown.")]
    text: String,
}

/// Lists what organisers must look at, newest first.
#[operation(GET "/hackathon/admin/alerts", refuses(InvalidRequest, Forbidden))]
pub(crate) async fn list_alerts(
    app: &App,
    call: &Call<(), (), MonthQuery>,
) -> Answer<Page<AlertView>> {
    policy::administer(call)?;
    let alerts = app.db.alerts(&call.query.month(app.db.now())).consistent();
    Ok(Page::of(call.page().of(alerts).await?, AlertView::of).into())
}
