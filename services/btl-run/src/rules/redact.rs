//! What each viewer may see of a match. Views are built from what may be seen, never by taking away,
//! so that a new field is hidden until somebody shows it.

mod log;
mod tribute;

use serde::Serialize;
use serde_json::Value;

pub use log::event_view;
pub use tribute::TributeView;

use crate::rules::state::{Action, Alliance, MatchState, Mode, Phase, Rules, Status, Theme};
use crate::table::{MatchId, TributeId, TurnId};

/// Who looks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Viewer {
    /// Anybody.
    Spectator,
    /// The player of a tribute.
    Player(TributeId),
    /// The host. A host knows no more of the actions than anybody else.
    GameMaster,
}

impl Viewer {
    pub(crate) fn is(&self, id: &TributeId) -> bool {
        *self == Self::Player(id.clone())
    }
}

/// A match as a viewer sees it.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "the fields are those of the state, and are described there")]
pub struct MatchView<'a> {
    pub match_id: &'a MatchId,
    pub created_at: i64,
    pub mode: Mode,
    pub rules: Rules,
    pub theme: &'a Theme,
    pub status: Status,
    pub phase: Phase,
    pub day: u32,
    pub turn: u32,
    pub turn_id: Option<&'a TurnId>,
    pub turn_opens_at: Option<i64>,
    pub day_cutoff_at: Option<i64>,
    pub timezone: &'a str,
    pub max_days: u32,
    pub max_real_days: Option<u32>,
    pub roster: Vec<TributeView<'a>>,
    pub alliances: &'a [Alliance],
    /// Who has said what to do; not what.
    pub submitted: Vec<&'a TributeId>,
    /// The viewer's own action.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pending_action: Option<&'a Action>,
    pub log_seq: u32,
    pub version: u64,
    pub seed_commit: &'a str,
    pub rng_ver: u32,
    pub rules_ver: u32,
    pub winner_id: Option<&'a TributeId>,
}

/// The match as the viewer may see it.
#[must_use]
pub fn state_view<'a>(state: &'a MatchState, viewer: &Viewer) -> MatchView<'a> {
    let own = |id: &TributeId| viewer.is(id);
    MatchView {
        match_id: &state.match_id,
        created_at: state.created_at,
        mode: state.mode,
        rules: state.rules,
        theme: &state.theme,
        status: state.status,
        // Older programs ended matches without saying what they wait for.
        phase: if state.status == Status::Ended { Phase::Ended } else { state.phase },
        day: state.day,
        turn: state.turn,
        turn_id: state.turn_id.as_ref(),
        turn_opens_at: state.turn_opens_at,
        day_cutoff_at: state.day_cutoff_at,
        timezone: &state.timezone,
        max_days: state.max_days,
        max_real_days: state.max_real_days,
        roster: state.roster.iter().map(|one| TributeView::new(one, own(&one.id))).collect(),
        alliances: &state.alliances,
        submitted: state.pending_actions.keys().collect(),
        pending_action: state
            .pending_actions
            .iter()
            .find_map(|(id, action)| own(id).then_some(action)),
        log_seq: state.log_seq,
        version: state.version,
        seed_commit: &state.seed_commit,
        rng_ver: state.rng_ver,
        rules_ver: state.rules_ver,
        winner_id: state.winner_id.as_ref(),
    }
}

/// The events that the viewer may see, as the viewer may see them. With a state that is older than the
/// events, more is hidden, never less.
#[must_use]
pub fn log_view<'a>(
    events: impl IntoIterator<Item = &'a crate::rules::events::Event>,
    state: &MatchState,
    viewer: &Viewer,
) -> Vec<Value> {
    events.into_iter().filter_map(|event| event_view(event, state, viewer)).collect()
}
