//! What the corrections have in common: an at-bat is changed or deleted, and with it the score of the game
//! and the counts of players.

use std::sync::Arc;

use monotable::model::{self, create, edit};
use monotable_kit::{Answer, Json, Problem, Request, Response};

use super::{AtBatView, audited, counted};
use crate::api::scope::{self, not_on_team};
use crate::api::{announce, logbook};
use crate::app::App;
use crate::policy::{self, Action, Granted};
use crate::refusal::Refusal;
use crate::rules::count::Count;
use crate::rules::play::Play;
use crate::rules::{batting_order, scoring};
use crate::table::{AtBat, Game, GameStatus, HackTrackerReads as _, Player, PlayerId};

/// A game with its at-bats, for a caller who can change them.
pub(crate) struct ScoredGame<'a> {
    pub(crate) granted: Granted,
    pub(crate) game: &'a Game,
    /// In order.
    pub(crate) at_bats: Arc<Vec<AtBat>>,
}

impl<'a> ScoredGame<'a> {
    /// Reads the at-bats of a game, and authorizes the caller.
    ///
    /// # Errors
    /// 404 and 403 for callers who can't change them.
    pub(crate) async fn of(app: &App, call: &Request, game: &'a Game) -> Result<Self, Problem> {
        let member = scope::member(app, call, game, Action::ManageAtBats);
        let (granted, at_bats) = tokio::try_join!(member, logbook::at_bats(app, game))?;
        Ok(Self { granted, game, at_bats })
    }

    /// Requires that the game is played now.
    ///
    /// # Errors
    /// 409 `GAME_NOT_IN_PROGRESS`.
    pub(crate) fn require_in_progress(&self) -> Result<(), Problem> {
        match self.game.status {
            GameStatus::InProgress => Ok(()),
            _ => Err(Refusal::GameNotInProgress.into()),
        }
    }

    /// Requires that the game is played now, or that the caller can correct a final game.
    ///
    /// # Errors
    /// 409 `GAME_NOT_IN_PROGRESS`, and 403.
    pub(crate) fn require_correctable(&self) -> Result<(), Problem> {
        match self.game.status {
            GameStatus::Final => self.granted.allow(Action::CorrectFinal),
            _ => self.require_in_progress(),
        }
    }

    /// Starts a correction of the at-bat at an index.
    ///
    /// # Errors
    /// 412 if the caller means another version.
    pub(crate) fn correct(
        &'a self,
        app: &'a App,
        call: &'a Request,
        index: usize,
    ) -> Result<Correction<'a>, Problem> {
        call.check_version(self.at_bats[index].stamps.version)?;
        Ok(Correction { app, call, scored: self, index })
    }
}

/// A correction of an at-bat.
pub(crate) struct Correction<'a> {
    app: &'a App,
    call: &'a Request,
    scored: &'a ScoredGame<'a>,
    /// The index of the at-bat in its game.
    index: usize,
}

impl Correction<'_> {
    fn old(&self) -> &AtBat {
        &self.scored.at_bats[self.index]
    }

    /// All at-bats of the game but the one that is corrected.
    fn others(&self) -> impl Iterator<Item = &AtBat> {
        let old = self.old();
        self.scored.at_bats.iter().filter(move |at_bat| at_bat.at_bat_id != old.at_bat_id)
    }

    /// Changes the at-bat, and makes it another batter's if one is named.
    ///
    /// # Errors
    /// 400 for a play that breaks the rules, 409 if the team is deleted.
    pub(crate) async fn change(
        &self,
        batter: Option<&PlayerId>,
        play: &Play<'_>,
    ) -> Answer<Json<AtBatView>> {
        let Self { app, call, scored: ScoredGame { game, at_bats, .. }, .. } = *self;
        let old = self.old();
        let mut new = old.clone();
        let batters = match batter.filter(|player_id| **player_id != old.player_id) {
            Some(player_id) => Some(self.change_batter(&mut new, player_id).await?),
            None => None,
        };
        play.apply(&mut new, Count::after_all(game, &at_bats[..self.index]))?;
        let mut scorers = batting_order::scorers(game, at_bats);
        scorers.push(new.player_id.clone());
        play.check(&new, &scorers)?;
        let score = scoring::runs(self.others().chain([&new]));
        let mut tx = app.db.transact();
        let active = tx.add(policy::check_active(&game.team_id));
        let at_bat = tx.add(edit(old, |at_bat| at_bat.clone_from(&new)));
        tx.add(counted(game, score));
        if let Some((before, after)) = &batters {
            if let Some(before) = before {
                tx.add(before.count_plate_appearances(-1));
            }
            tx.add(after.count_plate_appearances(1));
        }
        if let Some(entry) = audited(app, call, game, "updateAtBat", old)? {
            let entry = entry.was("result", old.result.as_str()).is("result", new.result.as_str());
            let entry = match batters {
                Some(_) => entry
                    .was("playerId", old.player_id.as_str())
                    .is("playerId", new.player_id.as_str()),
                None => entry,
            };
            tx.add(create(entry));
        }
        let answer = call
            .commit(tx)
            .refuse(active, Refusal::TeamDeleted)
            .or_retry()
            .respond(move |done| Json(AtBatView::of(&done[at_bat])))
            .await?;
        announce::game(app, &game.game_id).await;
        Ok(answer)
    }

    /// Makes the at-bat another player's, who bats from another place, and scores if the batter did.
    /// Returns the player before, if that player still exists, and the player after.
    async fn change_batter(
        &self,
        new: &mut AtBat,
        player_id: &PlayerId,
    ) -> Result<(Option<Player>, Player), Problem> {
        let ScoredGame { granted, game, at_bats } = self.scored;
        let (db, team_id) = (&self.app.db, &game.team_id);
        let after = db.player(team_id, player_id).consistent().await?;
        let after = after.ok_or_else(|| not_on_team(std::slice::from_ref(player_id)))?;
        new.batting_order = batting_order::place(&granted.team, game, &after, at_bats)?;
        for runner in new.runs_scored.iter_mut().flatten() {
            if *runner == new.player_id {
                runner.clone_from(player_id);
            }
        }
        let before = db.player(team_id, &new.player_id).consistent().await?;
        new.player_id.clone_from(player_id);
        Ok((before, after))
    }

    /// Deletes the at-bat.
    ///
    /// # Errors
    /// 409 if the team is deleted.
    pub(crate) async fn delete<R: Response>(
        &self,
        response: impl Fn() -> R + Send + Sync + 'static,
    ) -> Answer<R> {
        let Self { app, call, scored: ScoredGame { game, .. }, .. } = *self;
        let old = self.old();
        let player = app.db.player(&old.team_id, &old.player_id).consistent().await?;
        let score = scoring::runs(self.others());
        let mut tx = app.db.transact();
        let active = tx.add(policy::check_active(&game.team_id));
        tx.add(model::delete(old));
        tx.add(counted(game, score));
        if let Some(player) = player {
            tx.add(player.count_plate_appearances(-1));
        }
        if let Some(entry) = audited(app, call, game, "deleteAtBat", old)? {
            tx.add(create(entry.was("result", old.result.as_str())));
        }
        let answer = call
            .commit(tx)
            .refuse(active, Refusal::TeamDeleted)
            .or_retry()
            .respond(move |_| response())
            .await?;
        announce::game(app, &game.game_id).await;
        Ok(answer)
    }
}
