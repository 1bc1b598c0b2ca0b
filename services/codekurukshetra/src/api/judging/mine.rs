//! `GET /hackathon/judging/teams`: the teams that the caller scores.

use super::{JudgedTeam, judged_teams};
use crate::api::prelude::*;

/// Lists the teams that you score, with what they have handed in and your scores.
#[operation(GET "/hackathon/judging/teams", refuses(Forbidden))]
pub(crate) async fn list_judged(app: &App, call: &Call<(), (), Paged>) -> Answer<Page<JudgedTeam>> {
    let judge_id = judge(call)?;
    let page = call.page().of(app.db.assignments(&judge_id)).await?;
    let rows = judged_teams(app, &page.rows).await?;
    Ok(Page { rows, next: page.next }.into())
}

/// Authorizes a judge, or an organiser, who can be one, too.
///
/// # Errors
/// Returns 401 if the caller is not signed in, or 403 if the caller is another person.
pub(crate) fn judge(call: &Request) -> Result<JudgeId, Problem> {
    let principal = call.principal()?;
    Refusal::Forbidden.unless(policy::is_judge(principal) || policy::is_admin(principal))?;
    call.user()
}
