//! The routes of teams, and what a change of one writes.

use crate::api::prelude::*;
use crate::rules::clock;

/// Returns the route of a team.
///
/// # Errors
/// Returns the errors of the table.
pub(crate) async fn route(app: &App, team_id: &TeamId) -> Result<Route, Problem> {
    Ok(Route::new(app.db.route(team_id).all().await?))
}

/// Adds a changed route to a transaction, with what it adds up to in the row of the team.
pub(crate) fn change(
    tx: &mut Commit<'_, ScavengerHunt>,
    team: &Team,
    route: &Route,
    levels: impl IntoIterator<Item = (TeamLevel, TeamLevel)>,
) {
    let mut after = route.clone();
    for (before, level) in levels {
        tx.add(edit(&before, |row| *row = level.clone()));
        after = after.with(level);
    }
    let tally = after.tally();
    tx.add(edit(team, |team| team.tally = tally));
}

/// Returns a level of a route as it is when a team arrives there.
pub(crate) fn started(
    level: &TeamLevel,
    control: Option<&DashboardControl>,
    now: Timestamp,
) -> TeamLevel {
    let mut level = level.clone();
    if level.started_at.is_none() {
        level.started_at = Some(now);
        level.paused_ms_at_start = Some(control.map_or(0, |control| control.total_paused_ms));
    }
    level
}

/// Returns a level of a route as it is when a team has cleared it.
pub(crate) fn completed(
    level: &TeamLevel,
    control: Option<&DashboardControl>,
    now: Timestamp,
) -> TeamLevel {
    let mut level = started(level, control, now);
    level.completed_at = Some(now);
    level.elapsed_ms = control.and_then(|control| clock::elapsed_ms(control, now));
    level
}

/// Returns what is recorded when something happens at a checkpoint. If the team has one at the level in the same second, its
/// mark has an id behind it.
///
/// # Errors
/// Returns the errors of the table.
pub(crate) async fn checkpoint(
    app: &App,
    game_id: &GameId,
    level: &TeamLevel,
    kind: Checkpoint,
    user_id: Option<&UserId>,
) -> Result<CheckpointEvent, Problem> {
    let (id, ts): (RowId, _) = (app.new_id()?, app.db.now().epoch_seconds());
    let mark = |id| Mark::of(&level.level_id, id).map_err(Problem::internal);
    let first = mark(None)?;
    let is_taken = app.db.checkpoint_of(&level.team_id, ts, &first).await?.is_some();
    Ok(CheckpointEvent {
        mark: if is_taken { mark(Some(&id))? } else { first },
        id,
        ts,
        team_id: level.team_id.clone(),
        game_id: game_id.clone(),
        level_id: level.level_id.clone(),
        kind: Some(kind),
        user_id: user_id.cloned(),
        stamps: Stamps::default(),
    })
}
