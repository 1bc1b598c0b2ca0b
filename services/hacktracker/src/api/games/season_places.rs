//! How many games a team has in a season: a counter, because there is a limit.
//!
//! Games of older programs were never counted. When such a game is deleted, the counter still
//! decreases, so that the season can have one game more.

use monotable::model::rows::{Add, Counter, RuleOperation};

use crate::api::prelude::*;

/// Games of a team in a season at most; those without a season are a season of their own.
const GAMES_MAX: i64 = 500;

/// Counts a game in its season. The transaction is refused if the season is full, with 409, or if
/// the team does not have it, with 400.
pub(super) fn take(tx: &mut Change<'_>, game: &Game) {
    let text = "The season has the maximum number of games.";
    let full = Refusal::LimitReached.text(text).with("limit", GAMES_MAX);
    let place = places(&game.team_id, game.season_id.as_ref()).add(1);
    tx.require(place.at_most(GAMES_MAX), full);
    if let Some(season_id) = game.season_id.clone() {
        let key = SeasonKey::new(game.team_id.clone(), season_id);
        tx.require_with(check(&key, season::name().exists()), |error| {
            let missing = || Problem::field("seasonId", "the team has no such season");
            matches!(error, Error::NotFound { .. }).then(missing)
        });
    }
}

/// Removes a game from the count of its season.
pub(crate) fn release(
    team_id: &TeamId,
    season_id: Option<&SeasonId>,
) -> RuleOperation<SeasonGames, Add> {
    places(team_id, season_id).add(-1)
}

fn places(team_id: &TeamId, season_id: Option<&SeasonId>) -> Counter<SeasonGames> {
    let season_id = season_id.cloned().unwrap_or_else(SeasonId::none);
    SeasonGames { team_id: team_id.clone(), season_id }.counter()
}
