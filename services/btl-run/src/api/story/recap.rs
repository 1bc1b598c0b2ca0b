//! `GET /r/{id}`: returns the recap of a day, for a link that can be shared.

use super::HtmlPage;
use crate::api::log::all_summaries;
use crate::api::prelude::*;
use crate::rules::story::to_recap;

/// The day of the recap.
#[derive(Debug, Body)]
pub(crate) struct RecapQuery {
    /// The last finished day by default.
    #[body(range = 1..=30, example = 1)]
    day: Option<u32>,
}

/// Returns a day of a match as a page for people; the id is the match's.
///
/// The link contains the match's id and not its code, because the code is an invitation and becomes
/// invalid when the match starts.
#[operation(GET "/r/{id}", public, refuses(MatchNotFound, SummaryNotFound))]
pub(crate) async fn get_recap(
    app: &App,
    call: &Call<MatchPath, (), RecapQuery>,
) -> Answer<HtmlPage> {
    let match_id = &call.path.id;
    let row = turn::seen(app, match_id).await?;
    let (summaries, _) = all_summaries(app, match_id).await?;
    let days: Vec<u32> = summaries.iter().map(|summary| summary.day).collect();
    let summary = match call.query.day {
        Some(day) => summaries.iter().find(|summary| summary.day == day),
        None => summaries.last(),
    };
    let summary = summary.ok_or(Refusal::SummaryNotFound)?;
    Ok(HtmlPage(to_recap(&row.state, summary, &days)).into())
}
