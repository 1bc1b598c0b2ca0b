//! The events of a match: its log, the stories of its days, and the live stream.

pub(crate) mod follow;
mod follower;
pub(crate) mod read;
pub(crate) mod summaries;
pub(crate) mod summary;

use crate::api::prelude::*;
use crate::rules::narration::Summary;

/// The story of a day.
#[derive(View)]
#[view(of = Summary)]
pub(crate) struct SummaryView {
    #[view(example = 1)]
    day: u32,
    #[view(example = "Another watch passes in the old forest. Ilse falls to Brakka.")]
    narration: String,
    /// The tributes that died.
    deaths: Vec<TributeId>,
    highlights: Vec<String>,
    /// The number of living tributes.
    #[view(example = 5)]
    alive_count: u32,
    /// The tokens that were used for the stories of the day.
    #[view(example = 640)]
    tokens_used: u64,
}

/// Returns all stories of a match, by day, and how many can't be read. A match has at most thirty, which fit
/// in a page.
///
/// # Errors
///
/// Returns the errors of the table.
pub(crate) async fn all_summaries(
    app: &App,
    match_id: &MatchId,
) -> Result<(Vec<Summary>, usize), Problem> {
    let page = app.db.summaries(match_id).consistent().skip_unreadable().page().await?;
    let mut rows = page.rows;
    // Days are not padded, so 10 comes before 2 in the table.
    rows.sort_by_key(|row| row.number);
    Ok((rows.into_iter().map(|row| row.summary).collect(), page.unreadable.len()))
}
