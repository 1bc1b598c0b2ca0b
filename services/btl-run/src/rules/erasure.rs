//! Erasing a user from a match: their account, their names and their texts, in the state and in
//! every event, so that the log still results in the snapshot and every turn has the same result.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::rules::events::{Event, EventBody, Injection};
use crate::rules::narration::Summary;
use crate::rules::resolve::style_of;
use crate::rules::state::{Action, MatchState, Persona, Tribute};
use crate::table::{TributeId, TurnId, UserId};

/// The data to remove from a match. It contains everything that is needed to continue after an
/// interruption.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Erasure {
    user_id: UserId,
    tributes: Vec<Renamed>,
    /// The turns whose narrator knew texts of the user.
    #[serde(default)]
    quoted: BTreeSet<TurnId>,
}

/// A tribute of the user: its old name and its new one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Renamed {
    id: TributeId,
    was: String,
    is: String,
}

impl Erasure {
    /// Returns the data of a user in a match; `None` if the user never joined. The events contain
    /// all joins before the start, and all texts.
    #[must_use]
    pub fn of<'a>(
        state: &MatchState,
        events: impl IntoIterator<Item = &'a Event, IntoIter: Clone>,
        user_id: &UserId,
    ) -> Option<Self> {
        let events = events.into_iter();
        let joined = events.clone().filter_map(|event| match &event.body {
            EventBody::TributeJoined { tribute, .. } => Some(&**tribute),
            _ => None,
        });
        let mut tributes: Vec<Renamed> = Vec::new();
        for tribute in state.roster.iter().chain(joined) {
            let is_known = tributes.iter().any(|known| known.id == tribute.id);
            if tribute.user_id.as_ref() == Some(user_id) && !is_known {
                let is = free_name(state, &tributes, &tribute.id);
                tributes.push(Renamed { id: tribute.id.clone(), was: tribute.name.clone(), is });
            }
        }
        let is_host = state.host_user_id.as_ref() == Some(user_id);
        let is_theirs = |id: &TributeId| tributes.iter().any(|tribute| tribute.id == *id);
        // A catchphrase may appear in any turn in which its tribute is alive.
        let always_says = |id: &TributeId| {
            state.tribute(id).is_some_and(|tribute| tribute.persona.catchphrase.is_some())
        };
        let quoted = events.filter(|event| match &event.body {
            EventBody::TurnResolved(resolved) => resolved
                .actions
                .iter()
                .filter(|taken| is_theirs(&taken.tribute_id))
                .any(|taken| taken.action.free_text.is_some() || always_says(&taken.tribute_id)),
            _ => false,
        });
        let quoted = quoted.filter_map(|event| event.turn_id.clone()).collect();
        let user_id = user_id.clone();
        (is_host || !tributes.is_empty()).then_some(Self { user_id, tributes, quoted })
    }

    /// Returns whether the story of a turn may repeat the user's texts, in any words.
    #[must_use]
    pub fn is_quoted(&self, turn_id: &TurnId) -> bool {
        self.quoted.contains(turn_id)
    }

    /// Returns the user.
    #[must_use]
    pub fn user_id(&self) -> &UserId {
        &self.user_id
    }

    /// Returns the tributes of the user.
    pub fn tributes(&self) -> impl Iterator<Item = &TributeId> {
        self.tributes.iter().map(|tribute| &tribute.id)
    }

    /// Returns the state without the user.
    #[must_use]
    pub fn state(&self, state: &MatchState) -> MatchState {
        let mut state = state.clone();
        state.host_user_id.take_if(|host| *host == self.user_id);
        state.roster.iter_mut().for_each(|tribute| self.rename(tribute));
        for (id, action) in &mut state.pending_actions {
            self.silence(id, action);
        }
        state.memory_blob = self.text(&state.memory_blob);
        state
    }

    /// Returns the event without the user.
    #[must_use]
    pub fn event(&self, event: &Event) -> Event {
        let mut event = event.clone();
        match &mut event.body {
            EventBody::MatchCreated(created) => {
                created.host_user_id.take_if(|host| *host == self.user_id);
                created.roster.iter_mut().for_each(|tribute| self.rename(tribute));
            }
            EventBody::TributeJoined { tribute, .. } => self.rename(tribute),
            EventBody::TributeActionSubmitted { tribute_id, action } => {
                self.silence(tribute_id, action);
            }
            EventBody::TurnResolved(resolved) => {
                for taken in &mut resolved.actions {
                    self.silence(&taken.tribute_id, &mut taken.action);
                }
            }
            EventBody::NarrationAttached(story) => {
                story.narration = self.text(&story.narration);
                story.memory = story.memory.as_deref().map(|memory| self.text(memory));
            }
            EventBody::GmAnnouncement { text }
            | EventBody::GmEventInjected(Injection::Weather { text }) => *text = self.text(text),
            _ => {}
        }
        event
    }

    /// Returns the summary without the user.
    #[must_use]
    pub fn summary(&self, summary: &Summary) -> Summary {
        Summary {
            narration: self.text(&summary.narration),
            highlights: summary.highlights.iter().map(|text| self.text(text)).collect(),
            ..summary.clone()
        }
    }

    /// Replaces the old names by the new ones wherever they are separate words, in upper or lower
    /// case. A text that was rewritten before stays the same.
    #[must_use]
    pub fn text(&self, text: &str) -> String {
        self.tributes.iter().fold(text.to_owned(), |text, tribute| tribute.retold(&text))
    }

    fn rename(&self, tribute: &mut Tribute) {
        if let Some(renamed) = self.tributes.iter().find(|renamed| renamed.id == tribute.id) {
            tribute.name.clone_from(&renamed.is);
            tribute.user_id = None;
            // Its automatic actions depended on its persona, and must still be reproducible.
            tribute.playstyle = style_of(tribute);
            tribute.persona = Persona::default();
        }
    }

    fn silence(&self, tribute_id: &TributeId, action: &mut Action) {
        if self.tributes().any(|id| id == tribute_id) {
            action.free_text = None;
        }
    }
}

/// Returns `Tribute` with an unused number, the position in the roster if that is free.
fn free_name(state: &MatchState, given: &[Renamed], id: &TributeId) -> String {
    let place = state.roster.iter().position(|tribute| tribute.id == *id);
    let is_free = |name: &String| {
        state.roster.iter().all(|other| other.name != *name)
            && given.iter().all(|other| other.is != *name)
    };
    let numbers = place.unwrap_or(state.roster.len()) + 1..;
    numbers.map(|number| format!("Tribute {number}")).find(is_free).unwrap_or_default()
}

impl Renamed {
    fn retold(&self, text: &str) -> String {
        let is_inside = |character: Option<char>| character.is_some_and(char::is_alphanumeric);
        let (mut rewritten, mut rest, mut last) = (String::with_capacity(text.len()), text, None);
        while let Some(first) = rest.chars().next() {
            // The new name may begin with the old one.
            let said = if rest.starts_with(self.is.as_str()) {
                Some(self.is.len())
            } else {
                matching_length(rest, &self.was)
            };
            let whole = said.filter(|length| {
                *length > 0 && !is_inside(last) && !is_inside(rest[*length..].chars().next())
            });
            match whole {
                Some(_) => rewritten += &self.is,
                None => rewritten.push(first),
            }
            let (before, after) = rest.split_at(whole.unwrap_or(first.len_utf8()));
            last = before.chars().next_back();
            rest = after;
        }
        rewritten
    }
}

/// Returns how many bytes at the beginning of a text are a name, in upper or lower case.
fn matching_length(text: &str, name: &str) -> Option<usize> {
    let mut wanted = name.chars().flat_map(char::to_lowercase).peekable();
    for (at, character) in text.char_indices() {
        if wanted.peek().is_none() {
            return Some(at);
        }
        if !character.to_lowercase().all(|letter| wanted.next() == Some(letter)) {
            return None;
        }
    }
    wanted.peek().is_none().then_some(text.len())
}
