//! `GET /api/games/{gameId}/dashboard`: shows everything about a running game.

use super::{GameView, shown};
use crate::api::dashboard::{EventView, PositionView, StandingView, leaderboard};
use crate::api::prelude::*;

/// The latest events that are shown.
const EVENTS: usize = 20;

/// A running game.
#[derive(View)]
pub(crate) struct DashboardView {
    game: GameView,
    teams: Vec<StandingView>,
    /// The latest position of each player.
    positions: Vec<PlayerPositionView>,
    /// The latest events first.
    events: Vec<EventView>,
}

/// Where a player of a team was last.
#[derive(View)]
pub(crate) struct PlayerPositionView {
    team_id: TeamId,
    #[view(example = "Ada")]
    display_name: Option<String>,
    #[view(flatten)]
    position: PositionView,
}

/// Shows a game with its teams, the latest position of each player and the latest events.
#[operation(GET "/api/games/{gameId}/dashboard", refuses(refusal::WATCHING))]
pub(crate) async fn show_dashboard(
    app: &App,
    call: &Call<GamePath>,
) -> Answer<Json<DashboardView>> {
    let game = policy::game(app, call, &call.path.game_id, Action::Watch).await?;
    let teams = leaderboard(app, &game).await?;
    let mut positions = Vec::new();
    for team in &teams {
        positions.extend(latest_positions(app, &team.team_id).await?);
    }
    let events = app.db.checkpoints_of(&game.id).skip_unreadable().take(EVENTS).page().await?;
    let events = events.rows.iter().map(EventView::of).collect();
    let game = shown(app, &game).await?;
    Ok(Json(DashboardView { game, teams, positions, events }).into())
}

/// Returns the latest position of each player of a team.
///
/// # Errors
/// Returns the errors of the table.
pub(crate) async fn latest_positions(
    app: &App,
    team_id: &TeamId,
) -> Result<Vec<PlayerPositionView>, Problem> {
    let mut positions = Vec::new();
    for user in app.db.users(team_id).skip_unreadable().all().await? {
        if let Some(row) = app.db.latest_of_user(&user.id).skip_unreadable().first().await? {
            positions.push(PlayerPositionView {
                team_id: team_id.clone(),
                display_name: user.display_name,
                position: PositionView::of(&row),
            });
        }
    }
    Ok(positions)
}
