//! `POST /api/games/{gameId}/broadcast`: writes to players.

use crate::api::{announce, prelude::*};
use crate::jobs::broadcast;

/// Steps that the request does itself.
const STEPS_AT_ONCE: usize = 300;

/// A message to players.
#[derive(Debug, Body)]
pub(crate) struct Announcement {
    #[body(length = 1..=1000, example = "Come back to the start at five.")]
    text: String,
    /// The team to write to; all of them unless named.
    team_id: Option<TeamId>,
}

/// Writes a message to all players of a game, or of a team.
#[operation(
    POST "/api/games/{gameId}/broadcast", once, refuses(refusal::CONTROLLING, TeamNotFound)
)]
pub(crate) async fn broadcast_message(
    app: &App,
    call: &Call<GamePath, Announcement>,
) -> Answer<NoContent> {
    let game = policy::game(app, call, &call.path.game_id, Action::Control).await?;
    let Announcement { text, team_id } = &call.body;
    if let Some(team_id) = team_id {
        app.db.team_of(&game.id, team_id).await?.ok_or(Refusal::TeamNotFound)?;
    }
    let now = app.db.now();
    let job_id: RowId = app.new_id()?;
    let mut tx = call.transact(&app.db).or_retry();
    tx.add(create(broadcast::ticket(&job_id, &game.id, team_id.as_ref(), text, now)?));
    tx.add(edit(&game, |game| game.broadcast_at = Some(now)));
    let entity = team_id.as_ref().map_or(format!("GAME#{}", game.id), |id| format!("TEAM#{id}"));
    tx.add(create(app.audit(call, &game.id, "broadcast", entity)?));
    tx.afterwards(async move {
        app.jobs.begin(broadcast::KIND, job_id.as_str(), STEPS_AT_ONCE).await;
        announce::everybody(app, &call.path.game_id).await;
    })
    .respond(|_| NoContent)
    .await
}
