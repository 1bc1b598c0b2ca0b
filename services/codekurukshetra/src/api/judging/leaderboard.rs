//! `GET /hackathon/admin/leaderboard`: the teams by their scores.

use super::criteria_of_event;
use crate::api::prelude::*;
use crate::rules::judging::{ScoreSheet, Standing, leaderboard};

/// The teams by their scores.
#[derive(View)]
pub(crate) struct LeaderboardView {
    /// The best first; teams that too few judges have scored come last.
    pub(crate) teams: Vec<StandingView>,
}

/// A team on the leaderboard.
#[derive(View)]
#[view(case = "snake")]
pub(crate) struct StandingView {
    /// Teams with the same score share one. Absent until two judges have scored the team.
    pub(crate) rank: Option<u32>,
    pub(crate) team_id: TeamId,
    #[view(example = "Code Warriors")]
    pub(crate) name: String,
    /// The judges who have scored it.
    #[view(example = 2)]
    pub(crate) judges: usize,
    /// The mean of its points, by the weights of the criteria.
    #[view(example = 7.25)]
    pub(crate) points: f64,
    /// The mean of its scores: by how many standard deviations of a judge's points the team is above that judge's
    /// mean.
    #[view(example = 0.8)]
    pub(crate) score: f64,
}

/// Returns the teams by their scores, in which a strict judge counts as much as a generous one.
#[operation(GET "/hackathon/admin/leaderboard", refuses(Forbidden))]
pub(crate) async fn get_leaderboard(app: &App, call: &Call) -> Answer<Json<LeaderboardView>> {
    policy::administer(call)?;
    Ok(Json(LeaderboardView { teams: standings(app).await? }).into())
}

/// Returns the leaderboard. Teams that do not take part any more are left out.
///
/// # Errors
/// Returns the errors of the table.
pub(crate) async fn standings(app: &App) -> Result<Vec<StandingView>, Problem> {
    let scores = app.db.every_score().all().await?;
    let mut ids: Vec<TeamId> = scores.iter().map(|score| score.team_id.clone()).collect();
    ids.sort_unstable();
    ids.dedup();
    let keys: Vec<TeamKey> = ids.into_iter().map(TeamKey::new).collect();
    let is_confirmed = |team: &Team| team.registration() == RegistrationStatus::Confirmed;
    let teams = app.db.teams_by_key(&keys).await?.into_iter().flatten().filter(is_confirmed);
    let teams: std::collections::BTreeMap<String, Team> =
        teams.map(|team| (team.team_id.to_string(), team)).collect();
    let sheets: Vec<ScoreSheet> = scores
        .into_iter()
        .filter(|score| teams.contains_key(score.team_id.as_str()))
        .map(|score| ScoreSheet {
            judge: score.judge_id.to_string(),
            team: score.team_id.to_string(),
            points: score.criteria,
        })
        .collect();
    let shown = |standing: Standing| {
        let team = teams.get(&standing.team)?;
        let Standing { rank, judges, points, score, .. } = standing;
        let (team_id, name) = (team.team_id.clone(), team.name.0.clone());
        Some(StandingView { rank, team_id, name, judges, points, score })
    };
    Ok(leaderboard(&criteria_of_event(app).await?, &sheets).into_iter().filter_map(shown).collect())
}
