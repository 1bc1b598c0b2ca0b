//! The runners on base, as far as the recorded plays show.
//!
//! A plate appearance contains who scored and how many outs it made, but not how far each runner
//! got. Runners advance as far as the batter forces them, and the leading runner is out when a play
//! makes an out other than the batter's.

use super::count::Count;
use super::log::runs;
use super::results::Outcome;
use crate::table::{AtBat, Game, PlayerId};

/// The runners on first, second and third base.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bases(pub [Option<PlayerId>; 3]);

/// Returns the runners on base after the plate appearances of a game, in order.
pub fn bases(game: &Game, at_bats: &[AtBat]) -> Bases {
    let (mut count, mut bases) = (Count::default(), Bases::default());
    for at_bat in at_bats {
        let next = count.after(game, at_bat);
        bases = if next.inning == count.inning { bases.after(at_bat) } else { Bases::default() };
        count = next;
    }
    bases
}

impl Bases {
    fn after(self, at_bat: &AtBat) -> Self {
        let scored = runs(at_bat);
        let reached = reached(at_bat).filter(|_| !scored.contains(&at_bat.player_id));
        let outs_of_runners = match reached {
            // A fielder's choice puts a runner out, also where the play does not count the out.
            Some(_) if at_bat.outcome() == Some(Outcome::FieldersChoice) => {
                at_bat.outs_on_play.unwrap_or(1)
            }
            Some(_) => at_bat.outs_made(),
            None => at_bat.outs_made().saturating_sub(1),
        };
        let occupied = self.0.into_iter().zip(1..);
        let mut runners: Vec<(PlayerId, usize)> = occupied
            .filter_map(|(runner, base)| Some((runner?, base)))
            .filter(|(runner, _)| !scored.contains(runner))
            .collect();
        runners.truncate(runners.len().saturating_sub(usize::from(outs_of_runners)));
        if let Some(base) = reached {
            runners.insert(0, (at_bat.player_id.clone(), base));
        }
        let (mut bases, mut behind) = ([None, None, None], 0);
        for (runner, base) in runners {
            behind = base.max(behind + 1);
            // A runner who is forced past third base has scored, even if it was not recorded.
            if let Some(place) = bases.get_mut(behind - 1) {
                *place = Some(runner);
            }
        }
        Self(bases)
    }
}

/// Returns the base that the batter reached.
fn reached(at_bat: &AtBat) -> Option<usize> {
    match at_bat.outcome()? {
        Outcome::Single
        | Outcome::Walk
        | Outcome::HitByPitch
        | Outcome::FieldersChoice
        | Outcome::Error => Some(1),
        Outcome::Double => Some(2),
        Outcome::Triple => Some(3),
        Outcome::HomeRun | Outcome::Strikeout | Outcome::Out | Outcome::Sacrifice => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Plays such as `a 1B`, `b 2B a` (a scores) and `c OUT +2` (two outs).
    fn check(plays: &[&str], expected: &str) {
        let game = json!({ "gameId": "g", "teamId": "t", "status": "IN_PROGRESS" });
        let game: Game = serde_json::from_value(game).unwrap();
        let at_bats: Vec<AtBat> = plays
            .iter()
            .map(|play| {
                let mut words = play.split(' ');
                let (player, result) = (words.next(), words.next());
                let (outs, scored): (Vec<&str>, Vec<&str>) =
                    words.partition(|word| word.starts_with('+'));
                let outs = outs.first().map(|outs| outs[1..].parse::<u8>().unwrap());
                let at_bat = json!({
                    "gameId": "g", "atBatId": "a", "teamId": "t", "playerId": player, "result": result,
                    "runsScored": scored, "outsOnPlay": outs,
                });
                serde_json::from_value(at_bat).unwrap()
            })
            .collect();
        let Bases(found) = bases(&game, &at_bats);
        let shown = found.map(|runner| runner.map_or("-".to_owned(), |runner| runner.to_string()));
        assert_eq!(shown.join(" "), expected, "{plays:?}");
    }

    #[test]
    fn runners_are_forced_ahead_of_the_batter() {
        check(&[], "- - -");
        check(&["a 1B"], "a - -");
        check(&["a 1B", "b BB"], "b a -");
        check(&["a 1B", "b 2B"], "- b a");
        check(&["a 2B", "b 1B"], "b a -");
        check(&["a 3B", "b BB"], "b - a");
        check(&["a 1B", "b 1B", "c BB"], "c b a");
        check(&["a 1B", "b 1B", "c BB", "d BB a"], "d c b");
        check(&["a 1B", "b 1B", "c BB", "d BB"], "d c b");
    }

    #[test]
    fn runners_who_score_or_are_out_leave_the_bases() {
        check(&["a 1B", "b HR a b"], "- - -");
        check(&["a 1B", "b 2B a"], "- b -");
        check(&["a 1B", "b FC"], "b - -");
        check(&["a 1B", "b OUT +2"], "- - -");
        check(&["a 1B", "b K"], "a - -");
    }

    #[test]
    fn the_end_of_an_inning_clears_the_bases() {
        check(&["a 1B", "b K", "c K", "d K"], "- - -");
        check(&["a 1B", "b K", "c K", "d K", "e 2B"], "- e -");
    }
}
