//! What dashboards and leaderboards show.

use crate::api::prelude::*;
use crate::rules::clock;
use crate::rules::standings::standings;

/// The clock of a game.
#[derive(View)]
pub(crate) struct ClockView {
    pub(crate) state: GameState,
    #[view(example = "2026-06-01T09:30:00.000Z")]
    pub(crate) started_at: Option<Timestamp>,
    pub(crate) paused_at: Option<Timestamp>,
    /// Pauses that are over.
    pub(crate) total_paused_ms: u64,
    pub(crate) ends_at: Option<Timestamp>,
}

impl ClockView {
    /// Returns the clock of a game at a time.
    pub(crate) fn of(game: &Game, control: Option<&DashboardControl>, now: Timestamp) -> Self {
        Self {
            state: GameState::of(game, control, now),
            started_at: control.and_then(|control| control.started_at),
            paused_at: control.and_then(|control| control.paused_at),
            total_paused_ms: control.map_or(0, |control| control.total_paused_ms),
            ends_at: clock::ended_at(game, now).or(game.ends_at),
        }
    }
}

/// A team on the leaderboard of a dashboard.
#[derive(View)]
#[view(list = "teams")]
pub(crate) struct StandingView {
    pub(crate) team_id: TeamId,
    #[view(flatten)]
    pub(crate) rank: RankView,
}

/// A team on the leaderboard, as players see it.
#[derive(View)]
#[view(list = "teams")]
pub(crate) struct RankView {
    #[view(example = 1)]
    pub(crate) rank: usize,
    #[view(example = "Mallards")]
    pub(crate) team_name: String,
    #[view(example = "#c0392b")]
    pub(crate) color: Option<String>,
    #[view(example = 2)]
    pub(crate) completed: u32,
    #[view(example = 5)]
    pub(crate) total: u32,
    #[view(example = 200)]
    pub(crate) score: i64,
    /// From the start of the clock to the last completed level, without pauses.
    #[view(example = 1_260_000)]
    pub(crate) elapsed_ms: Option<u64>,
    pub(crate) last_completed_at: Option<Timestamp>,
    /// Whether it was the first to complete its last level.
    pub(crate) has_won: bool,
    /// Whether it is the team of the caller.
    pub(crate) is_own: bool,
}

/// Returns the leaderboard of a game.
pub(crate) fn standing_views(
    game: &Game,
    teams: &[Team],
    adjustments: &[Adjustment],
) -> Vec<StandingView> {
    let standings = standings(game, teams, adjustments);
    let view = |(place, standing): (usize, &crate::rules::standings::Standing<'_>)| StandingView {
        team_id: standing.team.id.clone(),
        rank: RankView {
            rank: place + 1,
            team_name: standing.team.name.clone(),
            color: standing.team.color.clone(),
            completed: standing.team.tally.completed,
            total: standing.team.tally.levels,
            score: standing.score,
            elapsed_ms: standing.team.tally.elapsed_ms,
            last_completed_at: standing.team.tally.last_completed_at,
            has_won: game.winner_team_id.as_ref() == Some(&standing.team.id),
            is_own: false,
        },
    };
    standings.iter().enumerate().map(view).collect()
}

/// Reads the leaderboard of a game.
///
/// # Errors
/// Returns the errors of the table.
pub(crate) async fn leaderboard(app: &App, game: &Game) -> Result<Vec<StandingView>, Problem> {
    let teams = app.db.teams(&game.id).skip_unreadable().all().await?;
    let adjustments = app.db.adjustments(&game.id).skip_unreadable().all().await?;
    Ok(standing_views(game, &teams, &adjustments))
}

/// A position of a player.
#[derive(View)]
#[view(of = CoordinateSnapshot, list = "positions")]
pub(crate) struct PositionView {
    user_id: UserId,
    #[view(from = latitude.0, example = 48.2082)]
    latitude: f64,
    #[view(from = longitude.0, example = 16.3738)]
    longitude: f64,
    #[view(example = 8.5)]
    accuracy_m: Option<f64>,
    #[view(example = 90.0)]
    heading: Option<f64>,
    /// Whether nobody can have come here so fast.
    implausible: Option<bool>,
    #[view(from = stamps.created)]
    at: Timestamp,
}

/// Something that happened at a level.
#[derive(View)]
#[view(of = CheckpointEvent, list = "events")]
pub(crate) struct EventView {
    id: RowId,
    game_id: GameId,
    team_id: TeamId,
    level_id: LevelId,
    user_id: Option<UserId>,
    #[view(from = kind())]
    kind: Checkpoint,
    #[view(name = "at", from = stamps.created)]
    at: Timestamp,
    /// In seconds since 1970, as programs of the origin read it.
    ts: EpochSeconds,
}

impl CheckpointEvent {
    /// Returns what happened: rows of older programs only know that a team has cleared a level.
    fn kind(&self) -> Checkpoint {
        self.kind.unwrap_or_default()
    }
}

/// A level in the route of a team, as organisers see it.
#[derive(View)]
#[view(of = TeamLevel, list = "levels")]
pub(crate) struct ProgressView {
    /// The id of the row in the route.
    id: RowId,
    level_id: LevelId,
    index: u32,
    started_at: Option<Timestamp>,
    completed_at: Option<Timestamp>,
    points: Option<u32>,
    skipped: Option<bool>,
    photo_id: Option<RowId>,
    photo_at: Option<Timestamp>,
    hints_used: u32,
    map_at: Option<Timestamp>,
}

/// A message, as organisers see it.
#[derive(View)]
#[view(of = Message, list = "messages")]
pub(crate) struct MessageView {
    id: RowId,
    user_id: UserId,
    level_id: LevelId,
    role: Speaker,
    #[view(example = "Where should we look?")]
    text: String,
    #[view(from = stamps.created)]
    created_at: Timestamp,
}
