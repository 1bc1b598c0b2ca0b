//! A season with the results of its finished games: what all of its tables are made of.

use std::collections::BTreeMap;

use super::players;
use crate::api::games::{self, SeasonGame, teams};
use crate::api::prelude::*;
use crate::legacy::whole;

/// A season and its games.
pub(crate) struct PlayedSeason {
    pub(crate) season: Season,
    pub(crate) games: Vec<SeasonGame>,
}

impl PlayedSeason {
    /// Reads a season that everybody can see.
    ///
    /// # Errors
    /// Returns 404 if it does not exist.
    pub(crate) async fn read(app: &App, season_id: &SeasonId) -> Result<Self, Problem> {
        let season = whole::season(&app.db, season_id).await?.ok_or(Refusal::NotFound)?;
        let league = app.db.league(&season.league_id).await?;
        if league.is_none_or(|league| league.deleted_at.is_some()) {
            return Err(Refusal::NotFound.into());
        }
        Ok(Self { season, games: games::of_season(app, season_id).await? })
    }

    /// Returns the results of its finished games.
    pub(crate) fn results(&self) -> Vec<&GameResult> {
        self.games.iter().filter_map(|game| game.result.as_ref()).collect()
    }

    /// Returns its teams, and those that played in it and are not in it any more.
    pub(crate) async fn teams(&self, app: &App) -> Result<Vec<TeamSnapshot>, Problem> {
        let mut teams = teams::of_season(&app.db, &self.season.season_id).await?;
        for game in &self.games {
            for team in game.result.iter().flat_map(|result| &result.teams) {
                if teams.iter().all(|known| known.team_id != team.team_id) {
                    teams.push(TeamSnapshot::of(&team.team_id, &game.teams));
                }
            }
        }
        Ok(teams)
    }

    /// Returns the nicknames of the players in its results.
    pub(crate) async fn nicknames(&self, app: &App) -> Result<BTreeMap<PlayerId, String>, Problem> {
        let results = self.results().into_iter();
        let lines = results.flat_map(|result| &result.players);
        let ids = lines.map(|line| line.player_id.clone()).collect();
        let players = players(app, ids).await?.into_iter();
        Ok(players.map(|(player_id, player)| (player_id, player.nickname)).collect())
    }
}
