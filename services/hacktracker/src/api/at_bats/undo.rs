//! `POST /games/{gameId}/atbats/undo`: deletes the last at-bat.

use monotable_kit::{Answer, Call, operation};

use super::correction::ScoredGame;
use super::{AtBatView, LastAtBat, Replayed};
use crate::api::{GamePath, scope};
use crate::app::App;
use crate::refusal::{self, Refusal};
use crate::rules::count::replayed;
use crate::table::HackTrackerReads as _;

/// Takes the last at-bat back. Another one is refused if the request names it.
// When somebody else was faster, the last one is another than the caller has seen: hence `no_repeat`.
#[operation(
    POST "/games/{gameId}/atbats/undo", once, queue = game_id, no_repeat,
    refuses(refusal::SCORING, AtBatNotFound, NotTheLastAtBat)
)]
pub(crate) async fn undo_last_at_bat(
    app: &App,
    call: &Call<GamePath, Option<LastAtBat>>,
) -> Answer<Replayed> {
    let game = scope::there(app.db.game(&call.path.game_id).consistent().await?)?;
    let scored = ScoredGame::of(app, call, &game).await?;
    scored.require_in_progress()?;
    let index = scored.at_bats.len().checked_sub(1).ok_or(Refusal::AtBatNotFound)?;
    if let Some(last) = &call.body {
        last.check(&scored.at_bats[index])?;
    }
    let at_bat = AtBatView::of(&replayed(&game, &scored.at_bats)[index]);
    let response = move || Replayed { at_bat: at_bat.clone(), is_as_stored: false };
    scored.correct(app, call, index)?.delete(response).await
}
