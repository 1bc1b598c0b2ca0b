//! How many games a team has in a season: a number beside the team, for there is a limit to it.
//!
//! Games of older programs were never counted. When such a game goes, the number goes down all the
//! same: there is room for one more then.

use monotable::model::Transact;
use monotable::model::rows::Counter;

use crate::ids::{SeasonId, TeamId};
use crate::patterns::HackTracker;

/// Games of a team in a season at most; those without a season are a season of their own.
pub(super) const GAMES_MAX: i64 = 500;

/// Takes a place in a season; [`Error::LimitReached`](monotable::model::Error::LimitReached) if it is
/// full.
pub(crate) fn take(
    transaction: Transact<HackTracker>,
    team_id: &TeamId,
    season_id: Option<&SeasonId>,
) -> Transact<HackTracker> {
    transaction.add(places(team_id, season_id).add(1).at_most(GAMES_MAX))
}

/// Gives a place in a season up.
pub(crate) fn give_up(
    team_id: &TeamId,
    season_id: Option<&SeasonId>,
) -> monotable::model::rows::Add {
    places(team_id, season_id).add(-1)
}

fn places(team_id: &TeamId, season_id: Option<&SeasonId>) -> Counter {
    let season = season_id.map_or("-", SeasonId::as_str);
    Counter::new(format!("TEAM#{team_id}"), format!("GAMES#{season}"))
}
