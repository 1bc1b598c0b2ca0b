//! Sessions: the match days of a season.

pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod list;

use crate::api::prelude::*;

/// A match day.
#[derive(View)]
#[view(of = Session, list = "sessions")]
pub(crate) struct SessionView {
    season_id: SeasonId,
    session_id: SessionId,
    #[view(example = "2026-03-01")]
    session_date: Date,
    #[view(stamps)]
    stamps: Stamps,
}
