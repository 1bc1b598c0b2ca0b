//! Events as a viewer sees them. A tribute's action stays hidden until its turn is resolved, and
//! its items are always hidden from others.

use std::sync::Arc;

use monotable_kit::{FieldType, Kind, View};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::json;
use serde_json::value::{RawValue, to_raw_value};

use super::{TributeView, Viewer};
use crate::rules::events::{
    Event, EventBody, HitPoints, MatchCreated, NarrationAttached, Outcome, TakenAction,
    TurnOpening, TurnResolved, Visibility,
};
use crate::rules::state::{MatchState, Status, Tribute};
use crate::table::TurnId;

/// An event of a match, as the caller may see it. Of another program's events, only the number, the
/// time and the type are shown.
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
    pub(crate) data: Option<Details>,
    /// Whether the row of the event can't be read.
    pub(crate) unreadable: Option<bool>,
}

/// The details of an event as JSON text, which is written once: a response copies it into the record of its
/// request, too.
#[derive(Clone, Debug)]
pub(crate) struct Details(Arc<RawValue>);

impl Details {
    /// Returns what serde writes of a value, if it can.
    fn of(value: &impl Serialize) -> Option<Self> {
        to_raw_value(value).ok().map(|text| Self(text.into()))
    }
}

impl Serialize for Details {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl FieldType for Details {
    fn kind() -> Kind {
        Kind::Anything
    }
}

impl EventView {
    /// Returns the event as the viewer may see it, if at all. `state` is the match as the viewer sees it.
    #[must_use]
    pub fn seen_by(event: &Event, state: &MatchState, viewer: &Viewer) -> Option<Self> {
        if event.visibility == Visibility::Gm && *viewer != Viewer::GameMaster {
            return None;
        }
        // Days and turns only grow, so a turn before the open one is resolved.
        let is_resolved =
            state.status == Status::Ended || (event.day, event.turn) < (state.day, state.turn);
        let body = body_view(&event.body, is_resolved, viewer);
        Some(Self {
            seq: event.seq,
            timestamp: Some(event.timestamp),
            day: Some(event.day),
            turn: Some(event.turn),
            turn_id: event.turn_id.clone(),
            visibility: Some(event.visibility),
            kind: body.kind,
            data: body.data,
            unreadable: None,
        })
    }
}

/// Returns the events that the viewer may see, as the viewer may see them. With a state that is older than the
/// events, more is hidden, never less.
#[must_use]
pub fn log_view<'a>(
    events: impl IntoIterator<Item = &'a Event>,
    state: &MatchState,
    viewer: &Viewer,
) -> Vec<EventView> {
    events.into_iter().filter_map(|event| EventView::seen_by(event, state, viewer)).collect()
}

/// Type and details of what happened.
#[derive(Default, Serialize)]
struct BodyView {
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    kind: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<Details>,
}

/// Type and details as they are stored.
#[derive(Deserialize)]
struct StoredBody {
    #[serde(rename = "type")]
    kind: String,
    data: Box<RawValue>,
}

fn body_view(body: &EventBody, is_resolved: bool, viewer: &Viewer) -> BodyView {
    let text = serde_json::to_string(body).ok();
    let Some(StoredBody { kind, data }) = text.and_then(|text| serde_json::from_str(&text).ok())
    else {
        return BodyView::default();
    };
    let data = match part(body, is_resolved, viewer) {
        Shown::Whole => Some(Details(data.into())),
        Shown::Part(part) => part,
    };
    BodyView { kind: Some(kind), data }
}

/// How much of the details a viewer may see.
enum Shown {
    Whole,
    Part(Option<Details>),
}

/// Returns the details that the viewer may see. No `_` arm on purpose: a new event does not compile
/// until someone has decided who may see it.
fn part(body: &EventBody, is_resolved: bool, viewer: &Viewer) -> Shown {
    Shown::Part(match body {
        EventBody::TributeLeft { .. }
        | EventBody::MatchStarted(_)
        | EventBody::TributeDied { .. }
        | EventBody::AllianceFormed { .. }
        | EventBody::AllianceBroken { .. }
        | EventBody::Hazard { .. }
        | EventBody::RulesChanged { .. }
        | EventBody::GmAnnouncement { .. }
        | EventBody::GmEventInjected(_)
        | EventBody::MatchEnded(_) => return Shown::Whole,
        EventBody::TributeActionSubmitted { tribute_id, .. } => {
            if is_resolved || viewer.is(tribute_id) {
                return Shown::Whole;
            }
            Details::of(&json!({ "tributeId": tribute_id }))
        }
        EventBody::ItemUsed { tribute_id, .. } | EventBody::SponsorDrop { tribute_id, .. } => {
            if viewer.is(tribute_id) {
                return Shown::Whole;
            }
            Details::of(&json!({ "tributeId": tribute_id }))
        }
        EventBody::ItemGained { tribute_id, source, .. } => {
            if viewer.is(tribute_id) {
                return Shown::Whole;
            }
            Details::of(&json!({ "tributeId": tribute_id, "source": source }))
        }
        EventBody::MatchCreated(created) => creation(created, viewer),
        EventBody::TributeJoined { tribute, replaces } => {
            let tribute = TributeView::seen_by(tribute, viewer);
            Details::of(&json!({ "tribute": tribute, "replaces": replaces }))
        }
        EventBody::TurnResolved(resolved) => resolution(resolved, viewer),
        EventBody::NarrationAttached(story) => narration(story),
    })
}

fn creation(created: &MatchCreated, viewer: &Viewer) -> Option<Details> {
    Details::of(&json!({
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
    }))
}

/// The public part of a resolved turn.
#[derive(Serialize)]
struct Resolution<'a> {
    actions: &'a [TakenAction],
    outcomes: &'a [Outcome],
    hp: &'a [HitPoints],
    merged: Vec<BodyView>,
    next: &'a Option<TurnOpening>,
}

fn resolution(resolved: &TurnResolved, viewer: &Viewer) -> Option<Details> {
    let TurnResolved { actions, outcomes, hp, merged, next } = resolved;
    let merged = merged.iter().map(|body| body_view(body, true, viewer)).collect();
    Details::of(&Resolution { actions, outcomes, hp, merged, next })
}

fn narration(story: &NarrationAttached) -> Option<Details> {
    Details::of(&json!({
        "turnId": story.turn_id,
        "narration": story.narration,
        "tags": story.tags,
        "fallback": story.fallback,
    }))
}
