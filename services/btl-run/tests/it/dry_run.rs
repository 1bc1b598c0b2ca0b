//! A match as a service keeps it: a snapshot and a log, both as JSON.

use monotable_btl_run::refusal::Refusal;
use monotable_btl_run::rules::decide::{self, NewMatch, Newcomer};
use monotable_btl_run::rules::events::{Event, fold};
use monotable_btl_run::rules::resolve::resolve;
use monotable_btl_run::rules::rng::Seed;
use monotable_btl_run::rules::state::{
    Action, ActionKind, MatchState, Mode, Persona, Rules, Stats, Status, Theme, TributeKind,
};
use monotable_btl_run::table::{MatchId, TributeId, TurnId, UserId};

/// 2026-03-01T12:00:00Z.
pub(crate) const NOON: i64 = 1_772_366_400_000;

pub(crate) const KINDS: [ActionKind; 7] = [
    ActionKind::Scavenge,
    ActionKind::Hide,
    ActionKind::SeekAlliance,
    ActionKind::Hunt,
    ActionKind::Craft,
    ActionKind::Explore,
    ActionKind::Rest,
];

pub(crate) fn id(text: &str) -> TributeId {
    TributeId::new(text).unwrap()
}

/// Returns a match without tributes that anybody plays.
pub(crate) fn new_match(seed: &Seed, mode: Mode, ai_count: u32) -> NewMatch {
    NewMatch {
        match_id: MatchId::new("match-1").unwrap(),
        host_user_id: Some(UserId::new("user-host").unwrap()),
        mode,
        rules: Rules::default(),
        theme: Theme::default(),
        max_days: None,
        timezone: None,
        cutoff_minute_of_day: None,
        max_real_days: None,
        ai_count,
        seed_commit: seed.commit(),
        shard_count: 0,
    }
}

/// Returns the tribute `p{number}` of `user-{number}`.
pub(crate) fn newcomer(number: usize) -> Newcomer {
    Newcomer {
        tribute_id: id(&format!("p{number}")),
        user_id: Some(UserId::new(format!("user-{number}")).unwrap()),
        kind: TributeKind::Human,
        name: format!("Player {number}"),
        stats: Stats::default(),
        persona: Persona::default(),
        playstyle: None,
    }
}

/// A match, with everything read back from JSON as after each commit.
#[derive(Clone)]
pub(crate) struct DryRun {
    pub(crate) seed: Seed,
    pub(crate) now: i64,
    log: Vec<String>,
    snapshot: String,
    state: MatchState,
}

impl DryRun {
    pub(crate) fn new(seed: Seed, new: NewMatch) -> Self {
        let now = NOON;
        let event = decide::create(new, now).unwrap();
        let state = fold(None, &event).unwrap();
        let log = vec![serde_json::to_string(&event).unwrap()];
        Self { seed, now, log, snapshot: serde_json::to_string(&state).unwrap(), state }
    }

    pub(crate) fn state(&self) -> MatchState {
        self.state.clone()
    }

    pub(crate) fn snapshot(&self) -> &str {
        &self.snapshot
    }

    pub(crate) fn log(&self) -> &[String] {
        &self.log
    }

    pub(crate) fn events(&self) -> Vec<Event> {
        self.log.iter().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// One commit: events and the new snapshot, with the version of its row.
    pub(crate) fn commit(&mut self, events: Vec<Event>) {
        let before = self.state();
        let version = before.version + 1;
        let mut state =
            events.iter().fold(before, |state, event| fold(Some(state), event).unwrap());
        state.version = version;
        self.log.extend(events.iter().map(|event| serde_json::to_string(event).unwrap()));
        self.snapshot = serde_json::to_string(&state).unwrap();
        self.state = serde_json::from_str(&self.snapshot).unwrap();
        self.now += 60_000;
    }

    pub(crate) fn join(&mut self, newcomer: Newcomer) {
        self.commit(decide::join(&self.state(), newcomer, self.now).unwrap());
    }

    pub(crate) fn start(&mut self) {
        self.commit(decide::start(&self.state(), self.now).unwrap());
    }

    pub(crate) fn turn_id(&self) -> TurnId {
        self.state().turn_id.unwrap()
    }

    pub(crate) fn submit(&mut self, tribute: &TributeId, action: Action) -> Result<(), Refusal> {
        let events = decide::submit(&self.state(), tribute, &self.turn_id(), action, self.now)?;
        self.commit(events);
        Ok(())
    }

    /// Resolves the open turn and gives its events.
    pub(crate) fn resolve(&mut self) -> Vec<Event> {
        let events = resolve(&self.state(), &self.seed, &self.turn_id(), self.now).unwrap();
        self.commit(events.clone());
        events
    }

    pub(crate) fn is_over(&self) -> bool {
        self.state().status == Status::Ended
    }
}
