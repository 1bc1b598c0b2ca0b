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

use std::collections::BTreeMap;
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
    #[view(from = shown_result())]
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

    pub(crate) fn shown_result(&self) -> Option<ResultView> {
        self.result.as_ref().map(ResultView::of)
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
    #[view(from = shown_result())]
    result: Option<ResultView>,
    public_visible: bool,
}

impl SessionGame {
    pub(crate) fn starts_at(&self) -> Timestamp {
        self.game_start_ts.instant()
    }

    fn shown_result(&self) -> Option<ResultView> {
        self.result.as_ref().map(ResultView::of)
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

/// The games of a season, match day by match day.
pub(crate) struct SeasonGames {
    games: Vec<SessionGame>,
    dates: BTreeMap<SessionId, Date>,
}

impl Deref for SeasonGames {
    type Target = [SessionGame];

    fn deref(&self) -> &[SessionGame] {
        &self.games
    }
}

impl SeasonGames {
    /// Returns where a game is in the list.
    pub(crate) fn position(
        &self,
        game: &SessionGame,
    ) -> (Option<Date>, SessionId, (StartTime, GameId)) {
        let date = self.dates.get(&game.session_id).copied();
        (date, game.session_id.clone(), position(game))
    }
}

/// Returns the games of a season.
pub(crate) async fn of_season(app: &App, season_id: &SeasonId) -> Result<SeasonGames, Problem> {
    let mut sessions = app.db.sessions(season_id).skip_unreadable().all().await?;
    sessions.sort_by(|one, other| {
        (one.session_date, &one.session_id).cmp(&(other.session_date, &other.session_id))
    });
    let mut games = Vec::new();
    for some in sessions.chunks(SESSIONS_AT_ONCE) {
        let mut reads = JoinSet::new();
        for (index, session) in some.iter().enumerate() {
            let rows = app.db.games_of(&session.session_id).skip_unreadable();
            reads.spawn(async move { (index, rows.all().await) });
        }
        let mut read = reads.join_all().await;
        read.sort_by_key(|(index, _)| *index);
        for (_, rows) in read {
            games.extend(in_order(app, rows?).await?);
        }
    }
    let dates = sessions.into_iter().map(|session| (session.session_id, session.session_date));
    Ok(SeasonGames { games, dates: dates.collect() })
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
/// 400.
pub(crate) fn checked_third_length(minutes: u8) -> Result<u8, Problem> {
    match minutes {
        20 | 25 | 30 => Ok(minutes),
        _ => Err(Problem::field("thirdLengthMinutes", "must be 20, 25 or 30")),
    }
}
