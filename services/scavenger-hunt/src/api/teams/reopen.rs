//! `POST /api/teams/{teamId}/levels/{teamLevelId}/reopen`: gives a level back to a team.

use super::place;
use crate::api::dashboard::ProgressView;
use crate::api::prelude::*;
use crate::api::{announce, routes};

/// Gives a level back to a team that has completed it. Its time there begins again. A winner stays the winner.
#[operation(
    POST "/api/teams/{teamId}/levels/{teamLevelId}/reopen", once,
    refuses(refusal::CONTROLLING, TeamNotFound, LevelNotFound, ClockConflict)
)]
pub(crate) async fn reopen_level(
    app: &App,
    call: &Call<TeamLevelPath>,
) -> Answer<Json<ProgressView>> {
    let (game, team, route, level) = place(app, call).await?;
    if level.completed_at.is_none() {
        return Err(Refusal::ClockConflict.text("The team has not completed the level."));
    }
    let mut open = level.clone();
    open.completed_at = None;
    open.started_at = None;
    open.paused_ms_at_start = None;
    open.elapsed_ms = None;
    open.points = None;
    open.skipped = None;
    let checkpoint = routes::checkpoint(app, &game.id, &level, Checkpoint::Reopened, None).await?;
    let mut tx = call.transact(&app.db).or_retry();
    routes::change(&mut tx, &team, &route, [(level.clone(), open.clone())]);
    tx.expect(create(checkpoint));
    let entity = format!("TEAM#{} LEVEL#{}", team.id, level.level_id);
    tx.add(create(app.audit(call, &game.id, "reopenLevel", entity)?));
    tx.afterwards(announce::changed(app, &game.id, &team.id))
        .respond(move |_| Json(ProgressView::of(&open)))
        .await
}
