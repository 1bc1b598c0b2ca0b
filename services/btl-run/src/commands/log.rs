//! Reading what happened.

use monotable_kit::{Problem, Reply, Request};
use serde_json::{Value, json};

use super::page::Page;
use super::turn;
use crate::app::App;
use crate::log::{Entry, entries_after};
use crate::rules::redact::{EventView, Viewer};
use crate::rules::state::MatchState;
use crate::table::MatchId;
use crate::tokens::viewer;

/// How often the log is read for a page, where much of it can't be shown.
const READS_MAX: usize = 20;

/// `GET /match/{id}/log`.
///
/// # Errors
/// 404 if there is no such match, 400 for a cursor of another list.
pub async fn list(app: &App, call: &Request) -> Result<Reply, Problem> {
    let match_id: MatchId = call.id("id")?;
    let page = Page::of(app, call, format!("log {match_id}"))?;
    let state = turn::seen(app, &match_id).await?.state;
    let viewer = viewer(call, &match_id)?;
    let (mut items, mut last) = (Vec::new(), page.after);
    for _ in 0..READS_MAX {
        if items.len() >= page.limit || last >= state.log_seq {
            break;
        }
        let rest = u32::try_from(page.limit - items.len()).unwrap_or(u32::MAX);
        let (entries, until) = entries_after(app, &state, last, rest).await?;
        items.extend(entries.iter().filter_map(|entry| view(entry, &state, &viewer)));
        last = until;
    }
    Ok(page.reply(app, &items, (last < state.log_seq).then_some(last)))
}

/// A row of the log as a viewer may see it. Of what another program wrote, only what kind of thing
/// happened when: nobody else knows who may see more.
pub(super) fn view(entry: &Entry, state: &MatchState, viewer: &Viewer) -> Option<Value> {
    match entry {
        Entry::Known(event) => EventView::seen_by(event, state, viewer).map(|view| json!(view)),
        Entry::Unreadable { seq } => Some(json!({ "seq": seq, "unreadable": true })),
        Entry::Foreign { seq, told } => {
            let mut view = told.clone();
            view.insert("seq".to_owned(), json!(seq));
            Some(Value::Object(view))
        }
    }
}
