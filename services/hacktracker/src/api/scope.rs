//! What an operation starts with: the game, the caller's permission, and the transaction of a
//! change.

use super::prelude::*;

/// The transaction of an operation.
pub(crate) type Change<'a> = Commit<'a, HackTracker>;

/// Starts a change of a team: it is refused if the team is deleted in the meantime, and the
/// operation runs again if anything else has changed since it was read.
pub(crate) fn change<'a>(app: &App, call: &'a Request, team_id: &TeamId) -> Change<'a> {
    let mut tx = call.transact(&app.db).or_retry();
    tx.require(policy::check_active(team_id), Refusal::TeamDeleted);
    tx
}

/// Returns a game, and the caller as a member of its team with a permission.
///
/// # Errors
///
/// Returns 404 for games that do not exist or are hidden from the caller; 403 for members without
/// the permission.
pub(crate) async fn game(
    app: &App,
    call: &Request,
    game_id: &GameId,
    action: Action,
) -> Result<(Game, Granted), Problem> {
    let game = stored_game(app, game_id).await?;
    let granted = member(app, call, &game, action).await?;
    Ok((game, granted))
}

/// Returns a game, unless it is missing or being deleted.
///
/// # Errors
/// 404.
pub(crate) async fn stored_game(app: &App, game_id: &GameId) -> Result<Game, Problem> {
    let game = app.db.game(game_id).consistent().await?;
    game.filter(|game| !game.is_deleting()).ok_or_else(|| Refusal::GameNotFound.into())
}

/// Returns the caller as a member of a game's team. If the team is hidden from the caller, the game
/// is missing.
///
/// # Errors
/// Returns 404 and 403.
pub(crate) async fn member(
    app: &App,
    call: &Request,
    game: &Game,
    action: Action,
) -> Result<Granted, Problem> {
    policy::authorize(app, call, &game.team_id, action).await.map_err(|problem| {
        if problem.code == "TEAM_NOT_FOUND" { Refusal::GameNotFound.into() } else { problem }
    })
}

/// Returns a player of a team.
///
/// # Errors
/// 404.
pub(crate) async fn player(
    app: &App,
    team_id: &TeamId,
    player_id: &PlayerId,
) -> Result<Player, Problem> {
    let player = app.db.player(team_id, player_id).consistent().await?;
    player.ok_or_else(|| Refusal::PlayerNotFound.into())
}

/// Creates the 400 for players who do not play for the team.
pub(crate) fn not_on_team(players: &[PlayerId]) -> Problem {
    Refusal::PlayerNotOnTeam.with("playerIds", json!(players))
}
