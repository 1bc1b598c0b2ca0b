//! `GET /api/games/{gameId}/report`: tells how a game went.

use super::{GameView, shown};
use crate::api::dashboard::{RankView, leaderboard};
use crate::api::prelude::*;
use crate::rules::report;

/// How a game went.
#[derive(View)]
pub(crate) struct ReportView {
    game: GameView,
    pub(crate) levels: Vec<LevelReportView>,
    pub(crate) teams: Vec<TeamReportView>,
}

/// How a level did.
#[derive(View)]
pub(crate) struct LevelReportView {
    level_id: LevelId,
    #[view(example = "The old fountain")]
    pub(crate) level_name: String,
    #[view(example = 3)]
    pub(crate) arrivals: usize,
    #[view(example = 2)]
    pub(crate) cleared: usize,
    /// Half of the teams needed no more.
    #[view(example = 12.5)]
    pub(crate) median_minutes: Option<f64>,
    /// The part of the teams that was given clues or the map.
    #[view(example = 0.5)]
    pub(crate) hint_rate: f64,
}

/// How a team did.
#[derive(View)]
pub(crate) struct TeamReportView {
    team_id: TeamId,
    #[view(flatten)]
    pub(crate) rank: RankView,
    #[view(example = 4)]
    pub(crate) photos: u32,
    /// In the order of its route.
    pub(crate) route: Vec<SplitView>,
}

/// A level in the route of a team.
#[derive(View)]
pub(crate) struct SplitView {
    level_id: LevelId,
    #[view(example = "The old fountain")]
    pub(crate) level_name: String,
    pub(crate) completed_at: Option<Timestamp>,
    /// How long it took, without pauses.
    #[view(example = 7.5)]
    pub(crate) minutes: Option<f64>,
    pub(crate) hints_used: u32,
    pub(crate) map_at: Option<Timestamp>,
    pub(crate) skipped: bool,
    photo_id: Option<RowId>,
}

/// Tells how a game went: its levels, and the route of each team with its times.
#[operation(GET "/api/games/{gameId}/report", refuses(refusal::WATCHING))]
pub(crate) async fn show_report(app: &App, call: &Call<GamePath>) -> Answer<Json<ReportView>> {
    let game = policy::game(app, call, &call.path.game_id, Action::Watch).await?;
    Ok(Json(reported(app, &game).await?).into())
}

/// Returns milliseconds as minutes.
fn minutes(ms: u64) -> f64 {
    ms as f64 / 60_000.0
}

/// Tells how a game went.
///
/// # Errors
/// Returns the errors of the table.
pub(crate) async fn reported(app: &App, game: &Game) -> Result<ReportView, Problem> {
    let mut levels = app.db.levels(&game.id).skip_unreadable().all().await?;
    levels.sort_by_key(|level| level.position);
    let mut routes = Vec::new();
    for team in app.db.teams(&game.id).skip_unreadable().all().await? {
        let route = app.db.route(&team.id).skip_unreadable().all().await?;
        routes.push((team, Route::new(route).levels().to_vec()));
    }
    let name = |level_id: &LevelId| {
        let level = levels.iter().find(|level| level.id == *level_id);
        level.map(|level| level.level_name.clone()).unwrap_or_default()
    };
    let level_views =
        report::levels(&levels, &routes).into_iter().map(|(level_id, level)| LevelReportView {
            level_name: name(&level_id),
            level_id,
            arrivals: level.arrivals,
            cleared: level.cleared,
            median_minutes: level.median_ms.map(minutes),
            hint_rate: level.hint_rate,
        });
    let level_views = level_views.collect();
    let mut teams = Vec::new();
    for standing in leaderboard(app, game).await? {
        let Some((team, route)) = routes.iter().find(|(team, _)| team.id == standing.team_id)
        else {
            continue;
        };
        let before = std::iter::once(None).chain(route.iter().map(Some));
        let split = |(level, before): (&TeamLevel, Option<&TeamLevel>)| SplitView {
            level_id: level.level_id.clone(),
            level_name: name(&level.level_id),
            completed_at: level.completed_at,
            minutes: report::split_ms(level, before).map(minutes),
            hints_used: level.hints_used,
            map_at: level.map_at,
            skipped: level.skipped.unwrap_or(false),
            photo_id: level.photo_id.clone(),
        };
        teams.push(TeamReportView {
            team_id: standing.team_id,
            rank: standing.rank,
            photos: team.photo_count,
            route: route.iter().zip(before).map(split).collect(),
        });
    }
    Ok(ReportView { game: shown(app, game).await?, levels: level_views, teams })
}
