//! The game that a team plays now: a row that names it, so that there is at most one.

use monotable::model::rows::GuardKey as _;
use monotable::model::{Handle, Store, Transact, create};
use monotable_kit::{Problem, Refusals, Refuse as _};

use crate::app::App;
use crate::refusal::Refusal;
use crate::table::{
    ActiveGame, ActiveGameGuard, Game, GameId, HackTracker, HackTrackerReads as _, TeamId,
};

/// What a transaction does to the record of the active game.
#[derive(Clone, Copy)]
pub(super) enum ActiveGameChange {
    /// A game becomes the active one.
    Claimed(Handle<ActiveGame>),
    /// The active game is not active any more.
    Released(Handle<()>),
    /// Nothing.
    None,
}

impl ActiveGameChange {
    /// Makes a game the active one.
    pub(super) fn claim(tx: &mut Transact<HackTracker>, game: &Game) -> Self {
        let active = ActiveGame { team_id: game.team_id.clone(), game_id: game.game_id.clone() };
        Self::Claimed(tx.add(create(active)))
    }

    /// Refuses with `GAME_ALREADY_IN_PROGRESS` if another game is active, and runs the operation again if a
    /// game is not active any more.
    pub(super) fn refusals(self, refusals: Refusals<'_>) -> Refusals<'_> {
        match self {
            Self::Claimed(active) => refusals.refuse(active, Refusal::GameAlreadyInProgress),
            Self::Released(active) => refusals.retry(active),
            Self::None => refusals,
        }
    }
}

/// Releases the record of a game, if it is the active one. Games that older programs started have none until
/// the backfill creates it.
///
/// # Errors
/// What the table says.
pub(crate) async fn release(
    db: &Store<HackTracker>,
    tx: &mut Transact<HackTracker>,
    team_id: &TeamId,
    game_id: &GameId,
) -> Result<Option<Handle<()>>, Problem> {
    let active = db.active_game(team_id).await?;
    Ok(active.filter(|active| active.game_id == *game_id).map(|_| {
        let guard = ActiveGameGuard { team_id: team_id.clone() }.guard();
        tx.add(guard.release(game_id.as_str()))
    }))
}

/// Adds the id of the game that is played to `GAME_ALREADY_IN_PROGRESS`. If that is this game, or none any
/// more, then another request was faster.
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
