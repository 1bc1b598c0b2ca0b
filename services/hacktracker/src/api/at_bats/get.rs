//! `GET /games/{gameId}/atbats/{atBatId}`: returns an at-bat.

use super::{AtBatView, Replayed};
use crate::api::prelude::*;
use crate::rules::batting_order::position;
use crate::rules::count::replayed;

/// Returns an at-bat.
#[operation(GET "/games/{gameId}/atbats/{atBatId}", refuses(refusal::VIEWING_GAME, AtBatNotFound))]
async fn get_at_bat(app: &App, call: &Call<AtBatPath>) -> Answer<Replayed> {
    let (game, _) = scope::game(app, call, &call.path.game_id, Action::View).await?;
    let at_bats = logbook::at_bats(app, &game).await?;
    let index = position(&at_bats, &call.path.at_bat_id)?;
    let at_bat = &replayed(&game, &at_bats)[index];
    let is_as_stored = *at_bat == at_bats[index];
    Ok(Replayed { at_bat: AtBatView::of(at_bat), is_as_stored }.into())
}
