//! `POST /v1/games/{gameId}/reopen`: reopens a finished game.

use super::GameView;
use crate::api::game_change::GameChange;
use crate::api::prelude::*;

/// Continues a finished game: its result counts no more until it is finished again. Admins only.
#[operation(
    POST "/v1/games/{gameId}/reopen", once, if_match, queue = game_id,
    refuses(refusal::ADMINISTERING, InvalidTransition)
)]
async fn reopen_game(app: &App, call: &Call<GamePath>) -> Answer<Json<GameView>> {
    let change = GameChange::administer(app, call, &call.path.game_id).await?;
    let old = &change.game;
    if old.status != GameStatus::Finished {
        let text =
            format!("Only a finished game can be reopened; this one is {}.", old.status.word());
        return Err(Refusal::InvalidTransition.text(text));
    }
    let new = Game { status: GameStatus::Live, finished_at: None, ..old.clone() };
    let (mut tx, game) = change.write(new);
    let entry = change.audited("reopenGame", format!("GAME#{}", old.game_id))?;
    tx.add(create(entry.was("status", "finished").is("status", "live")));
    tx.respond(move |done| Json(GameView::of(&done[game]))).await
}
