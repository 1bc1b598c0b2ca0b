//! The three teams of a game, and what they are called in it.

use super::TEAMS;
use crate::api::prelude::*;

/// Returns the teams of a season as a game keeps them.
///
/// # Errors
/// 400 if they are not three different teams of the season.
pub(super) async fn snapshots(
    app: &App,
    season_id: &SeasonId,
    team_ids: Option<&[TeamId]>,
) -> Result<Vec<TeamSnapshot>, Problem> {
    let season = of_season(&app.db, season_id).await?;
    let Some(team_ids) = team_ids else {
        if season.len() == TEAMS {
            return Ok(season);
        }
        return Err(Problem::field("teamIds", "must name three teams of the season"));
    };
    let find = |team_id: &TeamId| season.iter().find(|team| team.team_id == *team_id).cloned();
    let found: Option<Vec<TeamSnapshot>> = team_ids.iter().map(find).collect();
    match found {
        Some(teams) if teams.len() == TEAMS => Ok(teams),
        _ => Err(Problem::field("teamIds", "must name three different teams of the season")),
    }
}

/// Returns the teams of a season.
pub(crate) async fn of_season(
    db: &Store<ThreeFc>,
    season_id: &SeasonId,
) -> Result<Vec<TeamSnapshot>, Problem> {
    let teams = db.teams(season_id).skip_unreadable().all().await?;
    Ok(teams.into_iter().map(TeamSnapshot::from).collect())
}

impl TeamSnapshot {
    /// Returns a team as these call it; one that they do not have is called by its id.
    pub(crate) fn of(team_id: &TeamId, teams: &[Self]) -> Self {
        let known = teams.iter().find(|team| team.team_id == *team_id).cloned();
        let name = team_id.to_string();
        known.unwrap_or_else(|| Self { team_id: team_id.clone(), name, color: None })
    }
}

impl From<Team> for TeamSnapshot {
    fn from(team: Team) -> Self {
        Self { team_id: team.team_id, name: team.name, color: team.color }
    }
}
