//! What a request says about a plate appearance, and the rules of it.

use std::collections::BTreeSet;
use std::time::Duration;

use monotable::model::time::Timestamp;
use monotable_kit::{Patch, Problem};
use serde::Deserialize;

use super::{not_in_lineup, situation};
use crate::app::App;
use crate::entities::{AtBat, Game, HitLocation, Player};
use crate::ids::{AtBatId, PlayerId};
use crate::results::{HitType, Outcome, order};

/// How far ids may run ahead of the clock. All ids of the process do from then on, so that a clock that
/// is wrong by more elsewhere is not followed.
const LATER_MS_MAX: u64 = 10_000;

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
}

impl Play {
    /// Who bats.
    ///
    /// # Errors
    /// 400 if nobody does.
    pub(super) fn batter(&self) -> Result<&PlayerId, Problem> {
        self.player_id.as_ref().ok_or_else(|| Problem::field("playerId", "is needed"))
    }

    /// The plate appearance of a player who bats from a place, from 0, after others.
    ///
    /// # Errors
    /// 400 for what breaks the rules.
    pub(super) fn recorded(
        &self,
        app: &App,
        game: &Game,
        before: &[AtBat],
        player: &Player,
        place: usize,
    ) -> Result<AtBat, Problem> {
        let now = app.db.now();
        let (inning, outs) = situation(game, before);
        let place = u8::try_from(place + 1).unwrap_or(u8::MAX);
        let mut at_bat = AtBat {
            game_id: game.game_id.clone(),
            at_bat_id: next_id(app, before)?,
            player_id: player.player_id.clone(),
            team_id: game.team_id.clone(),
            result: String::new(),
            inning,
            outs,
            batting_order: self.batting_order.unwrap_or(place),
            hit_location: None,
            hit_type: None,
            rbis: None,
            outs_on_play: None,
            runs_scored: None,
            situation_mismatch: None,
            created_at: now,
            updated_at: now,
            ver: 0,
        };
        self.apply(&mut at_bat, (inning, outs))?;
        let batters = std::slice::from_ref(&player.player_id);
        check(&at_bat, if game.lineup.is_empty() { batters } else { &game.lineup })?;
        Ok(at_bat)
    }

    /// Changes a plate appearance that happened at an inning and with outs. What was said otherwise is
    /// kept, and told apart.
    ///
    /// # Errors
    /// 400 for words that nobody knows.
    pub(super) fn apply(&self, at_bat: &mut AtBat, happened: (u8, u8)) -> Result<(), Problem> {
        if let Some(word) = &self.result {
            let unknown = || Problem::field("result", "is no result that is known");
            at_bat.result = Outcome::read(word).ok_or_else(unknown)?.code().to_owned();
            if let Some(implied) = HitType::implied_by(word) {
                at_bat.hit_type = Some(implied.code().to_owned());
            }
        }
        match &self.hit_type {
            Patch::Keep => {}
            Patch::Remove => at_bat.hit_type = None,
            Patch::Set(word) => {
                let unknown = || Problem::field("hitType", "is no hit type that is known");
                let hit_type = HitType::read(word).ok_or_else(unknown)?;
                let is_fly = self
                    .result
                    .as_deref()
                    .is_some_and(|word| HitType::implied_by(word) == Some(HitType::FlyBall));
                if is_fly && hit_type == HitType::Bunt {
                    return Err(Problem::field("hitType", "a fly is no bunt"));
                }
                at_bat.hit_type = Some(hit_type.code().to_owned());
            }
        }
        if let Some(HitLocation { x, y }) = self.hit_location.value()
            && ![x, y].into_iter().all(|part| (0.0..=1.0).contains(part))
        {
            return Err(Problem::field("hitLocation", "is from 0 to 1 in both directions"));
        }
        self.hit_location.clone().apply(&mut at_bat.hit_location);
        self.rbis.clone().apply(&mut at_bat.rbis);
        self.outs_on_play.clone().apply(&mut at_bat.outs_on_play);
        self.runs_scored.clone().apply(&mut at_bat.runs_scored);
        // What nobody ever said follows the plays before, which may have been corrected.
        let is_said = at_bat.ver == 0 || at_bat.situation_mismatch == Some(true);
        if !is_said || at_bat.inning == 0 {
            (at_bat.inning, at_bat.outs) = happened;
        }
        at_bat.inning = self.inning.unwrap_or(at_bat.inning);
        at_bat.outs = self.outs.unwrap_or(at_bat.outs);
        let is_otherwise = (at_bat.inning, at_bat.outs) != happened;
        at_bat.situation_mismatch = is_otherwise.then_some(true);
        Ok(())
    }
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

/// The rules that hold between the fields of a plate appearance; `scorers` are those who can score.
///
/// # Errors
/// 400.
pub(super) fn check(at_bat: &AtBat, scorers: &[PlayerId]) -> Result<(), Problem> {
    let rbis = usize::from(at_bat.rbis.unwrap_or_default());
    if rbis > 0 && at_bat.outcome().is_some_and(|outcome| !outcome.earns_rbis()) {
        let text = "Nobody is credited with runs for a strikeout or an error.";
        return Err(Problem::invalid("RBI_NOT_ALLOWED", text));
    }
    let Some(runs) = &at_bat.runs_scored else { return Ok(()) };
    if runs.iter().collect::<BTreeSet<_>>().len() != runs.len() {
        return Err(Problem::field("runsScored", "has a player twice"));
    }
    let strangers: Vec<PlayerId> =
        runs.iter().filter(|id| !scorers.contains(id)).cloned().collect();
    if !strangers.is_empty() {
        return Err(not_in_lineup(&strangers));
    }
    match rbis > runs.len() {
        true => Err(Problem::field("rbis", "are more than the runs that were scored")),
        false => Ok(()),
    }
}
