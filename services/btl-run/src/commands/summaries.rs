//! Reading the stories of days.

use monotable::model::Error;
use monotable_kit::{Problem, Reply, Request};
use serde_json::json;

use super::turn;
use crate::app::App;
use crate::narration::Summary;
use crate::table::{BtlRunReads as _, MatchId};

/// `GET /match/{id}/summary/{day}`.
///
/// # Errors
/// 404 if there is no such match, or the day is not over.
pub async fn show(app: &App, call: &Request) -> Result<Reply, Problem> {
    let match_id: MatchId = call.id("id")?;
    let day = call.path.get("day").and_then(|day| day.parse::<u32>().ok()).filter(|day| *day > 0);
    let day = day.ok_or_else(|| Problem::field("day", "must be a whole number from 1"))?;
    turn::seen(app, &match_id).await?;
    let row = match app.db.summary(&match_id, day).consistent().await {
        // What another program wrote is no story that anybody here could tell.
        Err(Error::Decode { .. }) => None,
        found => found?,
    };
    let row = row.ok_or_else(|| {
        Problem::not_found("SUMMARY_NOT_FOUND", "There is no story of this day, or not yet.")
    })?;
    Ok(Reply::ok(&row.summary))
}

/// `GET /match/{id}/summaries`.
///
/// # Errors
/// 404 if there is no such match.
pub async fn list(app: &App, call: &Request) -> Result<Reply, Problem> {
    let match_id: MatchId = call.id("id")?;
    turn::seen(app, &match_id).await?;
    let (items, unreadable) = all(app, &match_id).await?;
    let mut shown = json!({ "items": items, "nextToken": null, "hasMore": false });
    if unreadable > 0 {
        shown["unreadable"] = unreadable.into();
    }
    Ok(Reply::ok(&shown))
}

/// All of a match, by day, and how many can't be read. A match has at most thirty, which fit in a page.
///
/// # Errors
/// What the table says.
pub(super) async fn all(app: &App, match_id: &MatchId) -> Result<(Vec<Summary>, usize), Problem> {
    let page = app.db.summaries(match_id).consistent().skip_unreadable().page().await?;
    let mut rows = page.rows;
    // Days are not padded, so that 10 comes before 2 in the table.
    rows.sort_by_key(|row| row.number);
    Ok((rows.into_iter().map(|row| row.summary).collect(), page.unreadable.len()))
}
