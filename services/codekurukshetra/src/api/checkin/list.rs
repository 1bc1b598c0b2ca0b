//! `GET /hackathon/admin/checkin`: lists arrivals.

use super::ListedArrival;
use crate::api::prelude::*;

/// Lists arrivals, the latest first.
#[operation(GET "/hackathon/admin/checkin", refuses(Forbidden))]
pub(crate) async fn list_arrivals(
    app: &App,
    call: &Call<(), (), Paged>,
) -> Answer<Page<ListedArrival>> {
    policy::administer(call)?;
    let page = call.page().of(app.db.latest_check_ins()).await?;
    let rows = super::named(app, call, &page.rows).await?;
    Ok(Page { rows, next: page.next }.into())
}
