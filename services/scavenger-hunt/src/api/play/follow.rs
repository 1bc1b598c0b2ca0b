//! `GET /api/stream`: reports changes to the phones of a team.

use crate::api::announce::{TEAM_EVENT, of_team, team_pulse};
use crate::api::prelude::*;

event_stream!(
    /// 200 with how the team stands as events.
    TeamEvents,
    "Events named `team` with the clock of the game and how far the team is."
);

/// Reports how your team stands, now and after every change, as server-sent events.
#[operation(GET "/api/stream", refuses(refusal::PLAYING, TeamNotFound))]
pub(crate) async fn follow_team(app: &App, call: &Call) -> Answer<TeamEvents> {
    let playing = policy::player(app, call).await?;
    // The subscription begins before the state is read, so that nothing between the two is missed.
    let stream = app.events.subscribe(&of_team(&playing.game.id, playing.team_id()));
    let pulse = team_pulse(app, &playing.game, playing.team_id()).await?;
    let pulse = pulse.ok_or(Refusal::TeamNotFound)?;
    Ok(TeamEvents(stream.first(TEAM_EVENT, &pulse)).into())
}
