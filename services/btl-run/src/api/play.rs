//! Play: actions, turns, and the end of a match.

pub(crate) mod advance;
pub(crate) mod end;
pub(crate) mod submit;

use crate::api::prelude::*;
use crate::rules::redact::{EventView, log_view};

/// The events, and the match afterwards.
#[derive(Clone, View)]
pub(crate) struct OutcomeView {
    events: Vec<EventView>,
    #[view(name = "match", versioned)]
    state: MatchView,
}

impl OutcomeView {
    /// Shows a change, as a viewer may see it.
    pub(crate) fn of(change: &Change, viewer: &Viewer) -> Self {
        let events = log_view(&change.events, &change.state, viewer);
        Self { events, state: state_view(&change.state, viewer) }
    }
}
