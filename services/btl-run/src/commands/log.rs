//! Reading what happened.

use monotable_kit::{Call, Problem, Reply};

use super::page::Page;
use super::turn;
use crate::app::App;
use crate::ids::MatchId;
use crate::log::events_after;
use crate::redact::log_view;
use crate::tokens::viewer;

/// `GET /match/{id}/log`.
///
/// # Errors
/// 404 if there is no such match, 400 for a cursor of another list.
pub async fn list(app: &App, call: &Call) -> Result<Reply, Problem> {
    let match_id: MatchId = call.id("id")?;
    let page = Page::of(app, call, format!("log {match_id}"))?;
    let state = turn::seen(app, &match_id).await?.state;
    let viewer = viewer(call, &match_id);
    let (mut items, mut last) = (Vec::new(), page.after);
    while items.len() < page.limit && last < state.log_seq {
        let events = events_after(app, &state, last, page.limit - items.len()).await?;
        let Some(event) = events.last() else {
            // The rest is nothing that anybody could read.
            last = state.log_seq;
            break;
        };
        last = event.seq;
        items.extend(log_view(&events, &state, &viewer));
    }
    Ok(page.reply(app, &items, (last < state.log_seq).then_some(last)))
}
