//! Reports changes of a game to those who follow it: dashboards, and the phones of a team.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::api::dashboard::{ClockView, StandingView, standing_views};
use crate::api::prelude::*;

/// The name of the events of a dashboard, and of a team's phones.
pub(crate) const GAME_EVENT: &str = "game";
pub(crate) const TEAM_EVENT: &str = "team";

/// How often a game is reported because players have moved.
const MOVES_PAUSE: Duration = Duration::from_secs(5);
/// How long that is remembered.
const MOVES_KEPT: Duration = Duration::from_secs(60 * 60);

/// When players of games have moved, as far as that was reported. It is kept in this process: it tells no more than when to look
/// at the map again.
#[derive(Debug, Default)]
pub(crate) struct Moves(Mutex<HashMap<GameId, Timestamp>>);

impl Moves {
    /// Notes a move, and returns whether it is to be reported.
    fn note(&self, game_id: &GameId, now: Timestamp) -> bool {
        let mut moves = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if moves.get(game_id).is_some_and(|last| now < *last + MOVES_PAUSE) {
            return false;
        }
        moves.retain(|_, last| now < *last + MOVES_KEPT);
        moves.insert(game_id.clone(), now);
        true
    }

    fn latest(&self, game_id: &GameId) -> Option<Timestamp> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(game_id).copied()
    }
}

/// How a game stands, for its dashboards.
#[derive(View)]
pub(crate) struct PulseView {
    clock: ClockView,
    teams: Vec<StandingView>,
    /// When organisers have written to all players last.
    broadcast_at: Option<Timestamp>,
    /// When a player has moved, to a few seconds.
    moved_at: Option<Timestamp>,
}

/// How a team stands, for its phones.
#[derive(View)]
pub(crate) struct TeamPulseView {
    clock: ClockView,
    #[view(example = 2)]
    completed: u32,
    #[view(example = 5)]
    total: u32,
    /// How many photos the team has taken.
    photos: u32,
    broadcast_at: Option<Timestamp>,
}

/// Returns the topic of a game's dashboards.
pub(crate) fn of_game(game_id: &GameId) -> String {
    format!("game/{game_id}")
}

/// Returns the topic of a team's phones.
pub(crate) fn of_team(game_id: &GameId, team_id: &TeamId) -> String {
    format!("team/{game_id}/{team_id}")
}

/// Returns how a game stands.
///
/// # Errors
/// Returns the errors of the table.
pub(crate) async fn pulse(app: &App, game: &Game) -> Result<PulseView, Problem> {
    let control = app.db.control(&game.id).await?;
    let teams = app.db.teams(&game.id).skip_unreadable().all().await?;
    let adjustments = app.db.adjustments(&game.id).skip_unreadable().all().await?;
    Ok(PulseView {
        clock: ClockView::of(game, control.as_ref(), app.db.now()),
        teams: standing_views(game, &teams, &adjustments),
        broadcast_at: game.broadcast_at,
        moved_at: app.moves.latest(&game.id),
    })
}

/// Returns how a team stands.
///
/// # Errors
/// Returns the errors of the table.
pub(crate) async fn team_pulse(
    app: &App,
    game: &Game,
    team_id: &TeamId,
) -> Result<Option<TeamPulseView>, Problem> {
    let control = app.db.control(&game.id).await?;
    let Some(team) = app.db.team_of(&game.id, team_id).await? else { return Ok(None) };
    Ok(Some(TeamPulseView {
        clock: ClockView::of(game, control.as_ref(), app.db.now()),
        completed: team.tally.completed,
        total: team.tally.levels,
        photos: team.photo_count,
        broadcast_at: game.broadcast_at,
    }))
}

/// Reports how all games and teams stand that clients of this process follow.
pub(crate) async fn followed(app: &App) {
    for topic in app.events.followed() {
        let mut parts = topic.split('/').skip(1);
        let (game_id, team_id) = (parts.next().map(GameId::new), parts.next().map(TeamId::new));
        match (game_id, team_id) {
            (Some(Ok(game_id)), Some(Ok(team_id))) => report(app, &game_id, Some(&team_id)).await,
            (Some(Ok(game_id)), _) => report(app, &game_id, None).await,
            _ => {}
        }
    }
}

/// Reports how a game stands to everybody who follows it or one of its teams.
pub(crate) async fn everybody(app: &App, game_id: &GameId) {
    if app.events.topics() == 0 {
        return;
    }
    report(app, game_id, None).await;
    let Ok(teams) = app.db.teams(game_id).skip_unreadable().all().await else { return };
    for one in teams {
        report(app, game_id, Some(&one.id)).await;
    }
}

/// Reports how a team stands to its phones and to the dashboards of its game.
pub(crate) async fn changed(app: &App, game_id: &GameId, team_id: &TeamId) {
    if app.events.topics() == 0 {
        return;
    }
    report(app, game_id, None).await;
    report(app, game_id, Some(team_id)).await;
}

/// Reports to the dashboards of a game that a player has moved.
pub(crate) async fn moved(app: &App, game_id: &GameId) {
    if app.events.topics() > 0 && app.moves.note(game_id, app.db.now()) {
        report(app, game_id, None).await;
    }
}

/// Reports how a game stands, or one of its teams. What can't be read is reported with the next change.
async fn report(app: &App, game_id: &GameId, team_id: Option<&TeamId>) {
    let topic = team_id.map_or_else(|| of_game(game_id), |team_id| of_team(game_id, team_id));
    let Ok(game) = app.db.game(game_id).await else { return };
    match (game, team_id) {
        (None, _) => app.events.close(&topic),
        (Some(game), None) => {
            if let Ok(pulse) = pulse(app, &game).await {
                app.events.publish(&topic, GAME_EVENT, &pulse);
            }
        }
        (Some(game), Some(team_id)) => {
            if let Ok(Some(pulse)) = team_pulse(app, &game, team_id).await {
                app.events.publish(&topic, TEAM_EVENT, &pulse);
            }
        }
    }
}
