//! Stories of events. A narrator gets facts and returns a text; it never decides anything.
//!
//! Narrators implement [`Narrator`]; the built-in one needs no network and writes the same text for
//! the same facts.

mod check;
mod facts;
mod memory;
mod offline;
mod summary;

pub use monotable_kit::language_model::{Asked, Reply, Silent};
use serde::Serialize;

pub use check::{
    NARRATION_CHARACTERS_MAX, NARRATION_CHARACTERS_MIN, Unusable, read_refused, read_reply,
};
pub use facts::{Fact, facts_of, quotes_of};
pub use memory::{MEMORY_BYTES_MAX, is_memory_due, remember, remember_as};
pub use offline::Offline;
pub use summary::{Summary, summary_of};

use crate::rules::events::{Event, EventBody};
use crate::rules::state::{MatchState, Tone, Tribute};
use crate::table::TurnId;

/// The purpose of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// The story of a turn.
    EventNarration,
    /// The story of the end.
    Finale,
    /// A character.
    PersonaGen,
    /// Whether a player's text may be shown.
    Moderation,
    /// The story of a day.
    Summary,
    /// What to remember of the match so far.
    Memory,
}

impl Purpose {
    /// Returns the most tokens that a text of this purpose may cost, which are reserved before a
    /// narrator is called.
    #[must_use]
    pub const fn tokens_max(self) -> u64 {
        match self {
            Self::EventNarration => 800,
            Self::Finale => 2000,
            Self::PersonaGen => 300,
            Self::Moderation => 50,
            Self::Summary | Self::Memory => 600,
        }
    }
}

/// The prompt of a narrator. Texts of players are data in `quotes`, never part of an instruction.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Prompt {
    /// The purpose of the text.
    pub purpose: Purpose,
    /// The voice.
    pub tone: Tone,
    /// The location.
    pub arena: String,
    /// The turn, if there is one.
    pub turn_id: Option<TurnId>,
    /// The events, in order.
    pub facts: Vec<Fact>,
    /// What players wrote about their actions, with the names of their tributes; of a character, its name
    /// and its archetype.
    pub quotes: Vec<(String, String)>,
    /// The catchphrases of tributes, by name. Only the built-in narrator gets them.
    #[serde(skip)]
    pub catchphrases: Vec<(String, String)>,
    /// The number of previous turns or days, so that no two consecutive stories begin alike.
    #[serde(skip)]
    pub ordinal: usize,
    /// The previous events.
    pub memory: String,
    /// Whether an earlier reply was unusable.
    pub is_strict: bool,
}

impl Prompt {
    /// Returns the prompt for events of a match. `state` is the match after them.
    #[must_use]
    pub fn new(
        purpose: Purpose,
        state: &MatchState,
        turn_id: Option<TurnId>,
        facts: Vec<Fact>,
        quotes: Vec<(String, String)>,
    ) -> Self {
        Self {
            purpose,
            tone: state.theme.tone,
            arena: state.theme.arena.clone(),
            turn_id,
            facts,
            quotes,
            catchphrases: Vec::new(),
            ordinal: 0,
            memory: state.memory_blob.clone(),
            is_strict: false,
        }
    }

    /// Returns the prompt for judging texts of players before they are published.
    #[must_use]
    pub fn of_quotes(&self) -> Self {
        Self {
            purpose: Purpose::Moderation,
            facts: Vec::new(),
            memory: String::new(),
            is_strict: false,
            ..self.clone()
        }
    }

    /// Returns the prompt for the turn of these events. `state` is the match after them.
    #[must_use]
    pub fn of_turn(state: &MatchState, turn_id: &TurnId, events: &[Event]) -> Self {
        let of_turn = || events.iter().filter(|event| event.turn_id.as_ref() == Some(turn_id));
        let is_end = |event: &Event| matches!(event.body, EventBody::MatchEnded(_));
        let purpose = if of_turn().any(is_end) { Purpose::Finale } else { Purpose::EventNarration };
        let (facts, quotes) = (facts_of(of_turn(), state), quotes_of(of_turn(), state));
        let place = of_turn().next_back().map_or((0, 0), |event| (event.day, event.turn));
        let ordinal = place.0 * state.mode.turns_per_day() + place.1;
        let said = |tribute: &Tribute| {
            let text = tribute.persona.catchphrase.clone()?;
            Some((tribute.name.clone(), text))
        };
        Self {
            catchphrases: state.roster.iter().filter_map(said).collect(),
            ordinal: usize::try_from(ordinal).unwrap_or_default(),
            ..Self::new(purpose, state, Some(turn_id.clone()), facts, quotes)
        }
    }

    /// Returns the prompt for the day of these events. `state` is the match after them.
    #[must_use]
    pub fn of_day<'a>(
        day: u32,
        events: impl IntoIterator<Item = &'a Event>,
        state: &MatchState,
    ) -> Self {
        let facts = facts_of(events, state).into_iter().filter(Fact::is_highlight).collect();
        let prompt = Self::new(Purpose::Summary, state, None, facts, Vec::new());
        Self { ordinal: usize::try_from(day).unwrap_or_default(), ..prompt }
    }

    /// Returns the prompt for the persona of an AI tribute.
    #[must_use]
    pub fn of_persona(state: &MatchState, tribute: &Tribute) -> Self {
        let who = (tribute.name.clone(), tribute.persona.archetype.clone());
        let prompt = Self::new(Purpose::PersonaGen, state, None, Vec::new(), vec![who]);
        Self { memory: String::new(), ..prompt }
    }

    /// Returns the prompt for the memory: `memory` is what the program would remember.
    #[must_use]
    pub fn of_memory(state: &MatchState, memory: &str) -> Self {
        let prompt = Self::new(Purpose::Memory, state, None, Vec::new(), Vec::new());
        Self { memory: memory.to_owned(), ..prompt }
    }
}

/// A writer of stories.
pub trait Narrator: Send + Sync {
    /// Requests a text: JSON with `narration` and `tags`; other fields are ignored.
    fn ask<'a>(&'a self, prompt: &'a Prompt) -> Asked<'a>;

    /// Returns the most tokens that a prompt may cost, which are reserved before.
    fn tokens_max(&self, prompt: &Prompt) -> u64 {
        prompt.purpose.tokens_max()
    }
}
