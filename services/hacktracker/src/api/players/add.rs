//! `POST /teams/{teamId}/players`: adds a player.

use super::PlayerView;
use super::addition::{self, NewPlayer};
use crate::api::prelude::*;

/// Adds a player to the roster: a ghost, until a user claims it.
#[operation(
    POST "/teams/{teamId}/players", once,
    refuses(refusal::MANAGING, NumberTaken, LimitReached)
)]
pub(crate) async fn add_player(
    app: &App,
    call: &Call<TeamPath, NewPlayer>,
) -> Answer<Created<PlayerView>> {
    let players = std::slice::from_ref(&call.body);
    let response = |mut added: Vec<PlayerView>| Created(added.remove(0));
    addition::add(app, call, &call.path.team_id, players, response).await
}
