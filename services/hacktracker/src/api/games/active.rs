//! The active game of a team: a guard that names it, so that there is at most one.

use crate::api::prelude::*;

/// Makes a game the active one in a transaction, which is refused if another game is.
pub(super) fn claim(tx: &mut Change<'_>, game: &Game) {
    let active = ActiveGame { team_id: game.team_id.clone(), game_id: game.game_id.clone() };
    tx.require(create(active), Refusal::GameAlreadyInProgress);
}

/// Returns the operation that releases the guard of a game, if it is the active one. Games that
/// older programs started have none until the backfill creates it.
pub(crate) async fn release(
    db: &Store<HackTracker>,
    team_id: &TeamId,
    game_id: &GameId,
) -> Result<Option<impl Operation<HackTracker, Output = ()>>, Problem> {
    let active = db.active_game(team_id).await?;
    Ok(active.filter(|active| active.game_id == *game_id).map(|_| {
        let guard = ActiveGameGuard { team_id: team_id.clone() }.guard();
        guard.release(game_id.as_str())
    }))
}

/// Adds the id of the active game to `GAME_ALREADY_IN_PROGRESS`. If that is this game, or there is
/// none any more, then another request was faster.
pub(super) async fn name_active_game(app: &App, game: &Game, problem: Problem) -> Problem {
    if problem.code != Refusal::GameAlreadyInProgress.problem().code {
        return problem;
    }
    match app.db.active_game(&game.team_id).await {
        Ok(Some(active)) if active.game_id != game.game_id => {
            problem.with("gameId", active.game_id.as_str())
        }
        Ok(_) => Problem::changed(),
        Err(error) => error.into(),
    }
}
