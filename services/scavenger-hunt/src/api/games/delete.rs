//! `DELETE /api/games/{gameId}`: deletes a game.

use crate::api::{announce, prelude::*};
use crate::jobs::delete_game;

/// Steps that the request does itself: all of them for a usual game.
const STEPS_AT_ONCE: usize = 50;

/// Deletes a game with everything that belongs to it.
#[operation(DELETE "/api/games/{gameId}", once, refuses(refusal::CONTROLLING))]
pub(crate) async fn delete(app: &App, call: &Call<GamePath>) -> Answer<NoContent> {
    let game = policy::game(app, call, &call.path.game_id, Action::Control).await?;
    let now = app.db.now();
    let mut tx = call.transact(&app.db).or_retry();
    tx.expect(create(delete_game::ticket(&game.id, now)?));
    tx.add(edit(&game, |game| game.stamps.expires = Some(now.epoch_seconds())));
    let game_id = &call.path.game_id;
    tx.afterwards(async move {
        announce::everybody(app, game_id).await;
        app.jobs.begin(delete_game::KIND, game_id.as_str(), STEPS_AT_ONCE).await;
    })
    .respond(|_| NoContent)
    .await
}
