//! `POST /teams/{teamId}/players/bulk`: adds several players.

use super::PlayerView;
use super::addition::{self, NewPlayer};
use crate::api::prelude::*;

/// Players to add.
#[derive(Debug, Body)]
pub(crate) struct NewPlayers {
    #[body(items = 1..=25)]
    players: Vec<NewPlayer>,
}

/// 201 with the players that were added.
pub(crate) struct AddedPlayers(Page<PlayerView>);

impl Response for AddedPlayers {
    fn describe() -> Answered {
        Answered { status: 201, meaning: "The players.", ..Page::<PlayerView>::describe() }
    }

    fn into_reply(self) -> Reply {
        let mut reply = self.0.into_reply();
        reply.status = 201;
        reply
    }
}

/// Adds up to 25 players: all of them, or none.
#[operation(
    POST "/teams/{teamId}/players/bulk", once,
    refuses(refusal::MANAGING, NumberTaken, LimitReached)
)]
async fn add_players(app: &App, call: &Call<TeamPath, NewPlayers>) -> Answer<AddedPlayers> {
    let response = |rows| AddedPlayers(Page { rows, next: None });
    addition::add(app, call, &call.path.team_id, &call.body.players, response).await
}
