//! `POST /v1/games/{gameId}/finish`: ends a game.

use super::GameView;
use crate::api::game_change::GameChange;
use crate::api::prelude::*;
use crate::jobs::result_mails;
use crate::rules::thirds;

/// Why a game ends early.
#[derive(Debug, Body)]
pub(crate) struct EarlyEnd {
    /// Ends the game before third 3 is over. Admins only.
    #[body(length = 1..=200, example = "Thunderstorm")]
    reason: Option<String>,
}

/// Ends a game after its third third: the result counts from then on, and players get it by e-mail. A game that is
/// finished stays as it is.
#[operation(
    POST "/v1/games/{gameId}/finish", once, if_match, queue = game_id,
    refuses(refusal::SCORING, AdminRequired, InvalidTransition, ThirdOrder)
)]
pub(crate) async fn finish_game(
    app: &App,
    call: &Call<GamePath, Option<EarlyEnd>>,
) -> Answer<Json<GameView>> {
    let game_id = &call.path.game_id;
    let (game, _) = policy::game(app, call, game_id, Action::Score).await?;
    if game.status == GameStatus::Finished {
        call.check_version(game.stamps.version)?;
        return Ok(Json(GameView::of(&game)).into());
    }
    let change = GameChange::read(app, call, game_id).await?;
    let old = &change.game;
    call.check_version(old.stamps.version)?;
    let reason = call.body.as_ref().and_then(|body| body.reason.as_ref());
    if reason.is_some() {
        change.granted.allow(Action::Administer)?;
    }
    thirds::check_finish(old.status, &old.thirds, reason.is_some())?;
    let now = app.db.now();
    let mut new = Game { status: GameStatus::Finished, finished_at: Some(now), ..old.clone() };
    thirds::finish_running(&mut new.thirds, now);
    let (mut tx, game) = change.write(new);
    let mut entry = change.audited("finishGame", format!("GAME#{}", old.game_id))?;
    if let Some(reason) = reason {
        entry = entry.is("reason", reason.as_str());
    }
    tx.add(create(entry));
    tx.add(create(result_mails::ticket(old, now)?));
    tx.respond(move |done| Json(GameView::of(&done[game]))).await
}
