//! The facts of a turn, with names instead of ids and without secrets.

use serde::Serialize;

use crate::rules::events::{Cause, EndReason, Event, EventBody, Injection, Outcome, Source};
use crate::rules::state::{FREE_TEXT_CHARACTERS_MAX, MatchState};
use crate::table::TributeId;

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "fact", rename_all = "snake_case")]
#[allow(missing_docs, reason = "the fields are names of tributes and causes")]
pub enum Fact {
    /// Somebody recovered.
    Rested { who: String },
    /// Somebody hid.
    Hid { who: String },
    /// Somebody found or made something.
    Found { who: String, source: Source },
    /// Somebody looked for something in vain.
    Empty { who: String },
    /// Somebody walked into a trap.
    Trapped { who: String },
    /// Two tributes are allies from now on.
    Allied { who: String, whom: String },
    /// An offer was refused.
    Refused { who: String },
    /// An alliance broke.
    Betrayed { who: String, whom: String },
    /// A tribute hit another one.
    Hit { who: String, whom: String },
    /// A tribute missed another one.
    Missed { who: String, whom: String },
    /// Somebody was hit by their prey.
    Countered { who: String, whom: String },
    /// The arena struck this many tributes.
    Hazard { level: u32, count: usize },
    /// Somebody died.
    Died { who: String, cause: Cause, by: Option<String> },
    /// A gift fell from the sky.
    Gift { who: String },
    /// The weather changed.
    Weather { text: String },
    /// The game master announced something.
    Announced { text: String },
    /// Somebody won.
    Won { who: String },
    /// The last day ended, and this tribute was the strongest.
    Chosen { who: String },
    /// No tribute survived, and this one was the strongest before.
    Outlasted { who: String },
}

impl Fact {
    /// Returns whether the fact names the winner.
    #[must_use]
    pub const fn is_end(&self) -> bool {
        matches!(self, Self::Won { .. } | Self::Chosen { .. } | Self::Outlasted { .. })
    }

    /// Returns the tribute that acts, or is affected.
    #[must_use]
    pub fn subject(&self) -> Option<&str> {
        match self {
            Self::Rested { who }
            | Self::Hid { who }
            | Self::Found { who, .. }
            | Self::Empty { who }
            | Self::Trapped { who }
            | Self::Allied { who, .. }
            | Self::Refused { who }
            | Self::Betrayed { who, .. }
            | Self::Hit { who, .. }
            | Self::Missed { who, .. }
            | Self::Countered { who, .. }
            | Self::Died { who, .. }
            | Self::Gift { who }
            | Self::Won { who }
            | Self::Chosen { who }
            | Self::Outlasted { who } => Some(who),
            Self::Hazard { .. } | Self::Weather { .. } | Self::Announced { .. } => None,
        }
    }

    /// Returns whether a summary would be wrong without it.
    #[must_use]
    pub const fn is_highlight(&self) -> bool {
        matches!(
            self,
            Self::Died { .. }
                | Self::Announced { .. }
                | Self::Betrayed { .. }
                | Self::Allied { .. }
                | Self::Won { .. }
                | Self::Chosen { .. }
                | Self::Outlasted { .. }
        )
    }
}

/// Returns the facts of events, in their order. `state` is the match after them.
#[must_use]
pub fn facts_of<'a>(events: impl IntoIterator<Item = &'a Event>, state: &MatchState) -> Vec<Fact> {
    events.into_iter().flat_map(|event| of_body(&event.body, state)).collect()
}

/// Returns what players wrote about the actions that were taken, with the names of their tributes.
#[must_use]
pub fn quotes_of<'a>(
    events: impl IntoIterator<Item = &'a Event>,
    state: &MatchState,
) -> Vec<(String, String)> {
    let taken = events.into_iter().flat_map(|event| match &event.body {
        EventBody::TurnResolved(resolved) => resolved.actions.as_slice(),
        _ => &[],
    });
    taken
        .filter_map(|taken| {
            let text: String =
                taken.action.free_text.as_ref()?.chars().take(FREE_TEXT_CHARACTERS_MAX).collect();
            Some((name_of(state, &taken.tribute_id), text))
        })
        .collect()
}

fn of_body(body: &EventBody, state: &MatchState) -> Vec<Fact> {
    let name = |id: &TributeId| name_of(state, id);
    match body {
        EventBody::TurnResolved(resolved) => {
            let merged = resolved.merged.iter().flat_map(|body| of_body(body, state));
            merged
                .chain(resolved.outcomes.iter().filter_map(|one| of_outcome(one, state)))
                .collect()
        }
        EventBody::TributeDied { tribute_id, cause, killed_by, .. } => vec![Fact::Died {
            who: name(tribute_id),
            cause: *cause,
            by: killed_by.as_ref().map(name),
        }],
        EventBody::AllianceBroken { by, against, .. } => {
            vec![Fact::Betrayed { who: name(by), whom: name(against) }]
        }
        // Stories are public: only the tribute knows which item it is.
        EventBody::ItemGained { tribute_id, source, .. } => {
            vec![Fact::Found { who: name(tribute_id), source: *source }]
        }
        EventBody::Hazard { level, hits } => {
            vec![Fact::Hazard { level: *level, count: hits.len() }]
        }
        EventBody::SponsorDrop { tribute_id, .. } => vec![Fact::Gift { who: name(tribute_id) }],
        EventBody::GmAnnouncement { text } => vec![Fact::Announced { text: text.clone() }],
        EventBody::GmEventInjected(Injection::Weather { text }) => {
            vec![Fact::Weather { text: text.clone() }]
        }
        EventBody::GmEventInjected(Injection::Hazard { hp, .. }) => {
            vec![Fact::Hazard { level: 1, count: hp.len() }]
        }
        EventBody::MatchEnded(placing) => {
            let ending = |who| match placing.reason {
                EndReason::Finale => Fact::Chosen { who },
                EndReason::LastStand => Fact::Outlasted { who },
                EndReason::Victory | EndReason::Cancelled => Fact::Won { who },
            };
            placing.winner_id.iter().map(|id| ending(name(id))).collect()
        }
        EventBody::MatchCreated(_)
        | EventBody::TributeJoined { .. }
        | EventBody::TributeLeft { .. }
        | EventBody::MatchStarted(_)
        | EventBody::TributeActionSubmitted { .. }
        | EventBody::AllianceFormed { .. }
        | EventBody::ItemUsed { .. }
        | EventBody::RulesChanged { .. }
        | EventBody::GmEventInjected(Injection::ItemDrop { .. })
        | EventBody::NarrationAttached(_) => Vec::new(),
    }
}

fn of_outcome(outcome: &Outcome, state: &MatchState) -> Option<Fact> {
    let name = |id: &TributeId| name_of(state, id);
    Some(match outcome {
        Outcome::Rested { tribute_id, .. } | Outcome::ExploredToRest { tribute_id, .. } => {
            Fact::Rested { who: name(tribute_id) }
        }
        Outcome::Hid { tribute_id } => Fact::Hid { who: name(tribute_id) },
        Outcome::Scavenged { tribute_id, found: false, .. }
        | Outcome::ExploredInVain { tribute_id, .. }
        | Outcome::Crafted { tribute_id, made: false }
        | Outcome::NoPrey { tribute_id } => Fact::Empty { who: name(tribute_id) },
        // The item has an event of its own.
        Outcome::Scavenged { .. } | Outcome::ExploredToItem { .. } | Outcome::Crafted { .. } => {
            return None;
        }
        Outcome::ExploredToTrap { tribute_id, .. } => Fact::Trapped { who: name(tribute_id) },
        Outcome::Allied { tribute_id, target_id, .. } => {
            Fact::Allied { who: name(tribute_id), whom: name(target_id) }
        }
        Outcome::Refused { tribute_id, .. } => Fact::Refused { who: name(tribute_id) },
        Outcome::Hit { tribute_id, target_id, .. } => {
            Fact::Hit { who: name(tribute_id), whom: name(target_id) }
        }
        Outcome::Missed { tribute_id, target_id, .. } => {
            Fact::Missed { who: name(tribute_id), whom: name(target_id) }
        }
        Outcome::Countered { tribute_id, target_id, .. } => {
            Fact::Countered { who: name(tribute_id), whom: name(target_id) }
        }
    })
}

fn name_of(state: &MatchState, id: &TributeId) -> String {
    state.tribute(id).map_or_else(|| "somebody".to_owned(), |tribute| tribute.name.clone())
}
