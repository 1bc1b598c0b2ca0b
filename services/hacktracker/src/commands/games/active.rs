//! The one place that a team has for a game in progress: a row that says which game has it.

use monotable::model::rows::{Guard, Layout};
use monotable::model::{Error, Store, Transact};
use monotable_kit::Problem;

use crate::app::App;
use crate::entities::{ActiveGame, Game};
use crate::ids::{GameId, TeamId};
use crate::patterns::{HackTracker, HackTrackerReads as _};

/// The row that says which game a team plays right now.
pub(super) fn place(game: &Game) -> ActiveGame {
    ActiveGame { team_id: game.team_id.clone(), game_id: game.game_id.clone() }
}

/// Adds that a game gives its place up. Games that older programs started have none until the backfill
/// gives them one.
pub(crate) async fn give_up_place(
    db: &Store<HackTracker>,
    transaction: Transact<HackTracker>,
    team_id: &TeamId,
    game_id: &GameId,
) -> Result<Transact<HackTracker>, Problem> {
    match db.active_game(team_id).await? {
        Some(active) if active.game_id == *game_id => {
            let guard = Guard::new(format!("TEAM#{team_id}"), "ACTIVE_GAME");
            let guard = guard.layout(Layout::default().value("gameId"));
            Ok(transaction.add(guard.release(game_id.as_str())))
        }
        _ => Ok(transaction),
    }
}

/// The code of [`busy`].
pub(super) const BUSY: &str = "GAME_ALREADY_IN_PROGRESS";

/// 409 for a team that plays another game.
pub(super) fn busy() -> Problem {
    Problem::conflict(BUSY, "The team is playing another game.")
}

/// The problem with the id of the game that is running. If that is this game, or none any more, then
/// somebody else was faster.
pub(super) async fn running(app: &App, game: &Game, problem: Problem) -> Result<Problem, Problem> {
    Ok(match app.db.active_game(&game.team_id).await? {
        Some(active) if active.game_id != game.game_id => {
            problem.with("gameId", active.game_id.as_str())
        }
        _ => Error::VersionConflict { entity: "Game", key: String::new() }.into(),
    })
}
