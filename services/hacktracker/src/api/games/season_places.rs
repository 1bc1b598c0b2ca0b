//! How many games a team has in a season: a counter, because there is a limit.
//!
//! Games of older programs were never counted. When such a game is deleted, the counter goes down anyway
//! and leaves room for one more.

use monotable::model::rows::{Add, Counter, CounterKey as _, RuleOperation};
use monotable::model::{Error, Handle, Transact, check};
use monotable_kit::{Problem, Refusals, Refuse as _};

use crate::refusal::Refusal;
use crate::table::{Game, HackTracker, SeasonGames, SeasonId, SeasonKey, TeamId, season};

/// Games of a team in a season at most; those without a season are a season of their own.
const GAMES_MAX: i64 = 500;

/// The operations that bring a game into its season.
#[derive(Clone, Copy)]
pub(super) struct SeasonEntry {
    place: Handle<()>,
    season: Option<Handle<()>>,
}

impl SeasonEntry {
    /// Takes a place in the season of a game, and requires that there is such a season.
    pub(super) fn add(tx: &mut Transact<HackTracker>, game: &Game) -> Self {
        let place = places(&game.team_id, game.season_id.as_ref()).add(1).at_most(GAMES_MAX);
        let place = tx.add(place);
        let season = game.season_id.clone().map(|season_id| {
            let key = SeasonKey::new(game.team_id.clone(), season_id);
            tx.add(check(&key, season::name().exists()))
        });
        Self { place, season }
    }

    /// Refuses a season that is full, with 409, or that the team does not have, with 400.
    pub(super) fn refusals(self, refusals: Refusals<'_>) -> Refusals<'_> {
        let text = "The team has as many games in the season as it can have.";
        let full = Refusal::LimitReached.text(text).with("limit", GAMES_MAX);
        let refusals = refusals.refuse(self.place, full);
        let Some(season) = self.season else { return refusals };
        refusals.refuse_with(season, |error| {
            let missing = || Problem::field("seasonId", "the team has no such season");
            matches!(error, Error::NotFound { .. }).then(missing)
        })
    }
}

/// Gives a place in a season up.
pub(crate) fn give_up(
    team_id: &TeamId,
    season_id: Option<&SeasonId>,
) -> RuleOperation<SeasonGames, Add> {
    places(team_id, season_id).add(-1)
}

fn places(team_id: &TeamId, season_id: Option<&SeasonId>) -> Counter<SeasonGames> {
    let season_id = season_id.cloned().unwrap_or_else(SeasonId::none);
    SeasonGames { team_id: team_id.clone(), season_id }.counter()
}
