//! Taking a person out of a match: their account, their name and their words, in the state and in every
//! event, so that the log still gives the snapshot and every turn still comes out the same.

use crate::events::{Event, EventBody};
use crate::ids::{TributeId, UserId};
use crate::state::{Action, MatchState, Tribute};

/// What is taken out of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Erasure {
    user_id: UserId,
    /// The user's tribute, what it was called, and what it is called from now on.
    tribute: Option<(TributeId, String, String)>,
}

impl Erasure {
    /// What a user has left in a match; nothing if the user was never there.
    #[must_use]
    pub fn of(state: &MatchState, user_id: &UserId) -> Option<Self> {
        let is_users = |tribute: &Tribute| tribute.user_id.as_ref() == Some(user_id);
        let place = state.roster.iter().position(is_users);
        let tribute = place.map(|place| {
            let tribute = &state.roster[place];
            let is_free = |name: &String| state.roster.iter().all(|other| other.name != *name);
            let mut names = (place + 1..).map(|number| format!("Tribute {number}"));
            (tribute.id.clone(), tribute.name.clone(), names.find(is_free).unwrap_or_default())
        });
        let is_host = state.host_user_id.as_ref() == Some(user_id);
        (is_host || tribute.is_some()).then(|| Self { user_id: user_id.clone(), tribute })
    }

    /// The state without the person.
    #[must_use]
    pub fn state(&self, state: &MatchState) -> MatchState {
        let mut state = state.clone();
        state.host_user_id.take_if(|host| *host == self.user_id);
        state.roster.iter_mut().for_each(|tribute| self.rename(tribute));
        for (id, action) in &mut state.pending_actions {
            self.silence(id, action);
        }
        state.memory_blob = self.retold(&state.memory_blob);
        state
    }

    /// The event without the person.
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
                story.narration = self.retold(&story.narration);
                story.memory = story.memory.as_deref().map(|memory| self.retold(memory));
            }
            EventBody::GmAnnouncement { text } => *text = self.retold(text),
            _ => {}
        }
        event
    }

    fn rename(&self, tribute: &mut Tribute) {
        if let Some((id, _, name)) = &self.tribute
            && tribute.id == *id
        {
            tribute.name.clone_from(name);
            tribute.user_id = None;
            tribute.persona.catchphrase = None;
        }
    }

    fn silence(&self, tribute_id: &TributeId, action: &mut Action) {
        if self.tribute.as_ref().is_some_and(|(id, ..)| id == tribute_id) {
            action.free_text = None;
        }
    }

    /// The text with the new name wherever the old one stands as a word of its own.
    fn retold(&self, text: &str) -> String {
        let Some((_, old, new)) = &self.tribute else { return text.to_owned() };
        let mut told = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find(old.as_str()) {
            let (before, after) = (&rest[..at], &rest[at + old.len()..]);
            let is_inside = |character: Option<char>| character.is_some_and(char::is_alphanumeric);
            let last = before.chars().next_back().or_else(|| told.chars().next_back());
            told += before;
            told += match is_inside(last) || is_inside(after.chars().next()) {
                true => old,
                false => new,
            };
            rest = after;
        }
        told + rest
    }
}
