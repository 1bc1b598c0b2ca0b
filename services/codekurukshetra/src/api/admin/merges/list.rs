//! `GET /hackathon/admin/colleges/merges`: lists spellings of colleges that count as others.

use super::MergeView;
use crate::api::prelude::*;

/// Lists spellings of colleges that count as others.
#[operation(GET "/hackathon/admin/colleges/merges", refuses(Forbidden))]
pub(crate) async fn list_college_merges(
    app: &App,
    call: &Call<(), (), Paged>,
) -> Answer<Page<MergeView>> {
    policy::administer(call)?;
    let page = call.page().of(app.db.college_merges().consistent()).await?;
    Ok(Page::of(page, MergeView::of).into())
}
