//! `POST /api/games/{gameId}/end`: ends a game.

use super::GameView;
use crate::api::{announce, prelude::*};
use crate::jobs::retire;

/// Ends a game. Players can still look at it for a day. After the days that the game keeps personal data, that is removed.
#[operation(
    POST "/api/games/{gameId}/end", once, refuses(refusal::CONTROLLING, Provisioning, GameEnded)
)]
pub(crate) async fn end_game(app: &App, call: &Call<GamePath>) -> Answer<Json<GameView>> {
    let game = policy::game(app, call, &call.path.game_id, Action::Control).await?;
    let control = app.db.control(&game.id).await?;
    let now = app.db.now();
    Refusal::Provisioning.unless(game.status != Some(GameStatus::Provisioning))?;
    let is_ended = matches!(game.status, Some(GameStatus::Ended | GameStatus::Archived));
    Refusal::GameEnded.unless(!is_ended)?;
    let mut after = game.clone();
    after.status = Some(GameStatus::Ended);
    after.ended_at = Some(game.ends_at.filter(|end| *end <= now).unwrap_or(now));
    let mut tx = call.transact(&app.db).or_retry();
    tx.expect(create(retire::ticket(&after)?));
    let audit = app.audit(call, &game.id, "endGame", format!("GAME#{}", game.id))?;
    tx.add(create(audit.changes(&game, &after)));
    let game = tx.add(edit(&game, |game| *game = after));
    tx.afterwards(announce::everybody(app, &call.path.game_id))
        .respond(move |done| Json(GameView::of(&done[game], control.as_ref(), now)))
        .await
}
