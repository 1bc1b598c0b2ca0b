//! The rules of a play: the effect of its result on the ball, the runs and the situation.

use std::collections::BTreeSet;

use monotable_kit::{Patch, Problem, Words as _};

use super::batting_order::not_in_lineup;
use crate::api::at_bats::PlayFields;
use crate::refusal::Refusal;
use crate::rules::count::Count;
use crate::rules::results::{HitType, Outcome};
use crate::table::{AtBat, HitLocation, PlayerId};

/// The maximum number of runs on one play.
const RUNS_MAX: usize = 4;
/// The maximum number of runs batted in on one play.
const RBIS_MAX: u8 = 4;

/// The description of a plate appearance in a request.
pub(crate) struct Play<'a> {
    /// The word of the result.
    pub(crate) result: Option<&'a str>,
    /// Everything else.
    pub(crate) fields: &'a PlayFields,
}

impl Play<'_> {
    /// Changes a plate appearance that happened at a count. An inning or outs that the request sets
    /// differently are kept, and flagged.
    ///
    /// # Errors
    /// Returns 400 for unknown words.
    pub(crate) fn apply(&self, at_bat: &mut AtBat, happened: Count) -> Result<(), Problem> {
        let was_home_run = at_bat.is_home_run();
        if let Some(word) = self.result {
            let unknown = || Problem::field("result", "is not a known result");
            at_bat.result = Outcome::read(word).ok_or_else(unknown)?.word().to_owned();
        }
        self.apply_hit_type(at_bat)?;
        if let Some(HitLocation { x, y }) = self.fields.hit_location.value()
            && ![x, y].into_iter().all(|part| (0.0..=1.0).contains(part))
        {
            return Err(Problem::field("hitLocation", "must be from 0 to 1 in both directions"));
        }
        self.fields.hit_location.clone().apply(&mut at_bat.hit_location);
        self.fields.rbis.clone().apply(&mut at_bat.rbis);
        self.fields.outs_on_play.clone().apply(&mut at_bat.outs_on_play);
        self.fields.runs_scored.clone().apply(&mut at_bat.runs_scored);
        self.fields.ends_inning.clone().apply(&mut at_bat.ends_inning);
        self.score_home_run(at_bat, was_home_run);
        at_bat.move_to(happened);
        if self.fields.inning.is_some() || self.fields.outs.is_some() {
            at_bat.situation_mismatch = Some(true);
            at_bat.inning = self.fields.inning.unwrap_or(at_bat.inning);
            at_bat.outs = self.fields.outs.unwrap_or(at_bat.outs);
            at_bat.move_to(happened);
        }
        Ok(())
    }

    /// Sets the hit type: from the request, or implied by the result. Only `FO` implies one; `SF`
    /// implies that it was not a bunt.
    fn apply_hit_type(&self, at_bat: &mut AtBat) -> Result<(), Problem> {
        let word = self.result.unwrap_or_default();
        let is_fly = ["FO", "SF"].iter().any(|fly| fly.eq_ignore_ascii_case(word));
        match &self.fields.hit_type {
            Patch::Keep if HitType::implied_by(word).is_some() => {
                at_bat.hit_type =
                    HitType::implied_by(word).map(|implied| implied.word().to_owned());
            }
            Patch::Keep if is_fly && at_bat.ball() == Some(HitType::Bunt) => at_bat.hit_type = None,
            Patch::Keep => {}
            Patch::Remove => at_bat.hit_type = None,
            Patch::Set(word) => {
                let unknown = || Problem::field("hitType", "is not a known hit type");
                let hit_type = HitType::read(word).ok_or_else(unknown)?;
                if is_fly && hit_type == HitType::Bunt {
                    return Err(Problem::field("hitType", "a fly ball cannot be a bunt"));
                }
                at_bat.hit_type = Some(hit_type.word().to_owned());
            }
        }
        Ok(())
    }

    /// Lets the batter of a home run score. The run, and that it was batted in, are added and
    /// removed together with the home run.
    fn score_home_run(&self, at_bat: &mut AtBat, was_home_run: bool) {
        let names_runs = self.fields.runs_scored != Patch::Keep;
        let batter = at_bat.player_id.clone();
        if at_bat.is_home_run() && (names_runs || self.result.is_some()) {
            let runs = at_bat.runs_scored.get_or_insert_default();
            if !runs.contains(&batter) {
                runs.push(batter);
            }
            if !was_home_run && self.fields.rbis == Patch::Keep {
                at_bat.rbis = Some((at_bat.rbis.unwrap_or_default() + 1).min(RBIS_MAX));
            }
        } else if was_home_run && !at_bat.is_home_run() && !names_runs {
            if let Some(runs) = &mut at_bat.runs_scored {
                runs.retain(|runner| *runner != batter);
            }
            at_bat.runs_scored = at_bat.runs_scored.take().filter(|runs| !runs.is_empty());
            if self.fields.rbis == Patch::Keep {
                at_bat.rbis = at_bat.rbis.map(|rbis| rbis.saturating_sub(1));
            }
        }
    }

    /// Checks the rules between the fields of a plate appearance; `scorers` are the players who can score.
    ///
    /// # Errors
    /// Returns 400.
    pub(crate) fn check(&self, at_bat: &AtBat, scorers: &[PlayerId]) -> Result<(), Problem> {
        let rbis = usize::from(at_bat.rbis.unwrap_or_default());
        if rbis > 0 && at_bat.outcome().is_some_and(|outcome| !outcome.earns_rbis()) {
            return Err(Refusal::RbiNotAllowed.into());
        }
        let Some(runs) = &at_bat.runs_scored else { return Ok(()) };
        if runs.iter().collect::<BTreeSet<_>>().len() != runs.len() {
            return Err(Problem::field("runsScored", "has a player twice"));
        }
        if runs.len() > RUNS_MAX {
            let text = "are at most four, including the batter of a home run";
            return Err(Problem::field("runsScored", text));
        }
        let strangers: Vec<PlayerId> =
            runs.iter().filter(|id| !scorers.contains(id)).cloned().collect();
        if !strangers.is_empty() {
            return Err(not_in_lineup(&strangers));
        }
        // If only the batter of a home run is recorded as scoring, others may have scored too.
        let is_own = at_bat.is_home_run() && *runs == [at_bat.player_id.clone()];
        let says_who = !is_own || matches!(self.fields.runs_scored, Patch::Set(_));
        if says_who && rbis > runs.len() {
            return Err(Problem::field("rbis", "are more than the runs that were scored"));
        }
        Ok(())
    }
}
