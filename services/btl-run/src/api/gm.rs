//! The actions of a game master on a running match. Each event records the caller.

pub(crate) mod announce;
pub(crate) mod change_rules;
pub(crate) mod inject;

use crate::api::play::OutcomeView;
use crate::api::prelude::*;
use crate::rules::events::{Audit, Event};
use serde_json::Value;

/// Commits an action of a game master, with the previous value.
async fn commit(
    app: &App,
    call: &Request,
    row: MatchRow,
    mut events: Vec<Event>,
    before: Option<Value>,
) -> Answer<Json<OutcomeView>> {
    if let Some(first) = events.first_mut() {
        first.audit = Some(Audit { before, ..tokens::audit(call) });
    }
    let change = Change::new(app, row, events).await?;
    let view = OutcomeView::of(&change, &Viewer::GameMaster);
    change.commit(app, call, change.transaction(app)?, Json(view)).await
}
