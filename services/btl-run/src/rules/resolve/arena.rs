//! The working copy of a match while a turn is resolved.

use std::collections::BTreeMap;

use crate::rules::events::{Cause, EventBody, FoldError, Outcome, TakenAction, apply};
use crate::rules::rng::Rng;
use crate::rules::state::{ActionKind, MatchState, Stats, Tribute};
use crate::table::{TributeId, TurnId};

pub(super) struct Arena<'a> {
    /// The match as it is at this point of the turn.
    pub(super) state: MatchState,
    pub(super) turn_id: &'a TurnId,
    pub(super) rng: Rng,
    pub(super) actions: BTreeMap<TributeId, TakenAction>,
    /// All tributes that were alive when the turn began, in the order of acting once that is drawn.
    pub(super) order: Vec<TributeId>,
    pub(super) effects: Vec<EventBody>,
    pub(super) outcomes: Vec<Outcome>,
    pub(super) item_count: u32,
    pub(super) alliance_count: u32,
}

impl<'a> Arena<'a> {
    pub(super) fn new(state: &MatchState, turn_id: &'a TurnId, rng: Rng) -> Self {
        Self {
            state: state.clone(),
            turn_id,
            rng,
            actions: BTreeMap::new(),
            order: state.living_ids(),
            effects: Vec::new(),
            outcomes: Vec::new(),
            item_count: 0,
            alliance_count: 0,
        }
    }

    pub(super) fn draw_order(&mut self) {
        self.rng.shuffle(&mut self.order);
    }

    /// Applies an event like the replay of the log, and records it for the log.
    pub(super) fn emit(&mut self, body: EventBody) -> Result<(), FoldError> {
        apply(&mut self.state, &body)?;
        self.effects.push(body);
        Ok(())
    }

    pub(super) fn living_count(&self) -> usize {
        self.state.living().count()
    }

    pub(super) fn is_alive(&self, id: &TributeId) -> bool {
        self.state.tribute(id).is_some_and(|tribute| tribute.alive)
    }

    pub(super) fn stats(&self, id: &TributeId) -> Stats {
        self.state.tribute(id).map(|tribute| tribute.stats).unwrap_or_default()
    }

    pub(super) fn does(&self, id: &TributeId, kind: ActionKind) -> bool {
        self.actions.get(id).is_some_and(|taken| taken.action.action == kind)
    }

    /// Returns the living tributes that a tribute can choose as a target, sorted by id.
    pub(super) fn others(
        &self,
        id: &TributeId,
        is_wanted: impl Fn(&Tribute) -> bool,
    ) -> Vec<TributeId> {
        let is_other = |other: &&Tribute| other.id != *id && is_wanted(other);
        let mut others: Vec<_> =
            self.state.living().filter(is_other).map(|other| other.id.clone()).collect();
        others.sort();
        others
    }

    /// Adds hit points, up to those of an unhurt tribute, and returns how many were added.
    pub(super) fn heal(&mut self, id: &TributeId, points: u32) -> u32 {
        let Some(tribute) = self.state.tribute_mut(id) else { return 0 };
        let healed = points.min(tribute.max_hp.saturating_sub(tribute.hp));
        tribute.hp += healed;
        healed
    }

    /// Subtracts hit points, without handling deaths.
    pub(super) fn wound(&mut self, id: &TributeId, points: u32) {
        if let Some(tribute) = self.state.tribute_mut(id) {
            tribute.hp = tribute.hp.saturating_sub(points);
        }
    }

    /// Marks a tribute without hit points as dead. It gets the last free rank.
    pub(super) fn bury_if_spent(
        &mut self,
        id: &TributeId,
        cause: Cause,
        killed_by: Option<&TributeId>,
    ) -> Result<(), FoldError> {
        let is_spent = self.state.tribute(id).is_some_and(|one| one.alive && one.hp == 0);
        if !is_spent {
            return Ok(());
        }
        let rank = u32::try_from(self.living_count()).unwrap_or(u32::MAX);
        let (tribute_id, killed_by) = (id.clone(), killed_by.cloned());
        self.emit(EventBody::TributeDied { tribute_id, cause, killed_by, rank })
    }
}
