//! `POST /api/teams/{teamId}/levels/{teamLevelId}/skip`: lets a team skip a level.

use super::place;
use crate::api::dashboard::ProgressView;
use crate::api::prelude::*;
use crate::api::{announce, routes};

/// Lets a team skip a level: it counts as completed, without points and without a photo. Nobody wins by it.
#[operation(
    POST "/api/teams/{teamId}/levels/{teamLevelId}/skip", once,
    refuses(refusal::CONTROLLING, TeamNotFound, LevelNotFound, LevelCompleted)
)]
pub(crate) async fn skip_level(
    app: &App,
    call: &Call<TeamLevelPath>,
) -> Answer<Json<ProgressView>> {
    let (game, team, route, level) = place(app, call).await?;
    Refusal::LevelCompleted.unless(level.completed_at.is_none())?;
    let (now, control) = (app.db.now(), app.db.control(&game.id).await?);
    let mut skipped = routes::completed(&level, control.as_ref(), now);
    skipped.skipped = Some(true);
    let mut levels = vec![(level.clone(), skipped.clone())];
    let is_current = route.current().is_some_and(|current| current.id == level.id);
    if let Some(next) = route.next().filter(|_| is_current) {
        levels.push((next.clone(), routes::started(next, control.as_ref(), now)));
    }
    let checkpoint = routes::checkpoint(app, &game.id, &level, Checkpoint::Skipped, None).await?;
    let mut tx = call.transact(&app.db).or_retry();
    routes::change(&mut tx, &team, &route, levels);
    tx.expect(create(checkpoint));
    let entity = format!("TEAM#{} LEVEL#{}", team.id, level.level_id);
    tx.add(create(app.audit(call, &game.id, "skipLevel", entity)?));
    tx.afterwards(announce::changed(app, &game.id, &team.id))
        .respond(move |_| Json(ProgressView::of(&skipped)))
        .await
}
