//! Seasons of a team, by which games and statistics are grouped.

pub(crate) mod create;
pub(crate) mod list;

use monotable::model::time::{Date, Timestamp};
use monotable_kit::View;

use crate::table::{Season, SeasonId, TeamId};

/// A season.
#[derive(View)]
#[view(of = Season, list = "seasons")]
pub(crate) struct SeasonView {
    #[view(example = "t1")]
    team_id: TeamId,
    #[view(example = "s1")]
    season_id: SeasonId,
    #[view(example = "Spring 2026")]
    name: String,
    #[view(example = "2026-03-01")]
    starts_on: Option<Date>,
    #[view(example = "2026-05-31")]
    ends_on: Option<Date>,
    #[view(from = stamps.created, example = "2026-06-01T09:30:00.000Z")]
    created_at: Timestamp,
    #[view(from = stamps.updated, example = "2026-06-01T09:30:00.000Z")]
    updated_at: Timestamp,
    #[view(version, from = stamps.version, example = 1)]
    ver: u64,
}
