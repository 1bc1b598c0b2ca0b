//! `DELETE /v1/games/{gameId}`: deletes a game with its goals and line-ups.

use crate::api::game_change::GameChange;
use crate::api::prelude::*;
use crate::api::public::announce;
use crate::jobs::delete_game as job;

/// What is deleted with the game.
#[derive(Debug, Body)]
pub(crate) struct Cascade {
    /// Whether a match day without games is deleted too; true by default.
    cascade_empty_session: Option<bool>,
}

/// Deletes a game with its goals and line-ups, and its match day if that is empty then. Admins only.
// The game is marked, and counts nowhere from then on; a job deletes its rows, and begins at once.
#[operation(
    DELETE "/v1/games/{gameId}", once, if_match, queue = game_id, refuses(refusal::ADMINISTERING)
)]
async fn delete_game(app: &App, call: &Call<GamePath, (), Cascade>) -> Answer<NoContent> {
    let change = GameChange::administer(app, call, &call.path.game_id).await?;
    let old = &change.game;
    let new = Game { status: GameStatus::Deleting, ..old.clone() };
    let (mut tx, _) = change.write(new);
    let entity = format!("GAME#{}", old.game_id);
    let entry = audit::of_league(app, call, &old.league_id, "deleteGame", entity)?;
    tx.add(create(entry.was("status", old.status.word())));
    let cascade = call.query.cascade_empty_session.unwrap_or(true);
    tx.add(create(job::ticket(old, cascade, app.db.now())?));
    // The match day is gone with the response, so that its season can be deleted next.
    let afterwards = async {
        announce::game(app, &old.game_id).await;
        app.background.begin(job::KIND, old.game_id.as_str(), job::STEPS_AT_ONCE).await;
    };
    tx.afterwards(afterwards).respond(|_| NoContent).await
}
