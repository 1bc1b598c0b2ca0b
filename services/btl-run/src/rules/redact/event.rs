//! Events as a viewer sees them. What a tribute chose stays hidden until its turn is resolved, and what
//! it carries is its own affair.

use serde_json::{Map, Value, json};

use super::{TributeView, Viewer};
use crate::rules::events::{
    Event, EventBody, MatchCreated, NarrationAttached, TurnResolved, Visibility,
};
use crate::rules::state::{MatchState, Status, Tribute};

/// The event as the viewer may see it, if at all. `state` is the match as the viewer sees it.
#[must_use]
pub fn event_view(event: &Event, state: &MatchState, viewer: &Viewer) -> Option<Value> {
    if event.visibility == Visibility::Gm && *viewer != Viewer::GameMaster {
        return None;
    }
    // Days and turns only grow, so a turn before the open one is resolved.
    let is_resolved =
        state.status == Status::Ended || (event.day, event.turn) < (state.day, state.turn);
    let mut view = Map::new();
    view.insert("seq".to_owned(), json!(event.seq));
    view.insert("timestamp".to_owned(), json!(event.timestamp));
    view.insert("day".to_owned(), json!(event.day));
    view.insert("turn".to_owned(), json!(event.turn));
    if let Some(turn_id) = &event.turn_id {
        view.insert("turnId".to_owned(), json!(turn_id));
    }
    view.insert("visibility".to_owned(), json!(event.visibility));
    view.extend(body_view(&event.body, is_resolved, viewer));
    Some(Value::Object(view))
}

/// Type and details. No `_` arm on purpose: a new event is shown only as somebody has decided.
fn body_view(body: &EventBody, is_resolved: bool, viewer: &Viewer) -> Map<String, Value> {
    let shown = whole(body);
    let data = match body {
        EventBody::TributeLeft { .. }
        | EventBody::MatchStarted(_)
        | EventBody::TributeDied { .. }
        | EventBody::AllianceFormed { .. }
        | EventBody::AllianceBroken { .. }
        | EventBody::Hazard { .. }
        | EventBody::RulesChanged { .. }
        | EventBody::GmAnnouncement { .. }
        | EventBody::GmEventInjected(_)
        | EventBody::MatchEnded(_) => return shown,
        EventBody::TributeActionSubmitted { tribute_id, .. } => {
            if is_resolved || viewer.is(tribute_id) {
                return shown;
            }
            json!({ "tributeId": tribute_id })
        }
        EventBody::ItemUsed { tribute_id, .. } | EventBody::SponsorDrop { tribute_id, .. } => {
            if viewer.is(tribute_id) {
                return shown;
            }
            json!({ "tributeId": tribute_id })
        }
        EventBody::ItemGained { tribute_id, source, .. } => {
            if viewer.is(tribute_id) {
                return shown;
            }
            json!({ "tributeId": tribute_id, "source": source })
        }
        EventBody::MatchCreated(created) => creation(created, viewer),
        EventBody::TributeJoined { tribute, replaces } => {
            json!({ "tribute": seen(tribute, viewer), "replaces": replaces })
        }
        EventBody::TurnResolved(resolved) => resolution(resolved, viewer),
        EventBody::NarrationAttached(story) => narration(story),
    };
    let mut view = Map::new();
    view.extend(shown.get("type").map(|name| ("type".to_owned(), name.clone())));
    view.insert("data".to_owned(), data);
    view
}

fn whole(body: &EventBody) -> Map<String, Value> {
    match serde_json::to_value(body) {
        Ok(Value::Object(fields)) => fields,
        _ => Map::new(),
    }
}

fn seen<'a>(tribute: &'a Tribute, viewer: &Viewer) -> TributeView<'a> {
    TributeView::new(tribute, viewer.is(&tribute.id))
}

fn creation(created: &MatchCreated, viewer: &Viewer) -> Value {
    json!({
        "matchId": created.match_id,
        "mode": created.mode,
        "rules": created.rules,
        "theme": created.theme,
        "maxDays": created.max_days,
        "roster": created.roster.iter().map(|one| seen(one, viewer)).collect::<Vec<_>>(),
        "timezone": created.timezone,
        "maxRealDays": created.max_real_days,
        "seedCommit": created.seed_commit,
        "rngVer": created.rng_ver,
        "rulesVer": created.rules_ver,
    })
}

fn resolution(resolved: &TurnResolved, viewer: &Viewer) -> Value {
    let merged = resolved.merged.iter().map(|body| Value::Object(body_view(body, true, viewer)));
    json!({
        "actions": resolved.actions,
        "outcomes": resolved.outcomes,
        "hp": resolved.hp,
        "merged": merged.collect::<Vec<_>>(),
        "next": resolved.next,
    })
}

fn narration(story: &NarrationAttached) -> Value {
    json!({
        "turnId": story.turn_id,
        "narration": story.narration,
        "tags": story.tags,
        "fallback": story.fallback,
    })
}
