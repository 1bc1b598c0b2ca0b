//! `POST /v1/sessions/{sessionId}/games`: creates a game.

use super::{GameView, checked_third_length, teams};
use crate::api::prelude::*;

/// Games of a match day at most.
const GAMES_MAX: u32 = 20;

/// A game to create.
#[derive(Debug, Body)]
#[body(read_only_of = GameView)]
pub(crate) struct NewGame {
    /// An id that nothing else has; by default the service makes one.
    #[body(check = checks::id)]
    game_id: Option<GameId>,
    #[body(example = "2026-02-22T09:00:00Z", label = "Start")]
    game_start_ts: Timestamp,
    /// A new game is scheduled.
    status: Option<GameStatus>,
    #[body(length = 1..=120, check = checks::name, example = "North pitch")]
    location: Patch<String>,
    /// 20, 25 or 30; by default as the season has it.
    #[body(range = 20..=30, label = "Length of a third")]
    third_length_minutes: Option<u8>,
    /// Three teams of the season, which can be left out if it has three.
    #[body(items = 3..=3, unique, label = "Teams")]
    team_ids: Option<Vec<TeamId>>,
    /// true by default.
    public_visible: Option<bool>,
}

/// Creates a game of a match day.
#[operation(
    POST "/v1/sessions/{sessionId}/games", once, queue = session_id,
    refuses(refusal::SCORING, IdTaken, InvalidTransition, Conflict)
)]
pub(crate) async fn create_game(
    app: &App,
    call: &Call<SessionPath, NewGame>,
) -> Answer<Created<GameView>> {
    let body = &call.body;
    let (session, season, _) =
        policy::session(app, call, &call.path.session_id, Action::Score).await?;
    if body.status.is_some_and(|status| status != GameStatus::Scheduled) {
        return Err(Refusal::InvalidTransition.text("A new game is scheduled."));
    }
    let count = counts::games(&app.db, &session).await?;
    counts::limit(count, GAMES_MAX, "games in a session")?;
    let teams = teams::snapshots(app, &season.season_id, body.team_ids.as_deref()).await?;
    let chosen = body.game_id.as_ref();
    let game_id = checks::free_id(app, chosen, |game_id| app.db.game_rows(game_id)).await?;
    let third_length = body.third_length_minutes.unwrap_or(season.third_length_minutes);
    let game = Game {
        game_id,
        league_id: season.league_id,
        season_id: season.season_id,
        session_id: session.session_id.clone(),
        status: GameStatus::Scheduled,
        game_start_ts: body.game_start_ts.into(),
        location: body.location.value().cloned(),
        third_length_minutes: Some(checked_third_length(third_length)?),
        team_ids: teams.iter().map(|team| team.team_id.clone()).collect(),
        teams,
        thirds: Vec::new(),
        tallies: Vec::new(),
        changes: 0,
        result: None,
        finished_at: None,
        public_visible: body.public_visible.unwrap_or(true),
        stamps: Stamps::default(),
    };
    let mut tx = call.transact(&app.db).or_retry();
    // The session counts its games, so that it can't be deleted as empty meanwhile.
    tx.add(edit(&session, |session| session.game_count = Some(count + 1)));
    let game = tx.require(create(game), Refusal::IdTaken);
    tx.respond(move |done| Created(GameView::of(&done[game]))).await
}
