//! Corrections: a plate appearance is changed, deleted, or the last one is taken back.

use monotable::model::Transact;
use monotable_kit::{Call, Problem, ProblemKind, Reply, repeat};
use serde::Deserialize;

use super::play::{self, Play};
use super::{counted, not_found, not_in_progress, situation};
use crate::app::App;
use crate::commands::games::scoring;
use crate::commands::receipt::shown;
use crate::commands::scope::{self, overtaken};
use crate::entities::{AtBat, Audit, Game, GameStatus, TeamKey};
use crate::ids::{AtBatId, GameId, PlayerId};
use crate::patterns::{HackTracker, HackTrackerReads as _};
use crate::policy::{self, Action};
use crate::{announce, audit, logbook, show};

/// Which plate appearance is corrected, and how.
enum Correction {
    /// It is changed.
    Update(AtBatId, Box<Play>),
    /// It is deleted.
    Delete(AtBatId),
    /// The last one is deleted, while the game is played; it must be this one, if that is said.
    Undo(Option<AtBatId>),
}

/// `PUT /games/{gameId}/atbats/{atBatId}`.
pub(crate) async fn update(app: &App, call: &Call) -> Result<Reply, Problem> {
    correct(app, call, &Correction::Update(call.id("atBatId")?, Box::new(call.read()?))).await
}

/// `DELETE /games/{gameId}/atbats/{atBatId}`.
pub(crate) async fn delete(app: &App, call: &Call) -> Result<Reply, Problem> {
    correct(app, call, &Correction::Delete(call.id("atBatId")?)).await
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Last {
    at_bat_id: Option<AtBatId>,
}

/// `POST /games/{gameId}/atbats/undo`.
pub(crate) async fn undo(app: &App, call: &Call) -> Result<Reply, Problem> {
    let Last { at_bat_id } = call.read()?;
    correct(app, call, &Correction::Undo(at_bat_id)).await
}

async fn correct(app: &App, call: &Call, correction: &Correction) -> Result<Reply, Problem> {
    let game_id: GameId = call.id("gameId")?;
    let turn = app.turn(&game_id).await;
    let reply = match correction {
        Correction::Update(..) | Correction::Delete(_) => {
            repeat(|| attempt(app, call, &game_id, correction)).await?
        }
        // When somebody else was faster, the last one is another than the caller has seen.
        Correction::Undo(_) => attempt(app, call, &game_id, correction).await?,
    };
    drop(turn);
    announce::game(app, &game_id).await;
    Ok(reply)
}

async fn attempt(
    app: &App,
    call: &Call,
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
        Correction::Update(id, _) | Correction::Delete(id) => {
            at_bats.iter().position(|at_bat| at_bat.at_bat_id == *id)
        }
        Correction::Undo(_) => at_bats.len().checked_sub(1),
    };
    let index = index.ok_or_else(not_found)?;
    if let Correction::Undo(Some(meant)) = correction
        && at_bats[index].at_bat_id != *meant
    {
        let text = "Another at-bat is the last one; look at the game again.";
        return Err(Problem::new(ProblemKind::Precondition, "PRECONDITION_FAILED", text));
    }
    call.check_version(at_bats[index].ver)?;
    match correction {
        Correction::Update(_, play) => changed(app, call, &game, &at_bats, index, play).await,
        Correction::Delete(_) => {
            deleted(app, call, &game, &at_bats, index, Reply::no_content).await
        }
        Correction::Undo(_) => {
            let shown = show::at_bat(&at_bats[index]);
            deleted(app, call, &game, &at_bats, index, move || Reply::ok(&shown)).await
        }
    }
}

async fn changed(
    app: &App,
    call: &Call,
    game: &Game,
    at_bats: &[AtBat],
    index: usize,
    play: &Play,
) -> Result<Reply, Problem> {
    let old = &at_bats[index];
    let mut new = old.clone();
    play.apply(&mut new, situation(game, &at_bats[..index]))?;
    play::check(&new, &scorers(game, at_bats))?;
    let others = at_bats.iter().filter(|at_bat| at_bat.at_bat_id != old.at_bat_id);
    let score = scoring::runs(others.chain([&new]));
    let transaction =
        begun(app, game).edit(old, |at_bat| at_bat.clone_from(&new)).update(counted(game, score));
    let transaction = match audited(app, call, game, "updateAtBat", old)? {
        Some(entry) => transaction.create(&entry.is("result", new.result.as_str())),
        None => transaction,
    };
    let reply = |receipt: &_| {
        shown(receipt, 1, |at_bat: &AtBat| Reply::ok(&show::at_bat(at_bat)).version(at_bat.ver))
    };
    call.commit(&app.db, transaction, reply, overtaken).await
}

async fn deleted(
    app: &App,
    call: &Call,
    game: &Game,
    at_bats: &[AtBat],
    index: usize,
    reply: impl Fn() -> Reply + Clone + Send + 'static,
) -> Result<Reply, Problem> {
    let old = &at_bats[index];
    let player = app.db.player(&old.team_id, &old.player_id).consistent().await?;
    let others = at_bats.iter().filter(|at_bat| at_bat.at_bat_id != old.at_bat_id);
    let mut transaction = begun(app, game).delete(old).update(counted(game, scoring::runs(others)));
    if let Some(player) = player {
        transaction = transaction.update(player.count_plate_appearances(-1));
    }
    if let Some(entry) = audited(app, call, game, "deleteAtBat", old)? {
        transaction = transaction.create(&entry);
    }
    call.commit(&app.db, transaction, move |_| reply(), overtaken).await
}

/// The transaction of a correction, with the team that must be there.
fn begun(app: &App, game: &Game) -> Transact<HackTracker> {
    app.db.transact().check(&TeamKey::new(game.team_id.clone()), policy::is_active())
}

/// Who can have scored in a game: its lineup, and everybody of whom it was recorded under another one.
fn scorers(game: &Game, at_bats: &[AtBat]) -> Vec<PlayerId> {
    let recorded = at_bats.iter().flat_map(|at_bat| {
        std::iter::once(&at_bat.player_id).chain(at_bat.runs_scored.iter().flatten())
    });
    game.lineup.iter().chain(recorded).cloned().collect()
}

/// The line of the audit that a correction of a final game leaves.
fn audited(
    app: &App,
    call: &Call,
    game: &Game,
    action: &str,
    old: &AtBat,
) -> Result<Option<Audit>, Problem> {
    if game.status != GameStatus::Final {
        return Ok(None);
    }
    let entity = format!("GAME#{}/ATBAT#{}", game.game_id, old.at_bat_id);
    let entry = audit::entry(app, call, &game.team_id, action, entity)?;
    Ok(Some(entry.was("result", old.result.as_str())))
}
