//! Seasons of a league: made with their teams, changed and deleted.

pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod get;
pub(crate) mod list;
pub(crate) mod update;

use crate::api::games::checked_third_length;
use crate::api::prelude::*;

/// A season.
#[derive(View)]
#[view(of = Season, list = "seasons")]
pub(crate) struct SeasonView {
    league_id: LeagueId,
    season_id: SeasonId,
    #[view(example = "Autumn 2026")]
    name: String,
    #[view(null, example = "autumn-2026")]
    slug: Option<Slug>,
    #[view(null, example = "2026-03-01")]
    starts_on: Option<Date>,
    #[view(null, example = "2026-05-31")]
    ends_on: Option<Date>,
    #[view(example = 20)]
    third_length_minutes: u8,
    /// What orders the table of the season, the first criterion first.
    ranking: Vec<Ranking>,
    #[view(stamps)]
    stamps: Stamps,
}

/// Refuses days in the wrong order, and thirds of another length.
fn check(season: &Season) -> Result<(), Problem> {
    if season.starts_on.zip(season.ends_on).is_some_and(|(first, last)| last < first) {
        return Err(Problem::field("endsOn", "is before startsOn"));
    }
    checked_third_length(season.third_length_minutes).map(drop)
}
