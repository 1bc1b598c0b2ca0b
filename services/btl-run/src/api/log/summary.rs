//! `GET /match/{id}/summary/{day}`: returns the story of a day.

use std::str::FromStr;

use super::SummaryView;
use crate::api::prelude::*;

/// The day that a path names.
#[derive(Debug, Path)]
pub(crate) struct DayPath {
    id: MatchId,
    day: Day,
}

/// A day from 1.
#[derive(Debug)]
struct Day(u32);

impl FromStr for Day {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let day = text.parse().ok().filter(|day| *day > 0);
        day.map(Self).ok_or("must be a whole number from 1")
    }
}

/// Returns the story of a finished day.
#[operation(
    GET "/match/{id}/summary/{day}", public, refuses(MatchNotFound, SummaryNotFound)
)]
pub(crate) async fn read_summary(app: &App, call: &Call<DayPath>) -> Answer<Json<SummaryView>> {
    let DayPath { id, day } = &call.path;
    turn::seen(app, id).await?;
    let row = match app.db.summary(id, day.0).consistent().await {
        // A value of another program is not a story that can be shown.
        Err(Error::Decode { .. }) => None,
        found => found?,
    };
    Ok(Json(SummaryView::of(&row.ok_or(Refusal::SummaryNotFound)?.summary)).into())
}
