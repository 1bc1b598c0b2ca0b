//! Teams, as organisers and observers see them.

pub(crate) mod coords;
pub(crate) mod list;
pub(crate) mod messages;
pub(crate) mod progress;
pub(crate) mod reopen;
pub(crate) mod skip;

use crate::api::prelude::*;
use crate::api::routes;

/// Returns the place of a team's route that a path names, with everything around it.
async fn place(
    app: &App,
    call: &Call<TeamLevelPath>,
) -> Result<(Game, Team, Route, TeamLevel), Problem> {
    let (game, team) = policy::team(app, call, &call.path.team_id, Action::Control).await?;
    let route = routes::route(app, &team.id).await?;
    let named = &call.path.team_level_id;
    // Programs of the origin name the level.
    let is_named =
        |level: &&TeamLevel| level.id == *named || level.level_id.as_str() == named.as_str();
    let level = route.levels().iter().find(is_named).cloned();
    Ok((game, team, route, level.ok_or(Refusal::LevelNotFound)?))
}
