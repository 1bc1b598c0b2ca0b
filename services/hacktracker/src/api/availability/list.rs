//! `GET /games/{gameId}/rsvp`: lists which players come.

use super::AvailabilityView;
use crate::api::prelude::*;

/// Lists the players who replied, with their availability.
#[operation(GET "/games/{gameId}/rsvp", refuses(refusal::VIEWING_GAME))]
async fn list_availability(app: &App, call: &Call<GamePath>) -> Answer<Page<AvailabilityView>> {
    let (game, _) = scope::game(app, call, &call.path.game_id, Action::View).await?;
    let replies = app.db.availability(&game.game_id).skip_unreadable().all().await?;
    Ok(Page::all(&replies, AvailabilityView::of).into())
}
