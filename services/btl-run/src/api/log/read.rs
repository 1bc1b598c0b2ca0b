//! `GET /match/{id}/log`: reads what happened.

use crate::api::prelude::*;
use crate::log::entries_after;
use crate::rules::redact::EventView;
use crate::tokens::viewer;

/// How often the log is read for a page if much of it is hidden.
const READS_MAX: usize = 20;

/// Lists events in order; actions are hidden until their turn is resolved.
#[operation(GET "/match/{id}/log", public, refuses(MatchNotFound, TokenOfAnotherMatch))]
pub(crate) async fn read_log(
    app: &App,
    call: &Call<MatchPath, (), NumberedPage>,
) -> Answer<Items<EventView>> {
    let match_id = &call.path.id;
    let list = format!("log {match_id}");
    let (limit, mut last) = (call.query.limit(), call.query.start(app, &list)?);
    let state = turn::seen(app, match_id).await?.state;
    let viewer = viewer(call, match_id)?;
    let mut items = Vec::new();
    for _ in 0..READS_MAX {
        if items.len() >= limit || last >= state.log_seq {
            break;
        }
        let rest = u32::try_from(limit - items.len()).unwrap_or(u32::MAX);
        let (entries, until) = entries_after(app, &state, last, rest).await?;
        items.extend(entries.iter().filter_map(|entry| entry.view(&state, &viewer)));
        last = until;
    }
    Ok(Items::until(app, &list, items, (last < state.log_seq).then_some(last)).into())
}
