//! `GET /v1/games/{gameId}/goals`: lists the goals of a game.

use super::GoalView;
use crate::api::prelude::*;
use crate::api::sheets;
use crate::rules::timeline;

/// Lists the goals of a game in the order of the timeline.
#[operation(GET "/v1/games/{gameId}/goals", refuses(refusal::VIEWING))]
async fn list_goals(app: &App, call: &Call<GamePath, (), Paged>) -> Answer<SortedPage<GoalView>> {
    let (game, _) = policy::game(app, call, &call.path.game_id, Action::View).await?;
    let sheet = sheets::read(&app.db, &game.game_id).await?;
    let scope = format!("goals of {}", game.game_id);
    let list = SortedList { scope, rows: &sheet.goals, position: timeline::position };
    let show = |goal: &Goal| GoalView::of_game(goal, game.third_length());
    Ok(list.page(&app.bookmarks, app.db.now(), call, show)?.into())
}
