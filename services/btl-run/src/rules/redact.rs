//! What each viewer may see of a match. Views are built from visible parts, never by removing
//! hidden ones, so that a new field is hidden until it is added here.

mod event;

use monotable_kit::View;

pub use event::{EventView, log_view};

use crate::rules::state::{
    Action, Alliance, Item, MatchState, Mode, Persona, Phase, Playstyle, Rules, Stats, Status,
    Theme, Tribute, TributeKind,
};
use crate::table::{AllianceId, MatchId, TributeId, TurnId};

/// The viewer of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Viewer {
    /// A caller without a role.
    Spectator,
    /// The player of a tribute.
    Player(TributeId),
    /// The host, who sees no more of the actions than other viewers.
    GameMaster,
}

impl Viewer {
    pub(crate) fn is(&self, id: &TributeId) -> bool {
        matches!(self, Self::Player(own) if own == id)
    }
}

/// A match, as the caller may see it.
#[derive(Clone, Debug, View)]
pub struct MatchView {
    #[view(flatten)]
    state: StateView,
    /// The tributes, in the order in which they came.
    roster: Vec<TributeView>,
    /// The caller's own action in the open turn.
    pending_action: Option<Action>,
}

/// The public state of a match.
#[derive(Clone, Debug, View)]
#[view(of = MatchState)]
struct StateView {
    #[view(example = "m1")]
    match_id: MatchId,
    /// In milliseconds since 1970.
    #[view(example = 1_800_000_000_000_i64)]
    created_at: i64,
    #[view(example = "quick")]
    mode: Mode,
    rules: Rules,
    theme: Theme,
    #[view(example = "lobby")]
    status: Status,
    /// What the match waits for.
    #[view(from = shown_phase(), example = "lobby")]
    phase: Phase,
    /// The game's day, from 1.
    #[view(example = 1)]
    day: u32,
    /// The turn of the day, from 1; 0 in the lobby.
    #[view(example = 0)]
    turn: u32,
    /// The open turn.
    #[view(null)]
    turn_id: Option<TurnId>,
    #[view(null)]
    turn_opens_at: Option<i64>,
    /// When the open turn of a long match is resolved at the latest.
    #[view(null)]
    day_cutoff_at: Option<i64>,
    #[view(example = "UTC")]
    timezone: String,
    #[view(example = 5)]
    max_days: u32,
    #[view(null)]
    max_real_days: Option<u32>,
    alliances: Vec<Alliance>,
    /// The tributes with an action; the actions are not shown.
    #[view(from = submitters())]
    submitted: Vec<TributeId>,
    /// The number of the last event.
    #[view(example = 1)]
    log_seq: u32,
    #[view(version, example = 1)]
    version: u64,
    /// The SHA-256 of the seed, which is revealed at the end.
    #[view(example = "9f86d0…")]
    seed_commit: String,
    #[view(example = 1)]
    rng_ver: u32,
    #[view(example = 1)]
    rules_ver: u32,
    #[view(null)]
    winner_id: Option<TributeId>,
}

impl MatchState {
    /// Older programs ended matches without changing what they wait for.
    fn shown_phase(&self) -> Phase {
        if self.status == Status::Ended { Phase::Ended } else { self.phase }
    }

    fn submitters(&self) -> Vec<TributeId> {
        self.pending_actions.keys().cloned().collect()
    }
}

/// A tribute, as the caller may see it.
#[derive(Clone, Debug, View)]
pub struct TributeView {
    #[view(flatten)]
    tribute: PublicTribute,
    #[view(flatten)]
    own: Option<OwnTribute>,
}

/// The public part of a tribute.
#[derive(Clone, Debug, View)]
#[view(of = Tribute)]
struct PublicTribute {
    #[view(example = "t1")]
    id: TributeId,
    #[view(name = "type", example = "human")]
    kind: TributeKind,
    #[view(example = "Zoë")]
    name: String,
    #[view(example = 15)]
    hp: u32,
    #[view(example = 15)]
    max_hp: u32,
    #[view(example = true)]
    alive: bool,
    #[view(from = inventory.len(), example = 0)]
    item_count: usize,
    #[view(null)]
    alliance_id: Option<AllianceId>,
    status_effects: Vec<String>,
    persona: Persona,
    killed_by: Option<TributeId>,
    died_turn: Option<TurnId>,
    /// The final rank: 1 for the winner.
    rank: Option<u32>,
}

/// The fields that only the player of a tribute sees.
#[derive(Clone, Debug, View)]
#[view(of = Tribute)]
struct OwnTribute {
    stats: Stats,
    inventory: Vec<Item>,
    playstyle: Option<Playstyle>,
}

impl TributeView {
    fn seen_by(tribute: &Tribute, viewer: &Viewer) -> Self {
        let own = viewer.is(&tribute.id).then(|| OwnTribute::of(tribute));
        Self { tribute: PublicTribute::of(tribute), own }
    }
}

/// Returns the match as the viewer may see it.
#[must_use]
pub fn state_view(state: &MatchState, viewer: &Viewer) -> MatchView {
    let own_action = match viewer {
        Viewer::Player(id) => state.pending_actions.get(id).cloned(),
        Viewer::Spectator | Viewer::GameMaster => None,
    };
    MatchView {
        state: StateView::of(state),
        roster: state.roster.iter().map(|one| TributeView::seen_by(one, viewer)).collect(),
        pending_action: own_action,
    }
}
