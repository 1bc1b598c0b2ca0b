//! Resolves a turn, from the actions of all tributes to its events: rules version 1, as described
//! in docs/services/btl-run-rules.md.
//!
//! A function of the state, the seed and the time. Random numbers are drawn in one order: actions
//! of tributes without a choice (by id), the hazard (by id), the order of acting, each action in
//! that order, dysentery in that order, the finale (by id). There are no floating-point numbers,
//! and nothing depends on the order of a map.

mod act;
mod alliance;
mod arena;
mod ending;
mod fill;
mod hazard;
mod hunt;
mod loot;

use crate::rules::events::{
    Event, EventBody, FoldError, HitPoints, Placing, SEQ_MAX, TurnOpening, TurnResolved, numbered,
};
use crate::rules::rng::{Rng, Seed};
use crate::rules::schedule::{NoSuchTime, next_cutoff};
use crate::rules::state::{MatchState, Mode, Phase, RNG_VERSION, RULES_VERSION, Status};
use crate::table::TurnId;
use arena::Arena;
pub(crate) use fill::style_of;
pub use hazard::hazard_level;
pub(crate) use loot::sponsored;

/// Events that a turn may have: one transaction must hold them all.
pub const EVENTS_PER_TURN_MAX: usize = 90;
/// From this event on, the next turn is the last.
const SEQ_LAST_TURN: u32 = SEQ_MAX - 180;

/// The reason why a turn cannot be resolved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unresolvable {
    /// The match does not accept actions.
    #[error("the match does not collect actions")]
    NotCollecting,
    /// Another turn is open.
    #[error("turn {0} is not open")]
    OtherTurn(TurnId),
    /// The version of the rules is unknown.
    #[error("rules version {0} is not known")]
    RulesVersion(u32),
    /// The state is inconsistent.
    #[error("the state is not sound: {0}")]
    Unsound(#[from] FoldError),
    /// The next day has no end.
    #[error(transparent)]
    NoSuchTime(#[from] NoSuchTime),
}

/// Returns the events that resolve the open turn of a match at `now` (milliseconds since 1970).
///
/// # Errors
/// Fails if that turn is not open, or the state contradicts itself.
pub fn resolve(
    state: &MatchState,
    seed: &Seed,
    turn_id: &TurnId,
    now: i64,
) -> Result<Vec<Event>, Unresolvable> {
    let bodies = play(state, seed, turn_id, now)?.into_bodies(EVENTS_PER_TURN_MAX);
    Ok(numbered(state, bodies, now))
}

/// The result of a turn, before it is divided into events.
struct Played {
    effects: Vec<EventBody>,
    resolved: TurnResolved,
    placing: Option<Placing>,
}

fn play(
    state: &MatchState,
    seed: &Seed,
    turn_id: &TurnId,
    now: i64,
) -> Result<Played, Unresolvable> {
    if state.status != Status::Active || state.phase != Phase::Collecting {
        return Err(Unresolvable::NotCollecting);
    }
    if state.turn_id.as_ref() != Some(turn_id) {
        return Err(Unresolvable::OtherTurn(turn_id.clone()));
    }
    if state.rules_ver != RULES_VERSION || state.rng_ver != RNG_VERSION {
        return Err(Unresolvable::RulesVersion(state.rules_ver));
    }
    let rng = Rng::of_turn(seed, &state.match_id, state.day, state.turn, state.rules_ver);
    let mut arena = Arena::new(state, turn_id, rng);
    fill::choose_actions(&mut arena);
    let level = hazard::strike(&mut arena);
    arena.draw_order();
    hazard::bury_the_struck(&mut arena, level)?;
    act::act_in_order(&mut arena)?;
    let is_day_over = state.turn >= state.mode.turns_per_day();
    if is_day_over {
        hazard::dysentery(&mut arena)?;
    }
    let is_last_turn = (is_day_over && state.day >= state.max_days)
        || are_real_days_over(state, now)
        || state.log_seq >= SEQ_LAST_TURN;
    let placing = ending::placing(&mut arena, state, is_last_turn);
    let next = match placing {
        Some(_) => None,
        None => Some(next_turn(state, is_day_over, now)?),
    };
    Ok(arena.into_played(placing, next))
}

fn are_real_days_over(state: &MatchState, now: i64) -> bool {
    const DAY_MS: i64 = 86_400_000;
    match (state.max_real_days, state.started_at) {
        (Some(days), Some(started_at)) => {
            now.saturating_sub(started_at) >= i64::from(days) * DAY_MS
        }
        _ => false,
    }
}

/// Returns the next turn. A long match that is resolved early waits for tomorrow's cut-off, however
/// often that happens today, so that each day ends once and no player waits longer than that.
fn next_turn(state: &MatchState, is_day_over: bool, now: i64) -> Result<TurnOpening, NoSuchTime> {
    let (day, turn) = if is_day_over { (state.day + 1, 1) } else { (state.day, state.turn + 1) };
    opening(state, day, turn, now)
}

/// Returns the turn as it is opened at `now`.
pub(crate) fn opening(
    state: &MatchState,
    day: u32,
    turn: u32,
    now: i64,
) -> Result<TurnOpening, NoSuchTime> {
    let cutoff_at = match state.mode {
        Mode::Long => {
            let next = |after| next_cutoff(after, &state.timezone, state.cutoff_minute_of_day);
            let is_early = state.day_cutoff_at.is_some_and(|cutoff| cutoff > now);
            Some(if is_early { next(next(now)?)? } else { next(now)? })
        }
        Mode::Quick | Mode::Standard => None,
    };
    Ok(TurnOpening { day, turn, turn_id: TurnId::of(day, turn), opens_at: now, cutoff_at })
}

impl Played {
    /// Returns at most `max` events; if there are more, the last effects are merged into the turn's
    /// own event.
    fn into_bodies(mut self, max: usize) -> Vec<EventBody> {
        let ends = 1 + usize::from(self.placing.is_some());
        let room = max.saturating_sub(ends).min(self.effects.len());
        self.resolved.merged = self.effects.split_off(room);
        let mut bodies = self.effects;
        bodies.push(EventBody::TurnResolved(Box::new(self.resolved)));
        bodies.extend(self.placing.map(EventBody::MatchEnded));
        bodies
    }
}

impl Arena<'_> {
    fn into_played(self, placing: Option<Placing>, next: Option<TurnOpening>) -> Played {
        let hp = self
            .state
            .living()
            .map(|one| HitPoints { tribute_id: one.id.clone(), hp: one.hp })
            .collect();
        let mut actions = self.actions;
        let actions = self.order.iter().filter_map(|id| actions.remove(id)).collect();
        let (outcomes, merged) = (self.outcomes, Vec::new());
        let resolved = TurnResolved { actions, outcomes, hp, merged, next };
        Played { effects: self.effects, resolved, placing }
    }
}

/// The rules for people, which the tests compare with the code.
#[cfg(test)]
const DOCUMENT: &str = include_str!("../../../../docs/services/btl-run-rules.md");

#[cfg(test)]
mod tests;
