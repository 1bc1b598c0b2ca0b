//! `PUT /games/{gameId}/rsvp/{playerId}`: records whether a player comes.

use monotable::model::{Entity as _, check, put};
use monotable_kit::{Answer, Body, Call, Json, Path, operation};

use super::AvailabilityView;
use crate::api::scope;
use crate::app::App;
use crate::policy::{self, Action};
use crate::refusal::Refusal;
use crate::table::{self, Availability, GameId, HackTrackerReads as _, PlayerId, Times, game};

/// The game and the player that a path names.
#[derive(Debug, Path)]
pub(crate) struct RsvpPath {
    game_id: GameId,
    player_id: PlayerId,
}

/// A reply to an invitation to a game.
#[derive(Debug, Body)]
pub(crate) struct Rsvp {
    #[body(example = "yes")]
    answer: table::Answer,
}

/// Records whether a player comes: players for themselves, managers for all.
#[operation(
    PUT "/games/{gameId}/rsvp/{playerId}", once,
    refuses(InsufficientRole, NotAMember, GameNotFound, PlayerNotFound, TeamDeleted)
)]
pub(crate) async fn set_availability(
    app: &App,
    call: &Call<RsvpPath, Rsvp>,
) -> Answer<Json<AvailabilityView>> {
    let RsvpPath { player_id, .. } = &call.path;
    let (game, granted) =
        scope::authorized_game(app, call, &call.path.game_id, Action::View).await?;
    let player = app.db.player(&game.team_id, player_id).consistent().await?;
    let player = player.ok_or(Refusal::PlayerNotFound)?;
    if player.user_id.as_ref() != Some(granted.user_id()) {
        granted.allow(Action::ManageRoster)?;
    }
    // A put does not return its row, so the view shows these; the layer writes its own.
    let now = app.db.now();
    let availability = Availability {
        game_id: game.game_id.clone(),
        player_id: player_id.clone(),
        answer: call.body.answer,
        answered_by: granted.user_id().clone(),
        stamps: Times { created: now, updated: now },
    };
    let mut tx = app.db.transact();
    let active = tx.add(policy::check_active(&game.team_id));
    tx.add(check(&game.key(), game::deleting().absent()));
    tx.add(put(availability.clone()));
    call.commit(tx)
        .refuse(active, Refusal::TeamDeleted)
        .or_retry()
        .respond(move |_| Json(AvailabilityView::of(&availability)))
        .await
}
