//! What a request says about a plate appearance, and the rules of it.

use std::collections::BTreeSet;
use std::time::Duration;

use monotable::model::time::Timestamp;
use monotable_kit::{Patch, Problem};
use serde::Deserialize;

use super::insert::id_between;
use super::{count, not_in_lineup};
use crate::app::App;
use crate::entities::{AtBat, Game, HitLocation, Stamps};
use crate::ids::{AtBatId, PlayerId};
use crate::results::{HitType, Outcome, order};
use crate::views::count::Count;

/// How far ids may run ahead of the clock. All ids of the process do from then on, so that a clock that
/// is wrong by more elsewhere is not followed.
const LATER_MS_MAX: u64 = 10_000;

/// Runs that can score on one play.
const RUNS_MAX: usize = 4;
/// And be batted in.
const RBIS_MAX: u8 = 4;

/// The fields of a plate appearance that a request names.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Play {
    player_id: Option<PlayerId>,
    batting_order: Option<u8>,
    result: Option<String>,
    inning: Option<u8>,
    outs: Option<u8>,
    hit_location: Patch<HitLocation>,
    hit_type: Patch<String>,
    rbis: Patch<u8>,
    outs_on_play: Patch<u8>,
    runs_scored: Patch<Vec<PlayerId>>,
    ends_inning: Patch<bool>,
    before_at_bat_id: Option<AtBatId>,
}

impl Play {
    /// That the inning ends.
    pub(super) fn end_of_inning() -> Self {
        Self { ends_inning: Patch::Set(true), ..Self::default() }
    }

    /// Who bats.
    ///
    /// # Errors
    /// 400 if nobody does.
    pub(super) fn batter(&self) -> Result<&PlayerId, Problem> {
        self.player_id.as_ref().ok_or_else(|| Problem::field("playerId", "is needed"))
    }

    /// The at-bat in front of which this one is inserted.
    pub(super) fn before(&self) -> Option<&AtBatId> {
        self.before_at_bat_id.as_ref()
    }

    /// Another batter than the one who was recorded.
    pub(super) fn other_batter(&self, recorded: &PlayerId) -> Option<&PlayerId> {
        self.player_id.as_ref().filter(|player_id| *player_id != recorded)
    }

    /// The plate appearance that happens at a point of a game.
    ///
    /// # Errors
    /// 400 for what breaks the rules.
    pub(super) fn recorded(
        &self,
        app: &App,
        game: &Game,
        turn: &Turn<'_>,
    ) -> Result<AtBat, Problem> {
        let now = app.db.now();
        let places = game.lineup.len().max(1);
        if let Some(order) = self.batting_order.filter(|order| usize::from(*order) > places) {
            let text = format!("is {order}, but the lineup has {places} places");
            return Err(Problem::field("battingOrder", text));
        }
        let at_bat_id = match turn.behind {
            Some(behind) => id_between(&*app.randomness, turn.before.last(), behind)?,
            None => next_id(app, turn.before)?,
        };
        let mut at_bat = AtBat {
            game_id: game.game_id.clone(),
            at_bat_id,
            player_id: turn.batter.clone(),
            team_id: game.team_id.clone(),
            result: String::new(),
            inning: 0,
            outs: 0,
            batting_order: self.batting_order.unwrap_or(turn.batting_order),
            hit_location: None,
            hit_type: None,
            rbis: None,
            outs_on_play: None,
            runs_scored: None,
            ends_inning: None,
            situation_mismatch: None,
            happened_at: turn.behind.map(AtBat::played_at),
            stamps: Stamps { created: now, updated: now, ..Stamps::default() },
        };
        self.apply(&mut at_bat, count(game, turn.before))?;
        self.check(&at_bat, turn.scorers)?;
        Ok(at_bat)
    }

    /// Changes a plate appearance that happened at a count. What was said otherwise is kept, and
    /// flagged.
    ///
    /// # Errors
    /// 400 for words that nobody knows.
    pub(super) fn apply(&self, at_bat: &mut AtBat, happened: Count) -> Result<(), Problem> {
        let was_home_run = at_bat.is_home_run();
        if let Some(word) = &self.result {
            let unknown = || Problem::field("result", "is no result that is known");
            at_bat.result = Outcome::read(word).ok_or_else(unknown)?.code().to_owned();
        }
        self.apply_hit_type(at_bat)?;
        if let Some(HitLocation { x, y }) = self.hit_location.value()
            && ![x, y].into_iter().all(|part| (0.0..=1.0).contains(part))
        {
            return Err(Problem::field("hitLocation", "is from 0 to 1 in both directions"));
        }
        self.hit_location.clone().apply(&mut at_bat.hit_location);
        self.rbis.clone().apply(&mut at_bat.rbis);
        self.outs_on_play.clone().apply(&mut at_bat.outs_on_play);
        self.runs_scored.clone().apply(&mut at_bat.runs_scored);
        self.ends_inning.clone().apply(&mut at_bat.ends_inning);
        self.score_home_run(at_bat, was_home_run);
        at_bat.move_to(happened);
        if self.inning.is_some() || self.outs.is_some() {
            at_bat.situation_mismatch = Some(true);
            at_bat.inning = self.inning.unwrap_or(at_bat.inning);
            at_bat.outs = self.outs.unwrap_or(at_bat.outs);
            at_bat.move_to(happened);
        }
        Ok(())
    }

    /// How the ball went: as it is said, or as the word for the result says. Only `FO` says it; `SF`
    /// says that it was no bunt.
    fn apply_hit_type(&self, at_bat: &mut AtBat) -> Result<(), Problem> {
        let word = self.result.as_deref().unwrap_or_default();
        let is_fly = ["FO", "SF"].iter().any(|fly| fly.eq_ignore_ascii_case(word));
        match &self.hit_type {
            Patch::Keep if HitType::implied_by(word).is_some() => {
                at_bat.hit_type =
                    HitType::implied_by(word).map(|implied| implied.code().to_owned());
            }
            Patch::Keep if is_fly && at_bat.ball() == Some(HitType::Bunt) => at_bat.hit_type = None,
            Patch::Keep => {}
            Patch::Remove => at_bat.hit_type = None,
            Patch::Set(word) => {
                let unknown = || Problem::field("hitType", "is no hit type that is known");
                let hit_type = HitType::read(word).ok_or_else(unknown)?;
                if is_fly && hit_type == HitType::Bunt {
                    return Err(Problem::field("hitType", "a fly is no bunt"));
                }
                at_bat.hit_type = Some(hit_type.code().to_owned());
            }
        }
        Ok(())
    }

    /// Lets the batter of a home run score. The run, and that it was batted in, come and go with the home
    /// run.
    fn score_home_run(&self, at_bat: &mut AtBat, was_home_run: bool) {
        let names_runs = self.runs_scored != Patch::Keep;
        let batter = at_bat.player_id.clone();
        if at_bat.is_home_run() && (names_runs || self.result.is_some()) {
            let runs = at_bat.runs_scored.get_or_insert_default();
            if !runs.contains(&batter) {
                runs.push(batter);
            }
            if !was_home_run && self.rbis == Patch::Keep {
                at_bat.rbis = Some((at_bat.rbis.unwrap_or_default() + 1).min(RBIS_MAX));
            }
        } else if was_home_run && !at_bat.is_home_run() && !names_runs {
            if let Some(runs) = &mut at_bat.runs_scored {
                runs.retain(|runner| *runner != batter);
            }
            at_bat.runs_scored = at_bat.runs_scored.take().filter(|runs| !runs.is_empty());
            if self.rbis == Patch::Keep {
                at_bat.rbis = at_bat.rbis.map(|rbis| rbis.saturating_sub(1));
            }
        }
    }

    /// The rules that hold between the fields of a plate appearance; `scorers` are those who can score.
    ///
    /// # Errors
    /// 400.
    pub(super) fn check(&self, at_bat: &AtBat, scorers: &[PlayerId]) -> Result<(), Problem> {
        let rbis = usize::from(at_bat.rbis.unwrap_or_default());
        if rbis > 0 && at_bat.outcome().is_some_and(|outcome| !outcome.earns_rbis()) {
            let text = "Nobody is credited with runs for a strikeout or an error.";
            return Err(Problem::invalid("RBI_NOT_ALLOWED", text));
        }
        let Some(runs) = &at_bat.runs_scored else { return Ok(()) };
        if runs.iter().collect::<BTreeSet<_>>().len() != runs.len() {
            return Err(Problem::field("runsScored", "has a player twice"));
        }
        if runs.len() > RUNS_MAX {
            let text = "are four at most, that of the batter of a home run among them";
            return Err(Problem::field("runsScored", text));
        }
        let strangers: Vec<PlayerId> =
            runs.iter().filter(|id| !scorers.contains(id)).cloned().collect();
        if !strangers.is_empty() {
            return Err(not_in_lineup(&strangers));
        }
        // Of a home run whose batter alone is known to have scored, nobody said who else did.
        let is_own = at_bat.is_home_run() && *runs == [at_bat.player_id.clone()];
        let says_who = !is_own || matches!(self.runs_scored, Patch::Set(_));
        match says_who && rbis > runs.len() {
            true => Err(Problem::field("rbis", "are more than the runs that were scored")),
            false => Ok(()),
        }
    }
}

/// A point of a game at which somebody bats.
pub(super) struct Turn<'a> {
    /// Who bats.
    pub(super) batter: &'a PlayerId,
    /// The batter's place in the lineup, from 1.
    pub(super) batting_order: u8,
    /// What was played before.
    pub(super) before: &'a [AtBat],
    /// What was played next, if it is recorded already.
    pub(super) behind: Option<&'a AtBat>,
    /// Who can score.
    pub(super) scorers: &'a [PlayerId],
}

/// An id behind that of the last plate appearance, also when another process recorded it or the clock
/// has stepped back.
fn next_id(app: &App, before: &[AtBat]) -> Result<AtBatId, Problem> {
    let (now, id): (_, AtBatId) = (app.db.now(), app.new_id()?);
    let last_ms = before.last().map_or(i64::MIN, |last| order(last).0);
    if last_ms < now.as_ms() || before.last().is_some_and(|last| is_before(last, &id, now)) {
        return Ok(id);
    }
    let later_ms = u64::try_from(last_ms - now.as_ms() + 1).unwrap_or_default();
    if later_ms > LATER_MS_MAX {
        return Ok(id);
    }
    let text = app.ids.next(now + Duration::from_millis(later_ms));
    AtBatId::new(text).map_err(|error| Problem::internal(error.to_string()))
}

fn is_before(last: &AtBat, id: &AtBatId, now: Timestamp) -> bool {
    order(last) < (now.as_ms(), id)
}
