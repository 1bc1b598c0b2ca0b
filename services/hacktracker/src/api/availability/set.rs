//! `PUT /games/{gameId}/rsvp/{playerId}`: records whether a player comes.

use super::AvailabilityView;
use crate::api::prelude::*;

/// A reply to an invitation to a game.
#[derive(Debug, Body)]
pub(crate) struct Rsvp {
    answer: crate::table::Answer,
}

/// Records whether a player comes. Players reply for themselves, managers for everyone.
#[operation(
    PUT "/games/{gameId}/rsvp/{playerId}", once,
    refuses(InsufficientRole, NotAMember, GameNotFound, PlayerNotFound, TeamDeleted)
)]
pub(crate) async fn set_availability(
    app: &App,
    call: &Call<RsvpPath, Rsvp>,
) -> Answer<Json<AvailabilityView>> {
    let RsvpPath { game_id, player_id } = &call.path;
    let (game, granted) = scope::game(app, call, game_id, Action::View).await?;
    let player = scope::player(app, &game.team_id, player_id).await?;
    if player.user_id.as_ref() != Some(granted.user_id()) {
        granted.allow(Action::ManageRoster)?;
    }
    // A put does not return its row, so the view shows these stamps; the layer writes its own.
    let now = app.db.now();
    let availability = Availability {
        game_id: game.game_id.clone(),
        player_id: player_id.clone(),
        answer: call.body.answer,
        answered_by: granted.user_id().clone(),
        stamps: Times { created: now, updated: now },
    };
    let mut tx = scope::change(app, call, &game.team_id);
    tx.add(check(&game.key(), game::deleting().absent()));
    tx.add(put(availability.clone()));
    tx.respond(move |_| Json(AvailabilityView::of(&availability))).await
}
