//! The three teams of a game, and what they are called in it.

use super::TEAMS;
use crate::api::prelude::*;

/// Returns the teams of a season as a game keeps them.
///
/// # Errors
/// Returns 400 if they are not three different teams of the season.
pub(super) async fn snapshots(
    app: &App,
    season_id: &SeasonId,
    team_ids: Option<&[TeamId]>,
) -> Result<Vec<TeamSnapshot>, Problem> {
    let season = of_season(&app.db, season_id).await?;
    let find = |team_id: &TeamId| season.iter().find(|team| team.team_id == *team_id).cloned();
    let found: Option<Vec<TeamSnapshot>> = match team_ids {
        Some(team_ids) => team_ids.iter().map(find).collect(),
        None => Some(season),
    };
    let wrong = || Problem::field("teamIds", "must name three different teams of the season");
    found.filter(|teams| teams.len() == TEAMS).ok_or_else(wrong)
}

/// Returns the teams of a season.
pub(crate) async fn of_season(
    db: &Store<ThreeFc>,
    season_id: &SeasonId,
) -> Result<Vec<TeamSnapshot>, Problem> {
    let teams = db.teams(season_id).skip_unreadable().all().await?;
    let snapshot = |Team { team_id, name, color, .. }| TeamSnapshot { team_id, name, color };
    Ok(teams.into_iter().map(snapshot).collect())
}

impl TeamSnapshot {
    /// Returns a team as these call it; one that they do not have is called by its id.
    pub(crate) fn of(team_id: &TeamId, teams: &[Self]) -> Self {
        let known = teams.iter().find(|team| team.team_id == *team_id).cloned();
        let name = team_id.to_string();
        known.unwrap_or_else(|| Self { team_id: team_id.clone(), name, color: None })
    }
}
