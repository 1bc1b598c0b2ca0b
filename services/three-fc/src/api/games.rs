//! Games of a match day, and their way from scheduled over live to finished.

pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod finish;
pub(crate) mod get;
pub(crate) mod list_of_season;
pub(crate) mod list_of_session;
pub(crate) mod reopen;
pub(crate) mod reset_team;
pub(crate) mod set_team;
pub(crate) mod stream;
pub(crate) mod teams;
pub(crate) mod update;

use std::ops::Deref;

use tokio::task::JoinSet;

use crate::api::prelude::*;
use crate::legacy::games::complete_listed;

/// Match days that are read at the same time.
const SESSIONS_AT_ONCE: usize = 16;
/// The teams of a game.
pub(crate) const TEAMS: usize = 3;

/// A game.
#[derive(View)]
#[view(of = Game)]
pub(crate) struct GameView {
    game_id: GameId,
    league_id: LeagueId,
    season_id: SeasonId,
    session_id: SessionId,
    status: GameStatus,
    #[view(from = starts_at(), example = "2026-02-22T09:00:00.000Z")]
    game_start_ts: Timestamp,
    location: Option<String>,
    #[view(from = third_length(), example = 20)]
    third_length_minutes: u8,
    team_ids: Vec<TeamId>,
    /// The teams as they are called in this game.
    teams: Vec<TeamSnapshot>,
    /// The thirds that have begun.
    thirds: Vec<Third>,
    /// Goals so far, of each team.
    tallies: Vec<Tally>,
    #[view(from = result.as_ref().map(ResultView::of))]
    result: Option<ResultView>,
    finished_at: Option<Timestamp>,
    /// Whether everybody can see it.
    public_visible: bool,
    #[view(stamps)]
    stamps: Stamps,
}

/// How a game ended.
#[derive(View)]
#[view(of = GameResult)]
pub(crate) struct ResultView {
    /// Absent after a draw.
    winner_team_id: Option<TeamId>,
    teams: Vec<TeamResult>,
}

impl Game {
    /// Returns the length of its thirds in minutes.
    pub(crate) fn third_length(&self) -> u8 {
        self.third_length_minutes.unwrap_or(THIRD_LENGTH_MINUTES)
    }
}

/// A game in lists.
#[derive(View)]
#[view(of = SessionGame, list = "games")]
pub(crate) struct GameListView {
    game_id: GameId,
    session_id: SessionId,
    #[view(from = starts_at(), example = "2026-02-22T09:00:00.000Z")]
    game_start_ts: Timestamp,
    /// Absent for games of older programs.
    status: Option<GameStatus>,
    location: Option<String>,
    teams: Vec<TeamSnapshot>,
    #[view(from = result.as_ref().map(ResultView::of))]
    result: Option<ResultView>,
    public_visible: bool,
}

impl SessionGame {
    pub(crate) fn starts_at(&self) -> Timestamp {
        self.game_start_ts.instant()
    }
}

/// Returns the games of a match day in the order of their starts. Starts that older programs wrote are in
/// their keys as they were written.
pub(crate) async fn of_session(
    app: &App,
    session_id: &SessionId,
) -> Result<Vec<SessionGame>, Problem> {
    in_order(app, app.db.games_of(session_id).skip_unreadable().all().await?).await
}

/// Returns where a game is in the list of its match day.
pub(crate) fn position(game: &SessionGame) -> (StartTime, GameId) {
    (game.game_start_ts.clone(), game.game_id.clone())
}

/// A game of a season, and the day of its match day.
pub(crate) struct SeasonGame {
    date: Date,
    pub(crate) game: SessionGame,
}

impl Deref for SeasonGame {
    type Target = SessionGame;

    fn deref(&self) -> &SessionGame {
        &self.game
    }
}

impl SeasonGame {
    /// Returns where it is in the list of its season.
    pub(crate) fn position(&self) -> (Date, SessionId, (StartTime, GameId)) {
        (self.date, self.session_id.clone(), position(&self.game))
    }
}

/// Returns the games of a season, match day by match day.
pub(crate) async fn of_season(app: &App, season_id: &SeasonId) -> Result<Vec<SeasonGame>, Problem> {
    let sessions = app.db.sessions(season_id).skip_unreadable().all().await?;
    let mut games = Vec::new();
    for some in sessions.chunks(SESSIONS_AT_ONCE) {
        let mut reads = JoinSet::new();
        for session in some {
            let (date, rows) = (session.session_date, app.db.games_of(&session.session_id));
            reads.spawn(async move { (date, rows.skip_unreadable().all().await) });
        }
        for (date, rows) in reads.join_all().await {
            let of_session = in_order(app, rows?).await?.into_iter();
            games.extend(of_session.map(|game| SeasonGame { date, game }));
        }
    }
    games.sort_by_cached_key(SeasonGame::position);
    Ok(games)
}

/// Returns the games of a match day in order, with what older programs did not write.
async fn in_order(app: &App, mut games: Vec<SessionGame>) -> Result<Vec<SessionGame>, Problem> {
    games.sort_by_cached_key(position);
    for game in &mut games {
        complete_listed(app, game).await?;
    }
    Ok(games)
}

/// Returns a length of thirds that games can have.
///
/// # Errors
/// Returns 400 if it is invalid.
pub(crate) fn checked_third_length(minutes: u8) -> Result<u8, Problem> {
    match minutes {
        20 | 25 | 30 => Ok(minutes),
        _ => Err(Problem::field("thirdLengthMinutes", "must be 20, 25 or 30")),
    }
}
