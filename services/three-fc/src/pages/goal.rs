//! `GET /score/{gameId}/goals/{eventId}`: where a scorekeeper corrects or deletes a goal.

use askama::Template;
use monotable_kit::{Form, Html};

use super::{title, with_players};
use crate::api::game_change::GameChange;
use crate::api::goals::{GoalView, delete, quick_edit};
use crate::api::prelude::*;

/// The content of the page.
#[derive(Template)]
#[template(path = "goal.html")]
struct GoalPage {
    title: String,
    game_id: GameId,
    edit: Form,
    delete: Form,
}

/// Shows where a goal is corrected or deleted.
#[operation(GET "/score/{gameId}/goals/{eventId}", refuses(refusal::SCORING, NotFound))]
async fn goal_page(app: &App, call: &Call<GoalPath>) -> Answer<Html> {
    let GoalPath { game_id, event_id } = &call.path;
    let change = GameChange::read(app, call, game_id).await?;
    let goal = change.sheet.goals.iter().find(|goal| goal.event_id == *event_id);
    let goal = goal.ok_or_else(|| Refusal::NotFound.text("There is no such goal."))?;
    let then = format!("/score/{game_id}");
    let thirds = change.game.thirds.iter().map(|third| third.n.to_string());
    let thirds: Vec<(String, String)> =
        thirds.map(|third| (third.clone(), format!("Third {third}"))).collect();
    let edit = Form::of(call, &quick_edit::route())
        .options("third", thirds)
        .values(&GoalView::of_game(goal, change.game.third_length()))
        .submit("Save the goal")
        .then(&then);
    let page = GoalPage {
        title: title(&change.game.teams),
        edit: with_players(edit, app, &change).await?,
        delete: Form::of(call, &delete::route()).submit("Delete the goal").then(&then),
        game_id: game_id.clone(),
    };
    Ok(Html::new(call, format!("Goal of {}", page.title), &page)?.into())
}
