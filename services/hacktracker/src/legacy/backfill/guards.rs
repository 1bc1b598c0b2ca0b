//! Guards that older programs did not write: of a team's game in progress, and of numbers.

use std::collections::BTreeSet;

use monotable::model::{Result, create, edit};
use monotable_kit::backfill::Look;

use super::{Conflict, Run, is_played};
use crate::table::{
    ActiveGame, Game, GameId, GameKey, GameStatus, HackTrackerReads as _, JerseyNumber, PlayerId,
    TeamId,
};

impl Run<'_> {
    /// Guards the game in progress of every team: if there are several, the most recently changed
    /// one.
    pub(super) async fn guard_games(&self) -> Result<()> {
        let none = BTreeSet::new();
        for team_id in &self.teams {
            let games = self.games_in_progress.get(team_id).unwrap_or(&none);
            let row = format!("TEAM#{team_id} / ACTIVE_GAME");
            self.backfill.settle(row, || self.guard_game(team_id, games)).await?;
        }
        Ok(())
    }

    async fn guard_game(&self, team_id: &TeamId, games: &BTreeSet<GameId>) -> Result<Look> {
        let guard = self.db.active_game(team_id).await?;
        let keys: Vec<GameKey> = games.iter().cloned().map(GameKey::new).collect();
        let games = self.db.games_by_key(&keys).consistent().await?;
        let played: Vec<Game> = games.into_iter().flatten().filter(is_played).collect();
        if let Some(ActiveGame { game_id, .. }) = guard {
            self.compare(team_id, game_id, &played).await?;
            return Ok(Look::Settled);
        }
        let last = played.iter().max_by_key(|game| (game.stamps.updated, &game.game_id));
        let Some(last) = last else { return Ok(Look::Settled) };
        let guard = ActiveGame { team_id: team_id.clone(), game_id: last.game_id.clone() };
        self.db.transact().with(create(guard)).with(edit(last, |_| {})).await?;
        self.backfill.repaired("activeGames", 1);
        // Checks again, to find the games that the guard excludes.
        Ok(Look::Again)
    }

    /// Reports contradictions between the guard of a team and its games.
    async fn compare(&self, team_id: &TeamId, active: GameId, played: &[Game]) -> Result<()> {
        for game in played.iter().filter(|game| game.game_id != active) {
            let (team_id, game_id) = (team_id.clone(), game.game_id.clone());
            let active = active.clone();
            self.backfill.needs_decision(Conflict::SecondGameInProgress {
                team_id,
                game_id,
                active,
            });
        }
        let guarded = self.db.game(&active).consistent().await?;
        if guarded.is_none_or(|game| game.status != GameStatus::InProgress) {
            // The game may have been finished between the two reads: then the guard is gone, too.
            let guard = self.db.active_game(team_id).await?;
            if guard.is_some_and(|guard| guard.game_id == active) {
                let team_id = team_id.clone();
                self.backfill.needs_decision(Conflict::IdleGuard { team_id, game_id: active });
            }
        }
        Ok(())
    }

    /// Guards every number that exactly one player of a team has.
    pub(super) async fn guard_numbers(&self) -> Result<()> {
        for ((team_id, number), wearers) in &self.numbers {
            let wearers: Vec<PlayerId> = wearers.iter().cloned().collect();
            if let [player_id] = wearers.as_slice() {
                let row = format!("TEAM#{team_id} / NUMBER#{number:02}");
                let look = || self.guard_number(team_id, *number, player_id);
                self.backfill.settle(row, look).await?;
            } else {
                self.number_twice(team_id, *number, wearers);
            }
        }
        Ok(())
    }

    async fn guard_number(
        &self,
        team_id: &TeamId,
        number: u8,
        player_id: &PlayerId,
    ) -> Result<Look> {
        let player = self.db.player(team_id, player_id).consistent().await?;
        let Some(player) = player.filter(|player| player.wears_number() == Some(number)) else {
            return Ok(Look::Settled);
        };
        let (team_id, player_id) = (team_id.clone(), player_id.clone());
        match self.db.number(&team_id, number).await? {
            Some(guard) if guard.player_id == player_id => {}
            Some(guard) => self.number_twice(&team_id, number, vec![guard.player_id, player_id]),
            None => {
                let guard = JerseyNumber { team_id, number, player_id };
                self.db.transact().with(create(guard)).with(edit(&player, |_| {})).await?;
                self.backfill.repaired("numbers", 1);
            }
        }
        Ok(Look::Settled)
    }

    fn number_twice(&self, team_id: &TeamId, number: u8, players: Vec<PlayerId>) {
        let team_id = team_id.clone();
        self.backfill.needs_decision(Conflict::NumberTwice { team_id, number, players });
    }
}
