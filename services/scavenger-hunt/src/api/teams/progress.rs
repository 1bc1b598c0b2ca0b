//! `GET /api/teams/{teamId}/progress`: shows how far a team is.

use crate::api::dashboard::ProgressView;
use crate::api::prelude::*;
use crate::api::routes;

/// How far a team is.
#[derive(View)]
pub(crate) struct TeamProgressView {
    team_id: TeamId,
    game_id: GameId,
    #[view(example = "Mallards")]
    team_name: String,
    difficulty_level: Difficulty,
    #[view(example = 5)]
    total: usize,
    #[view(example = 2)]
    completed: usize,
    /// The route, in its order.
    levels: Vec<ProgressView>,
    users: Vec<UserView>,
}

/// A player of a team.
#[derive(View)]
#[view(of = User)]
pub(crate) struct UserView {
    id: UserId,
    #[view(example = "Ada")]
    display_name: Option<String>,
    #[view(from = stamps.created)]
    joined_at: Timestamp,
}

/// Shows how far a team is, and who plays for it.
#[operation(GET "/api/teams/{teamId}/progress", refuses(refusal::WATCHING, TeamNotFound))]
pub(crate) async fn show_progress(
    app: &App,
    call: &Call<TeamPath>,
) -> Answer<Json<TeamProgressView>> {
    let (game, team) = policy::team(app, call, &call.path.team_id, Action::Watch).await?;
    let route = routes::route(app, &team.id).await?;
    let users = app.db.users(&team.id).skip_unreadable().all().await?;
    let view = TeamProgressView {
        team_id: team.id,
        game_id: game.id,
        team_name: team.name,
        difficulty_level: team.difficulty_level.unwrap_or_default(),
        total: route.levels().len(),
        completed: route.completed(),
        levels: route.levels().iter().map(ProgressView::of).collect(),
        users: users.iter().map(UserView::of).collect(),
    };
    Ok(Json(view).into())
}
