//! Games: set up, controlled and watched by organisers.

pub(crate) mod adjust;
pub(crate) mod audit;
pub(crate) mod broadcast;
pub(crate) mod config;
pub(crate) mod control;
pub(crate) mod create;
pub(crate) mod create_from_file;
pub(crate) mod dashboard;
pub(crate) mod delete;
pub(crate) mod end;
pub(crate) mod events;
pub(crate) mod follow;
pub(crate) mod get;
pub(crate) mod links;
pub(crate) mod list;
pub(crate) mod report;
pub(crate) mod report_csv;
pub(crate) mod tokens;
pub(crate) mod update;
pub(crate) mod verify;
pub(crate) mod withdraw_tokens;

use crate::api::dashboard::ClockView;
use crate::api::prelude::*;

/// A game, as organisers and observers see it.
#[derive(View)]
#[view(list = "games")]
pub(crate) struct GameView {
    pub(crate) id: GameId,
    #[view(example = "Ducks of the old town")]
    pub(crate) name: Option<String>,
    pub(crate) description: Option<String>,
    #[view(flatten)]
    pub(crate) clock: ClockView,
    pub(crate) winner_team_id: Option<TeamId>,
    pub(crate) levels_in_game: Option<u32>,
    #[view(flatten)]
    pub(crate) settings: SettingsView,
    #[view(version)]
    pub(crate) ver: u64,
}

/// The settings of a game. Absent ones have their usual values.
#[derive(View)]
#[view(of = Game)]
pub(crate) struct SettingsView {
    hint_after_min: Option<u32>,
    map_after_min: Option<u32>,
    photo_required: Option<bool>,
    geofence_required: Option<bool>,
    route_mode: Option<RouteMode>,
    starts_at: Option<Timestamp>,
    retention_days: Option<u32>,
    leaderboard_public: Option<bool>,
    clue_penalty: Option<u32>,
    map_penalty: Option<u32>,
    header_identity: Option<bool>,
}

impl GameView {
    /// Shows a game with its clock.
    pub(crate) fn of(game: &Game, control: Option<&DashboardControl>, now: Timestamp) -> Self {
        Self {
            id: game.id.clone(),
            name: game.name.clone(),
            description: game.description.clone(),
            clock: ClockView::of(game, control, now),
            winner_team_id: game.winner_team_id.clone(),
            levels_in_game: game.levels_in_game,
            settings: SettingsView::of(game),
            ver: game.stamps.version,
        }
    }
}

/// Shows a game.
///
/// # Errors
/// Returns the errors of the table.
pub(crate) async fn shown(app: &App, game: &Game) -> Result<GameView, Problem> {
    let control = app.db.control(&game.id).await?;
    Ok(GameView::of(game, control.as_ref(), app.db.now()))
}
