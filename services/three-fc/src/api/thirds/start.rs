//! `POST /v1/games/{gameId}/thirds/{n}/start`: starts a third.

use super::{ThirdTime, change_third};
use crate::api::games::{GameView, TEAMS};
use crate::api::prelude::*;
use crate::rules::thirds;

/// Starts a third. The first one starts the game; every team needs a player.
#[operation(
    POST "/v1/games/{gameId}/thirds/{n}/start", once, if_match, queue = game_id,
    refuses(refusal::SCORING, InvalidTransition, ThirdOrder)
)]
pub(crate) async fn start_third(
    app: &App,
    call: &Call<ThirdPath, Option<ThirdTime>>,
) -> Answer<Json<GameView>> {
    change_third(app, call, |change, game, n, now| {
        thirds::start(&mut game.status, &mut game.thirds, n, now)?;
        if game.team_ids.len() != TEAMS {
            return Err(Refusal::InvalidTransition.text("A game needs three teams."));
        }
        let is_empty =
            |team_id: &&TeamId| !change.sheet.roster.iter().any(|entry| entry.team_id == **team_id);
        match game.team_ids.iter().find(is_empty) {
            Some(team_id) => {
                let text = format!("Team {team_id} has no player.");
                Err(Refusal::InvalidTransition.text(text))
            }
            None => Ok(()),
        }
    })
    .await
}
