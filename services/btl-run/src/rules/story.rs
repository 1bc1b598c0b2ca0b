//! A finished match for export: as verifiable JSON, as Markdown and as HTML.

mod html;
mod markdown;
mod recap;
mod verify;

use serde::{Deserialize, Serialize};

pub use html::{PAGE_POLICY, to_html};
pub use markdown::to_markdown;
pub use recap::to_recap;
pub use verify::{Forged, Verified, verify};

use crate::rules::events::{Event, EventBody, FoldError, replay};
use crate::rules::narration::{Offline, Prompt, Summary, summary_of};
use crate::rules::rng::Seed;
use crate::rules::state::{MatchState, Phase, Status, Tribute};
use crate::table::TurnId;

/// A finished match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Story {
    /// The final state of the match.
    #[serde(rename = "match")]
    pub state: MatchState,
    /// All events, without the users behind players.
    pub events: Vec<Event>,
    /// The days.
    pub summaries: Vec<Summary>,
    /// The secret seed of the match, with which it can be replayed. Matches of older programs have
    /// none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<Seed>,
}

impl Story {
    /// Returns the story of a match whose log does not result in a state, as it is stored.
    #[must_use]
    pub fn as_stored(
        state: &MatchState,
        events: &[Event],
        summaries: Vec<Summary>,
        seed: Option<Seed>,
    ) -> Self {
        let mut state = state.clone();
        state.host_user_id = None;
        state.memory_blob.clear();
        state.pending_actions.clear();
        state.phase = Phase::Ended;
        state.unknown.clear();
        for tribute in &mut state.roster {
            tribute.user_id = None;
            tribute.unknown.clear();
        }
        Self { state, events: events.iter().map(without_users).collect(), summaries, seed }
    }

    /// Returns the title.
    pub(crate) fn title(&self) -> String {
        format!("The story of {}", self.state.theme.arena)
    }

    /// Returns the winner, if there is one.
    pub(crate) fn winner(&self) -> Option<&Tribute> {
        self.state.winner_id.as_ref().and_then(|id| self.state.tribute(id))
    }

    /// Returns the seed as text.
    fn seed_text(&self) -> String {
        self.seed.as_ref().map_or_else(|| "none".to_owned(), Seed::reveal)
    }
}

/// The reason why there is no story.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Untold {
    /// The match has not ended, and its seed is secret.
    #[error("the match is not over")]
    NotEnded,
    /// The log is inconsistent.
    #[error(transparent)]
    Unsound(#[from] FoldError),
}

/// Returns the story of a match from all its events.
///
/// # Errors
/// Fails if the match has not ended, or the log is inconsistent.
pub fn story_of(events: &[Event], seed: Option<Seed>, version: u64) -> Result<Story, Untold> {
    let events: Vec<Event> = events.iter().map(without_users).collect();
    let state = replay(&events, version)?;
    if state.status != Status::Ended {
        return Err(Untold::NotEnded);
    }
    let mut summaries = Vec::new();
    for day in 1..=state.day {
        // The match at the end of the day.
        let until = events.iter().rposition(|event| event.day <= day).map_or(0, |at| at + 1);
        summaries.push(summary_of(day, &events, &replay(&events[..until], 0)?));
    }
    Ok(Story { state, events, summaries, seed })
}

/// Returns the event without data that only the service may know: accounts, callers, and the
/// narrator's memory.
fn without_users(event: &Event) -> Event {
    let mut event = event.clone();
    event.audit = None;
    match &mut event.body {
        EventBody::MatchCreated(created) => {
            created.host_user_id = None;
            created.roster.iter_mut().for_each(|tribute| tribute.user_id = None);
        }
        EventBody::TributeJoined { tribute, .. } => tribute.user_id = None,
        EventBody::NarrationAttached(story) => story.memory = None,
        _ => {}
    }
    event
}

/// A turn as a chapter.
pub(crate) struct Chapter {
    /// Its title; `None` if it is the only one of its day.
    pub(crate) title: Option<String>,
    /// Its story.
    pub(crate) text: String,
    /// The tributes that died in it, by name.
    pub(crate) deaths: Vec<String>,
}

/// Returns the chapters of a day: the narrator's text, or one made from the facts.
pub(crate) fn chapters(story: &Story, day: u32) -> Vec<Chapter> {
    let is_turn =
        |event: &&Event| event.day == day && matches!(event.body, EventBody::TurnResolved(_));
    let resolved: Vec<&Event> = story.events.iter().filter(is_turn).collect();
    let has_titles = resolved.len() > 1;
    let chapter = |event: &&Event| {
        let turn_id = event.turn_id.as_ref()?;
        let title = has_titles.then(|| format!("Turn {}", event.turn));
        let died = |one: &&Tribute| one.died_turn.as_ref() == Some(turn_id);
        let deaths = story.state.roster.iter().filter(died).map(|one| one.name.clone()).collect();
        Some(Chapter { title, text: chapter_text(story, turn_id), deaths })
    };
    resolved.iter().filter_map(chapter).collect()
}

fn chapter_text(story: &Story, turn_id: &TurnId) -> String {
    let attached = story.events.iter().rev().find_map(|event| match &event.body {
        EventBody::NarrationAttached(story) if story.turn_id == *turn_id => Some(&story.narration),
        _ => None,
    });
    attached
        .cloned()
        .unwrap_or_else(|| Offline::write(&Prompt::of_turn(&story.state, turn_id, &story.events)))
}

/// Returns name, rank and cause of death of all tributes, the winner first.
pub(crate) fn places(story: &Story) -> Vec<(u32, &str, &'static str)> {
    let mut places: Vec<_> = story
        .state
        .roster
        .iter()
        .filter_map(|one| {
            let end = if one.alive { "alive" } else { "dead" };
            Some((one.rank?, one.name.as_str(), end))
        })
        .collect();
    places.sort();
    places
}
