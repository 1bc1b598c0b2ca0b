//! What changes of at-bats have in common: the score of the game and the counts of players change too.

use std::sync::Arc;

use super::{AtBatView, audited, counted};
use crate::api::prelude::*;
use crate::rules::count::Count;
use crate::rules::play::Play;
use crate::rules::{batting_order, scoring};

/// A game with its at-bats, for a caller who can change them.
pub(crate) struct ScoredGame<'a> {
    app: &'a App,
    call: &'a Request,
    pub(crate) granted: Granted,
    pub(crate) game: Game,
    /// In order.
    pub(crate) at_bats: Arc<Vec<AtBat>>,
}

impl<'a> ScoredGame<'a> {
    /// Reads a game with its at-bats, and authorizes the caller.
    ///
    /// # Errors
    ///
    /// Returns 404 and 403 for callers who cannot change them.
    pub(crate) async fn read(
        app: &'a App,
        call: &'a Request,
        game_id: &GameId,
    ) -> Result<Self, Problem> {
        Self::of(app, call, scope::stored_game(app, game_id).await?).await
    }

    /// Reads the at-bats of a game, and authorizes the caller.
    ///
    /// # Errors
    ///
    /// Returns 404 and 403 for callers who cannot change them.
    pub(crate) async fn of(app: &'a App, call: &'a Request, game: Game) -> Result<Self, Problem> {
        let member = scope::member(app, call, &game, Action::ManageAtBats);
        let (granted, at_bats) = tokio::try_join!(member, logbook::at_bats(app, &game))?;
        Ok(Self { app, call, granted, game, at_bats })
    }

    /// Requires that the game is played now.
    ///
    /// # Errors
    /// Returns 409 `GAME_NOT_IN_PROGRESS`.
    pub(crate) fn require_in_progress(&self) -> Result<(), Problem> {
        match self.game.status {
            GameStatus::InProgress => Ok(()),
            _ => Err(Refusal::GameNotInProgress.into()),
        }
    }

    /// Requires that the game is played now, or that the caller can correct a final game.
    ///
    /// # Errors
    /// Returns 409 `GAME_NOT_IN_PROGRESS`, and 403.
    pub(crate) fn require_correctable(&self) -> Result<(), Problem> {
        match self.game.status {
            GameStatus::Final => self.granted.allow(Action::CorrectFinal),
            _ => self.require_in_progress(),
        }
    }

    /// Returns all at-bats but one.
    fn others(&self, index: usize) -> impl Iterator<Item = &AtBat> {
        self.at_bats[..index].iter().chain(&self.at_bats[index + 1..])
    }

    /// Changes the at-bat at an index, and assigns it to another batter if one is named.
    ///
    /// # Errors
    /// Returns 412 if the caller means another version, 400 for a play that breaks the rules.
    pub(crate) async fn change(
        &self,
        index: usize,
        batter: Option<&PlayerId>,
        play: &Play<'_>,
    ) -> Answer<Json<AtBatView>> {
        let Self { app, call, game, at_bats, .. } = self;
        let old = &at_bats[index];
        call.check_version(old.stamps.version)?;
        let mut new = old.clone();
        let batters = match batter.filter(|player_id| **player_id != old.player_id) {
            Some(player_id) => Some(self.change_batter(&mut new, player_id).await?),
            None => None,
        };
        play.apply(&mut new, Count::after_all(game, &at_bats[..index]))?;
        let mut scorers = batting_order::scorers(game, at_bats);
        scorers.push(new.player_id.clone());
        play.check(&new, &scorers)?;
        let mut tx = scope::change(app, call, &game.team_id);
        let at_bat = tx.add(edit(old, |at_bat| at_bat.clone_from(&new)));
        tx.add(counted(game, scoring::runs(self.others(index).chain([&new]))));
        let mut entry = audited(app, call, game, "updateAtBat", old)?;
        entry = entry.map(|entry| entry.was("result", &*old.result).is("result", &*new.result));
        if let Some((before, after)) = &batters {
            if let Some(before) = before {
                tx.add(before.count_plate_appearances(-1));
            }
            tx.add(after.count_plate_appearances(1));
            let (old, new) = (old.player_id.as_str(), new.player_id.as_str());
            entry = entry.map(|entry| entry.was("playerId", old).is("playerId", new));
        }
        if let Some(entry) = entry {
            tx.add(create(entry));
        }
        tx.afterwards(announce::game(app, &game.game_id))
            .respond(move |done| Json(AtBatView::of(&done[at_bat])))
            .await
    }

    /// Assigns the at-bat to another player, who bats from another place, and scores if the batter
    /// did. Returns the previous player, if that player still exists, and the new one.
    async fn change_batter(
        &self,
        new: &mut AtBat,
        player_id: &PlayerId,
    ) -> Result<(Option<Player>, Player), Problem> {
        let (db, team_id) = (&self.app.db, &self.game.team_id);
        let after = db.player(team_id, player_id).consistent().await?;
        let after = after.ok_or_else(|| not_on_team(std::slice::from_ref(player_id)))?;
        new.batting_order =
            batting_order::place(&self.granted.team, &self.game, &after, &self.at_bats)?;
        for runner in new.runs_scored.iter_mut().flatten() {
            if *runner == new.player_id {
                runner.clone_from(player_id);
            }
        }
        let before = db.player(team_id, &new.player_id).consistent().await?;
        new.player_id.clone_from(player_id);
        Ok((before, after))
    }

    /// Deletes the at-bat at an index.
    ///
    /// # Errors
    /// Returns 412 if the caller means another version.
    pub(crate) async fn delete<R: Response>(
        &self,
        index: usize,
        response: impl Fn() -> R + Send + Sync + 'static,
    ) -> Answer<R> {
        let Self { app, call, game, .. } = self;
        let old = &self.at_bats[index];
        call.check_version(old.stamps.version)?;
        let player = app.db.player(&old.team_id, &old.player_id).consistent().await?;
        let mut tx = scope::change(app, call, &game.team_id);
        tx.add(delete(old));
        tx.add(counted(game, scoring::runs(self.others(index))));
        if let Some(player) = player {
            tx.add(player.count_plate_appearances(-1));
        }
        if let Some(entry) = audited(app, call, game, "deleteAtBat", old)? {
            tx.add(create(entry.was("result", &*old.result)));
        }
        tx.afterwards(announce::game(app, &game.game_id)).respond(move |_| response()).await
    }
}
