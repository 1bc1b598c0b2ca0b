//! `POST /hackathon/admin/judges/{judgeId}/teams`: gives a judge teams to score.

use super::JudgePath;
use crate::api::prelude::*;

/// Teams in one request: each takes two operations of a transaction.
const TEAMS_MAX: usize = 40;

/// Teams for a judge.
#[derive(Debug, Body)]
#[body(case = "snake")]
pub(crate) struct TeamsToScore {
    /// At most 40 in one request. Those that the judge scores already stay.
    #[body(items = 1..=TEAMS_MAX, unique, label = "Teams")]
    team_ids: Vec<TeamId>,
}

/// Gives a judge teams to score. The id of a judge is the account of a user who has the role.
#[operation(
    POST "/hackathon/admin/judges/{judgeId}/teams", once, refuses(Forbidden, NotFound)
)]
pub(crate) async fn assign_teams(
    app: &App,
    call: &Call<JudgePath, TeamsToScore>,
) -> Answer<NoContent> {
    let account_id = policy::administer(call)?;
    let judge_id = &call.path.judge_id;
    let mut tx = call.transact(&app.db).or_retry();
    for team_id in &call.body.team_ids {
        let team = app.db.team(team_id).await?;
        let unknown = || Refusal::NotFound.text(format!("There is no team {team_id}."));
        let team = team.ok_or_else(unknown)?;
        if app.db.assignment(judge_id, team_id).await?.is_some() {
            continue;
        }
        tx.add(check(&team.key(), team.unchanged()));
        tx.expect(create(Assignment {
            judge_id: judge_id.clone(),
            team_id: team_id.clone(),
            assigned_by: account_id.clone(),
            stamps: Stamps::default(),
        }));
    }
    let entity = format!("JUDGE#{judge_id}");
    let ids: Vec<&str> = call.body.team_ids.iter().map(TeamId::as_str).collect();
    tx.add(create(app.audit(call, "assignTeams", entity)?.is("teams", ids.join(" "))));
    tx.respond(|_| NoContent).await
}
