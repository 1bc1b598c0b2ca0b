//! Events as a viewer sees them. What a tribute chose stays hidden until its turn is resolved, and what
//! it carries is its own affair.

use monotable_kit::View;
use serde_json::{Map, Value, json};

use super::{TributeView, Viewer};
use crate::rules::events::{
    Event, EventBody, MatchCreated, NarrationAttached, TurnResolved, Visibility,
};
use crate::rules::state::{MatchState, Status, Tribute};
use crate::table::TurnId;

/// An event of a match, as the caller may see it. Of what another program wrote, only the number, the time
/// and the type are shown.
#[derive(Clone, Debug, Default, View)]
#[view(list = "items")]
pub struct EventView {
    /// The number of the event: from 1, without gaps.
    #[view(example = 13)]
    pub(crate) seq: u32,
    /// In milliseconds since 1970.
    #[view(example = 1_800_000_000_000_i64)]
    pub(crate) timestamp: Option<i64>,
    #[view(example = 1)]
    pub(crate) day: Option<u32>,
    #[view(example = 1)]
    pub(crate) turn: Option<u32>,
    #[view(example = "d1t1")]
    pub(crate) turn_id: Option<TurnId>,
    #[view(example = "actor")]
    pub(crate) visibility: Option<Visibility>,
    #[view(name = "type", example = "TRIBUTE_ACTION_SUBMITTED")]
    pub(crate) kind: Option<String>,
    #[view(example = json!({ "tributeId": "t1" }))]
    pub(crate) data: Option<Value>,
    /// Whether the row of the event can't be read.
    pub(crate) unreadable: Option<bool>,
}

impl EventView {
    /// The event as the viewer may see it, if at all. `state` is the match as the viewer sees it.
    #[must_use]
    pub fn seen_by(event: &Event, state: &MatchState, viewer: &Viewer) -> Option<Self> {
        if event.visibility == Visibility::Gm && *viewer != Viewer::GameMaster {
            return None;
        }
        // Days and turns only grow, so a turn before the open one is resolved.
        let is_resolved =
            state.status == Status::Ended || (event.day, event.turn) < (state.day, state.turn);
        let mut body = body_view(&event.body, is_resolved, viewer);
        let kind = body.remove("type").and_then(|kind| kind.as_str().map(str::to_owned));
        Some(Self {
            seq: event.seq,
            timestamp: Some(event.timestamp),
            day: Some(event.day),
            turn: Some(event.turn),
            turn_id: event.turn_id.clone(),
            visibility: Some(event.visibility),
            kind,
            data: body.remove("data"),
            unreadable: None,
        })
    }
}

/// The events that the viewer may see, as the viewer may see them. With a state that is older than the
/// events, more is hidden, never less.
#[must_use]
pub fn log_view<'a>(
    events: impl IntoIterator<Item = &'a Event>,
    state: &MatchState,
    viewer: &Viewer,
) -> Vec<EventView> {
    events.into_iter().filter_map(|event| EventView::seen_by(event, state, viewer)).collect()
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
            json!({ "tribute": TributeView::seen_by(tribute, viewer), "replaces": replaces })
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

fn creation(created: &MatchCreated, viewer: &Viewer) -> Value {
    json!({
        "matchId": created.match_id,
        "mode": created.mode,
        "rules": created.rules,
        "theme": created.theme,
        "maxDays": created.max_days,
        "roster": created.roster.iter().map(|one: &Tribute| TributeView::seen_by(one, viewer)).collect::<Vec<_>>(),
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
