//! `DELETE /hackathon/admin/judges/{judgeId}/teams/{teamId}`: takes a team from a judge.

use super::AssignmentPath;
use crate::api::prelude::*;

/// Takes a team from a judge. A score that the judge has given stays.
#[operation(
    DELETE "/hackathon/admin/judges/{judgeId}/teams/{teamId}", once, refuses(Forbidden, NotFound)
)]
pub(crate) async fn unassign_team(app: &App, call: &Call<AssignmentPath>) -> Answer<NoContent> {
    let account_id = policy::administer(call)?;
    let AssignmentPath { judge_id, team_id } = &call.path;
    let known = app.db.assignment(judge_id, team_id).await?.ok_or(Refusal::NotFound)?;
    let entity = format!("JUDGE#{judge_id}");
    let entry = Audit::of_service(app.db.now(), app.new_id()?, "unassign_team", entity)
        .by(account_id, call)
        .was("team", team_id.as_str());
    let mut tx = call.transact(&app.db).or_retry();
    tx.add(delete(&known));
    tx.add(create(entry));
    tx.respond(|_| NoContent).await
}
