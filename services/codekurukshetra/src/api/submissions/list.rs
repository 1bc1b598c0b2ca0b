//! `GET /hackathon/admin/submissions`: what all teams have built.

use super::SubmissionView;
use crate::api::prelude::*;

/// Lists what all teams have built, for organisers.
#[operation(GET "/hackathon/admin/submissions", refuses(Forbidden))]
pub(crate) async fn list_submissions(
    app: &App,
    call: &Call<(), (), Paged>,
) -> Answer<Page<SubmissionView>> {
    policy::administer(call)?;
    let page = call.page().of(app.db.every_submission()).await?;
    Ok(Page::of(page, SubmissionView::of).into())
}
