//! Looking at a match, as whoever looks may see it.

use monotable_kit::{Problem, Reply, Request};

use super::turn;
use crate::app::App;
use crate::rules::redact::state_view;
use crate::table::MatchId;
use crate::tokens::viewer;

/// `GET /match/{id}`.
///
/// # Errors
/// 404 if there is no such match.
pub async fn show(app: &App, call: &Request) -> Result<Reply, Problem> {
    let match_id: MatchId = call.id("id")?;
    let mut row = turn::seen(app, &match_id).await?;
    row.state.version = row.stamps.version;
    let view = state_view(&row.state, &viewer(call, &match_id)?);
    Ok(Reply::ok(&view).version(row.stamps.version).differs_by_viewer())
}
