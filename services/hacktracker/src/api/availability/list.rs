//! `GET /games/{gameId}/rsvp`: lists which players come.

use monotable_kit::{Answer, Call, Page, operation};

use super::AvailabilityView;
use crate::api::GamePath;
use crate::api::scope;
use crate::app::App;
use crate::policy::Action;
use crate::refusal;
use crate::table::HackTrackerReads as _;

/// Lists the players who replied whether they come.
#[operation(GET "/games/{gameId}/rsvp", refuses(refusal::VIEWING_GAME))]
pub(crate) async fn list_availability(
    app: &App,
    call: &Call<GamePath>,
) -> Answer<Page<AvailabilityView>> {
    let (game, _) = scope::authorized_game(app, call, &call.path.game_id, Action::View).await?;
    let replies = app.db.availability(&game.game_id).skip_unreadable().all().await?;
    Ok(Page { rows: replies.iter().map(AvailabilityView::of).collect(), next: None }.into())
}
