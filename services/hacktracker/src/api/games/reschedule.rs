//! `POST /games/{gameId}/reschedule`: gives a postponed game a new date.

use super::change::change;
use super::{GameFields, GameView};
use crate::api::prelude::*;
use crate::rules::transitions::Transition;

/// The new date.
#[derive(Debug, Body)]
pub(crate) struct NewDate {
    scheduled_start: Timestamp,
}

/// Gives a postponed game a new date.
#[operation(
    POST "/games/{gameId}/reschedule", once, if_match, queue = game_id, refuses(refusal::CHANGING_GAME)
)]
async fn reschedule_game(app: &App, call: &Call<GamePath, NewDate>) -> Answer<Json<GameView>> {
    let scheduled_start = Patch::Set(call.body.scheduled_start);
    let fields = GameFields { scheduled_start, ..GameFields::default() };
    change(app, call, &call.path.game_id, &fields, Some(Transition::Reschedule)).await
}
