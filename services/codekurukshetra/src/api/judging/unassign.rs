//! `DELETE /hackathon/admin/judges/{judgeId}/teams/{teamId}`: takes a team from a judge.

use super::AssignmentPath;
use crate::api::prelude::*;

/// Takes a team from a judge. A score that the judge has given stays.
#[operation(
    DELETE "/hackathon/admin/judges/{judgeId}/teams/{teamId}", once, refuses(Forbidden, NotFound)
)]
pub(crate) async fn unassign_team(app: &App, call: &Call<AssignmentPath>) -> Answer<NoContent> {
    policy::administer(call)?;
    let AssignmentPath { judge_id, team_id } = &call.path;
    let known = app.db.assignment(judge_id, team_id).await?.ok_or(Refusal::NotFound)?;
    let entity = format!("JUDGE#{judge_id}");
    let entry = app.audit(call, "unassignTeam", entity)?.was("team", team_id.as_str());
    let mut tx = call.transact(&app.db).or_retry();
    tx.add(delete(&known));
    tx.add(create(entry));
    tx.respond(|_| NoContent).await
}
