//! `GET /hackathon/admin/judges/{judgeId}/teams`: the teams that a judge scores.

use super::{JudgePath, JudgedTeam, judged_teams};
use crate::api::prelude::*;

/// Lists the teams that a judge scores, for organisers.
#[operation(GET "/hackathon/admin/judges/{judgeId}/teams", refuses(Forbidden))]
pub(crate) async fn list_assigned(
    app: &App,
    call: &Call<JudgePath, (), Paged>,
) -> Answer<Page<JudgedTeam>> {
    policy::administer(call)?;
    let page = call.page().of(app.db.assignments(&call.path.judge_id)).await?;
    let rows = judged_teams(app, &page.rows).await?;
    Ok(Page { rows, next: page.next }.into())
}
