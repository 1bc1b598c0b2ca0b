//! What a command about a game starts from: the game, the caller's right to it.

use monotable_kit::{Problem, Refuse as _, Request};

use crate::app::App;
use crate::policy::{self, Action, Granted};
use crate::refusal::Refusal;
use crate::table::{Game, GameId, HackTrackerReads as _, PlayerId};

/// Returns a game, and the caller as a member of its team who may do something.
///
/// # Errors
/// 404 for games that do not exist or are hidden from the caller; 403 for members who may not.
pub(crate) async fn authorized_game(
    app: &App,
    call: &Request,
    game_id: &GameId,
    action: Action,
) -> Result<(Game, Granted), Problem> {
    let game = there(app.db.game(game_id).consistent().await?)?;
    let granted = member(app, call, &game, action).await?;
    Ok((game, granted))
}

/// The game, unless it is missing or about to be.
///
/// # Errors
/// 404.
pub(crate) fn there(game: Option<Game>) -> Result<Game, Problem> {
    game.filter(|game| !game.is_deleting()).ok_or_else(|| Refusal::GameNotFound.into())
}

/// The caller as a member of a game's team. To whom the team is hidden, the game is missing.
///
/// # Errors
/// 404 and 403.
pub(crate) async fn member(
    app: &App,
    call: &Request,
    game: &Game,
    action: Action,
) -> Result<Granted, Problem> {
    policy::authorize(app, call, &game.team_id, action).await.map_err(|problem| {
        match problem.code {
            "TEAM_NOT_FOUND" => Refusal::GameNotFound.into(),
            _ => problem,
        }
    })
}

/// 400 for players who do not play for the team.
pub(crate) fn not_on_team(players: &[PlayerId]) -> Problem {
    Refusal::PlayerNotOnTeam.with("playerIds", ids(players))
}

/// Ids as JSON.
pub(crate) fn ids(players: &[PlayerId]) -> Vec<String> {
    players.iter().map(PlayerId::to_string).collect()
}
