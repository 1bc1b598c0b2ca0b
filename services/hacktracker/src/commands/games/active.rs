//! The one place that a team has for a game in progress: a row that says which game has it.

use monotable::model::rows::GuardKey as _;
use monotable::model::{Handle, Store, Transact, create};
use monotable_kit::{Problem, Refusals};

use crate::app::App;
use crate::entities::{ActiveGame, ActiveGameGuard, Game};
use crate::ids::{GameId, TeamId};
use crate::patterns::{HackTracker, HackTrackerReads as _};

/// What a transaction does to the place of a team.
#[derive(Clone, Copy)]
pub(super) enum PlaceChange {
    /// A game takes it.
    Taken(Handle<ActiveGame>),
    /// The game that has it gives it up.
    GivenUp(Handle<()>),
    /// Nothing.
    None,
}

impl PlaceChange {
    /// Takes the place for a game.
    pub(super) fn take(tx: &mut Transact<HackTracker>, game: &Game) -> Self {
        let place = ActiveGame { team_id: game.team_id.clone(), game_id: game.game_id.clone() };
        Self::Taken(tx.add(create(place)))
    }

    /// Refuses with [`busy`] if another game has the place, and runs the command again if a game does
    /// not have it any more.
    pub(super) fn refusals(self, refusals: Refusals<'_>) -> Refusals<'_> {
        match self {
            Self::Taken(place) => refusals.refuse(place, busy()),
            Self::GivenUp(place) => refusals.retry(place),
            Self::None => refusals,
        }
    }
}

/// Gives the place of a game up. Games that older programs started have none until the backfill gives
/// them one.
pub(crate) async fn give_up_place(
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
        _ => Problem::changed(),
    })
}
