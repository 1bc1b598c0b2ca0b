//! `GET /v1/public/games/{gameId}/timeline`: lists the goals of a game.

use super::scoreboard::{PublicGoal, public_goals};
use super::visible_game;
use crate::api::prelude::*;
use crate::api::sheets;
use crate::rules::timeline;

/// Lists the goals of a game by third and minute.
#[operation(GET "/v1/public/games/{gameId}/timeline", public, refuses(NotFound))]
async fn get_timeline(
    app: &App,
    call: &Call<GamePath, (), Paged>,
) -> Answer<SortedPage<PublicGoal>> {
    let game = visible_game(app, &call.path.game_id).await?;
    let sheet = sheets::read(&app.db, &game.game_id).await?;
    let goals = public_goals(app, &game, sheet.goals.iter().collect()).await?;
    let goals: Vec<(&Goal, PublicGoal)> = sheet.goals.iter().zip(goals).collect();
    let scope = format!("timeline of {}", game.game_id);
    let position = |(goal, _): &(&Goal, PublicGoal)| timeline::position(goal);
    let list = SortedList { scope, rows: &goals, position };
    let show = |(_, goal): &(&Goal, PublicGoal)| goal.clone();
    Ok(list.page(&app.bookmarks, app.db.now(), call, show)?.into())
}
