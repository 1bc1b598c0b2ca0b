//! Seasons of a team, which group games and statistics.

pub(crate) mod create;
pub(crate) mod list;

use crate::api::prelude::*;

/// A season.
#[derive(View)]
#[view(of = Season, list = "seasons")]
pub(crate) struct SeasonView {
    team_id: TeamId,
    season_id: SeasonId,
    #[view(example = "Spring 2026")]
    name: String,
    #[view(example = "2026-03-01")]
    starts_on: Option<Date>,
    #[view(example = "2026-05-31")]
    ends_on: Option<Date>,
    #[view(stamps)]
    stamps: Stamps,
}
