//! Corrections: a plate appearance is changed or deleted, the last one is taken back, or the inning ends
//! with it.

use monotable::model::{self, create, edit};
use monotable_kit::{Problem, ProblemKind, Reply, Request, repeat};
use serde::Deserialize;

use super::play::Play;
use super::{audited, count, counted, not_found, not_in_progress, place, position, scorers};
use crate::app::App;
use crate::commands::games::scoring;
use crate::commands::scope::{self, not_on_team};
use crate::entities::{AtBat, Game, GameStatus, Player, Team};
use crate::ids::{AtBatId, GameId, PlayerId};
use crate::patterns::HackTrackerReads as _;
use crate::policy::{self, Action};
use crate::views::count::replayed;
use crate::{announce, logbook, show};

/// Which plate appearance is corrected, and how.
enum Correction {
    /// It is changed.
    Update(AtBatId, Box<Play>),
    /// It is deleted.
    Delete(AtBatId),
    /// The last one is deleted, while the game is played; it must be this one, if that is said.
    Undo(Option<AtBatId>),
    /// The inning ends with the last one, while the game is played; it must be this one, if that is
    /// said.
    EndInning(Option<AtBatId>),
}

/// `PUT /games/{gameId}/atbats/{atBatId}`.
pub(crate) async fn update(app: &App, call: &Request) -> Result<Reply, Problem> {
    correct(app, call, &Correction::Update(call.id("atBatId")?, Box::new(call.read()?))).await
}

/// `DELETE /games/{gameId}/atbats/{atBatId}`.
pub(crate) async fn delete(app: &App, call: &Request) -> Result<Reply, Problem> {
    correct(app, call, &Correction::Delete(call.id("atBatId")?)).await
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Last {
    at_bat_id: Option<AtBatId>,
}

/// `POST /games/{gameId}/atbats/undo`.
pub(crate) async fn undo(app: &App, call: &Request) -> Result<Reply, Problem> {
    let Last { at_bat_id } = call.read()?;
    correct(app, call, &Correction::Undo(at_bat_id)).await
}

/// `POST /games/{gameId}/innings/end`.
pub(crate) async fn end_inning(app: &App, call: &Request) -> Result<Reply, Problem> {
    let Last { at_bat_id } = call.read()?;
    correct(app, call, &Correction::EndInning(at_bat_id)).await
}

async fn correct(app: &App, call: &Request, correction: &Correction) -> Result<Reply, Problem> {
    let game_id: GameId = call.id("gameId")?;
    let turn = app.turn(&game_id).await;
    let reply = match correction {
        Correction::Update(..) | Correction::Delete(_) => {
            repeat(|| attempt(app, call, &game_id, correction)).await?
        }
        // When somebody else was faster, the last one is another than the caller has seen.
        Correction::Undo(_) | Correction::EndInning(_) => {
            attempt(app, call, &game_id, correction).await?
        }
    };
    drop(turn);
    announce::game(app, &game_id).await;
    Ok(reply)
}

/// A plate appearance of a game that is being corrected.
struct Corrected<'a> {
    app: &'a App,
    call: &'a Request,
    team: &'a Team,
    game: &'a Game,
    /// All of the game, in order.
    at_bats: &'a [AtBat],
    /// Which of them it is.
    index: usize,
}

async fn attempt(
    app: &App,
    call: &Request,
    game_id: &GameId,
    correction: &Correction,
) -> Result<Reply, Problem> {
    let game = scope::there(app.db.game(game_id).consistent().await?)?;
    let member = scope::member(app, call, &game, Action::ManageAtBats);
    let (granted, at_bats) = tokio::try_join!(member, logbook::at_bats(app, &game))?;
    match (game.status, correction) {
        (GameStatus::InProgress, _) => {}
        (GameStatus::Final, Correction::Update(..) | Correction::Delete(_)) => {
            granted.allow(Action::CorrectFinal)?;
        }
        _ => return Err(not_in_progress()),
    }
    let index = match correction {
        Correction::Update(id, _) | Correction::Delete(id) => position(&at_bats, id)?,
        Correction::Undo(_) => at_bats.len().checked_sub(1).ok_or_else(not_found)?,
        Correction::EndInning(_) => last_of_inning(&game, &at_bats)?,
    };
    if let Correction::Undo(Some(meant)) | Correction::EndInning(Some(meant)) = correction
        && at_bats[index].at_bat_id != *meant
    {
        let text = "Another at-bat is the last one. Fetch the game again and retry.";
        return Err(Problem::new(ProblemKind::Precondition, "PRECONDITION_FAILED", text));
    }
    call.check_version(at_bats[index].stamps.version)?;
    let corrected =
        Corrected { app, call, team: &granted.team, game: &game, at_bats: &at_bats, index };
    match correction {
        Correction::Update(_, play) => corrected.change(play).await,
        Correction::EndInning(_) => corrected.change(&Play::end_of_inning()).await,
        Correction::Delete(_) => corrected.delete(Reply::no_content).await,
        Correction::Undo(_) => {
            let shown = show::at_bat(&replayed(&game, &at_bats)[index]);
            corrected.delete(move || Reply::ok(&shown)).await
        }
    }
}

/// The last plate appearance, if it is of the inning that is being played.
///
/// # Errors
/// 409 `INNING_NOT_BEGUN`.
fn last_of_inning(game: &Game, at_bats: &[AtBat]) -> Result<usize, Problem> {
    let now = count(game, at_bats).inning;
    let index = at_bats.len().checked_sub(1);
    let index = index.filter(|index| count(game, &at_bats[..*index]).inning == now);
    index.ok_or_else(|| {
        let text = format!("Nobody has batted in inning {now} yet, so it can't end.");
        Problem::conflict("INNING_NOT_BEGUN", text).with("inning", now)
    })
}

impl Corrected<'_> {
    fn old(&self) -> &AtBat {
        &self.at_bats[self.index]
    }

    /// All of the game but the one that is corrected.
    fn others(&self) -> impl Iterator<Item = &AtBat> {
        let old = self.old();
        self.at_bats.iter().filter(move |at_bat| at_bat.at_bat_id != old.at_bat_id)
    }

    async fn change(&self, play: &Play) -> Result<Reply, Problem> {
        let Self { app, call, game, .. } = *self;
        let old = self.old();
        let mut new = old.clone();
        let batters = match play.other_batter(&old.player_id) {
            Some(player_id) => Some(self.change_batter(&mut new, player_id).await?),
            None => None,
        };
        play.apply(&mut new, count(game, &self.at_bats[..self.index]))?;
        let mut scorers = scorers(game, self.at_bats);
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
        call.commit(tx)
            .refuse(active, policy::team_deleted())
            .or_retry()
            .reply(move |done| {
                let at_bat = &done[at_bat];
                Reply::ok(&show::at_bat(at_bat)).version(at_bat.stamps.version)
            })
            .await
    }

    /// Makes it another player's, who bats from another place, and scores if the batter did. Tells who
    /// it was, if the player is still there, and who it is.
    async fn change_batter(
        &self,
        new: &mut AtBat,
        player_id: &PlayerId,
    ) -> Result<(Option<Player>, Player), Problem> {
        let (db, team_id) = (&self.app.db, &self.game.team_id);
        let after = db.player(team_id, player_id).consistent().await?;
        let after = after.ok_or_else(|| not_on_team(std::slice::from_ref(player_id)))?;
        new.batting_order = place(self.team, self.game, &after, self.at_bats)?;
        for runner in new.runs_scored.iter_mut().flatten() {
            if *runner == new.player_id {
                runner.clone_from(player_id);
            }
        }
        let before = db.player(team_id, &new.player_id).consistent().await?;
        new.player_id.clone_from(player_id);
        Ok((before, after))
    }

    async fn delete(
        &self,
        reply: impl Fn() -> Reply + Send + Sync + 'static,
    ) -> Result<Reply, Problem> {
        let Self { app, call, game, .. } = *self;
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
        call.commit(tx)
            .refuse(active, policy::team_deleted())
            .or_retry()
            .reply(move |_| reply())
            .await
    }
}
