//! The story of a day.

use serde::{Deserialize, Serialize};

use super::offline::{Offline, sentence};
use super::{Prompt, facts_of};
use crate::rules::events::{Event, EventBody};
use crate::rules::state::MatchState;
use crate::table::TributeId;

const HIGHLIGHTS_MAX: usize = 10;

/// What happened on a day.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    /// The day.
    pub day: u32,
    /// Its story.
    pub narration: String,
    /// The tributes that died.
    pub deaths: Vec<TributeId>,
    /// The facts that must be included.
    pub highlights: Vec<String>,
    /// The number of living tributes.
    pub alive_count: u32,
    /// What the stories of the day cost.
    pub tokens_used: u64,
}

/// Returns the summary of a day from its events. `state` is the match after them.
#[must_use]
pub fn summary_of<'a>(
    day: u32,
    events: impl IntoIterator<Item = &'a Event>,
    state: &MatchState,
) -> Summary {
    let events: Vec<_> = events.into_iter().filter(|event| event.day == day).collect();
    let facts = facts_of(events.iter().copied(), state);
    let highlights = facts.iter().filter(|fact| fact.is_highlight());
    let highlights =
        highlights.map(|fact| sentence(fact, state.theme.tone, 0)).take(HIGHLIGHTS_MAX).collect();
    let deaths = events.iter().flat_map(|event| deaths_of(&event.body)).collect();
    let tokens_used = events
        .iter()
        .map(|event| match &event.body {
            EventBody::NarrationAttached(story) => story.tokens_used,
            _ => 0,
        })
        .sum();
    Summary {
        day,
        narration: Offline::write(&Prompt::of_day(day, events, state)),
        deaths,
        highlights,
        alive_count: u32::try_from(state.living().count()).unwrap_or(u32::MAX),
        tokens_used,
    }
}

fn deaths_of(body: &EventBody) -> Vec<TributeId> {
    match body {
        EventBody::TributeDied { tribute_id, .. } => vec![tribute_id.clone()],
        EventBody::TurnResolved(resolved) => resolved.merged.iter().flat_map(deaths_of).collect(),
        _ => Vec::new(),
    }
}
