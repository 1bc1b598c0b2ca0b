//! `GET /hackathon/team/{teamId}/submission`: what a team has built.

use super::SubmissionView;
use crate::api::prelude::*;

/// Returns what a team has built, to its members, its judges and organisers.
#[operation(GET "/hackathon/team/{teamId}/submission", refuses(NotFound, Forbidden))]
pub(crate) async fn get_submission(
    app: &App,
    call: &Call<TeamPath>,
) -> Answer<Json<SubmissionView>> {
    policy::team(app, call, &call.path.team_id, Action::View).await?;
    let submission = app.db.submission(&call.path.team_id).await?;
    let submission = submission
        .ok_or_else(|| Refusal::NotFound.text("The team has not handed in anything yet."))?;
    Ok(Json(SubmissionView::of(&submission)).into())
}
