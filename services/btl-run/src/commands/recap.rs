//! The recap of a day, for a link that can be sent around.

use monotable_kit::{Problem, Reply, Request};
use serde::Deserialize;

use super::export::page;
use super::turn;
use crate::app::App;
use crate::story::to_recap;
use crate::table::{BtlRunReads as _, MatchId};

#[derive(Deserialize)]
struct Wanted {
    day: Option<u32>,
}

/// `GET /r/{id}`: a day, or the last one that is over. The link has the match's id: its code is an
/// invitation, and ends when the match begins.
///
/// # Errors
/// 404 if there is no such match, or the day is not over.
pub async fn show(app: &App, call: &Request) -> Result<Reply, Problem> {
    let match_id: MatchId = call.id("id")?;
    let Wanted { day } = call.parameters()?;
    let row = turn::seen(app, &match_id).await?;
    let mut summaries = Vec::new();
    let mut stream = app.db.summaries(&match_id).consistent().skip_unreadable().stream();
    while let Some(summary) = stream.next().await {
        summaries.push(summary?.summary);
    }
    summaries.sort_by_key(|summary| summary.day);
    let days: Vec<u32> = summaries.iter().map(|summary| summary.day).collect();
    let wanted = match day {
        Some(day) => summaries.iter().find(|summary| summary.day == day),
        None => summaries.last(),
    };
    let summary = wanted.ok_or_else(|| {
        Problem::not_found("SUMMARY_NOT_FOUND", "There is no story of this day, or not yet.")
    })?;
    Ok(page(to_recap(&row.state, summary, &days)))
}
