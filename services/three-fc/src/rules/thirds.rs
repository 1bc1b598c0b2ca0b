//! The state machine of a game and of its thirds: `scheduled → live → finished`, and each third
//! `pending → running → done`, strictly one after the other.

use std::time::Duration;

use monotable::model::time::Timestamp;
use monotable_kit::{Problem, Refuse as _, Words};
use serde::Serialize;

use crate::refusal::Refusal;
use crate::table::{GameStatus, Third};

/// The thirds of a game.
pub const THIRDS: u8 = 3;

/// How far a third is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Words)]
#[serde(rename_all = "lowercase")]
pub enum ThirdState {
    /// It has not started.
    Pending,
    /// It is played.
    Running,
    /// It is over.
    Done,
}

/// Returns how far a third is.
pub fn state(thirds: &[Third], n: u8) -> ThirdState {
    match thirds.iter().find(|third| third.n == n) {
        Some(Third { finished_at: Some(_), .. }) => ThirdState::Done,
        Some(Third { finished_at: None, .. }) => ThirdState::Running,
        None => ThirdState::Pending,
    }
}

/// Returns the third that is played now.
pub fn running(thirds: &[Third]) -> Option<&Third> {
    thirds.iter().find(|third| third.finished_at.is_none())
}

/// How late a start or an end can be reported: as long as repeats are recognized.
const LATE_MAX: Duration = Duration::from_secs(24 * 60 * 60);

/// Returns when a third started or finished that is reported now: not in the future, and not before the start or
/// the end that came before it.
///
/// # Errors
/// Returns 400 if it is too long ago.
pub fn plausible(
    thirds: &[Third],
    at: Option<Timestamp>,
    now: Timestamp,
) -> Result<Timestamp, Problem> {
    let at = at.unwrap_or(now).min(now);
    if now.since(at) > LATE_MAX {
        return Err(Problem::field("at", "must be within the last 24 hours"));
    }
    let last = thirds.last().map(|third| third.finished_at.unwrap_or(third.started_at));
    // The clock of the server may have been set back.
    Ok(last.map_or(at, |last| at.max(last.min(now))))
}

/// Starts a third. The first one makes a scheduled game live.
///
/// # Errors
/// Returns 409 `invalid_transition` if the game is not played, `third_order` if it is the turn of another third.
pub fn start(
    status: &mut GameStatus,
    thirds: &mut Vec<Third>,
    n: u8,
    now: Timestamp,
) -> Result<(), Problem> {
    match (*status, n) {
        (GameStatus::Live, _) | (GameStatus::Scheduled, 1) => {}
        (GameStatus::Scheduled, _) => return Err(order("Start third 1 first.")),
        (GameStatus::Finished | GameStatus::Deleting, _) => return Err(over()),
    }
    if let Some(running) = running(thirds) {
        return Err(order(&format!("Finish third {} first.", running.n)));
    }
    if state(thirds, n) == ThirdState::Done {
        return Err(order(&format!("Third {n} is over.")));
    }
    if n > 1 && state(thirds, n - 1) == ThirdState::Pending {
        return Err(order(&format!("Start third {} first.", n - 1)));
    }
    thirds.push(Third { n, started_at: now, finished_at: None });
    *status = GameStatus::Live;
    Ok(())
}

/// Finishes a third.
///
/// # Errors
/// Returns 409 `third_not_running`, or `invalid_transition` if the game is not played.
pub fn finish(
    status: GameStatus,
    thirds: &mut [Third],
    n: u8,
    now: Timestamp,
) -> Result<(), Problem> {
    match status {
        GameStatus::Live => {}
        GameStatus::Scheduled => return Err(Refusal::ThirdNotRunning.into()),
        GameStatus::Finished | GameStatus::Deleting => return Err(over()),
    }
    if state(thirds, n) != ThirdState::Running {
        return Err(Refusal::ThirdNotRunning.text(format!("Third {n} is not running.")));
    }
    finish_running(thirds, now);
    Ok(())
}

/// Finishes the third that is running, if there is one: for a game that ends early.
pub fn finish_running(thirds: &mut [Third], now: Timestamp) {
    for third in thirds.iter_mut().filter(|third| third.finished_at.is_none()) {
        third.finished_at = Some(now);
    }
}

/// Checks that a game can be finished: it is live, and its last third is over unless an administrator ends
/// it early.
///
/// # Errors
/// Returns 409 `invalid_transition`, or `third_order` for a game that ends early without being
/// forced.
pub fn check_finish(status: GameStatus, thirds: &[Third], is_forced: bool) -> Result<(), Problem> {
    if status != GameStatus::Live {
        let text = format!("Only a live game can be finished; this one is {}.", status.word());
        return Err(Refusal::InvalidTransition.text(text));
    }
    if is_forced || state(thirds, THIRDS) == ThirdState::Done {
        return Ok(());
    }
    Err(order("Finish third 3 first. An administrator can end a game early with a reason."))
}

fn order(text: &str) -> Problem {
    Refusal::ThirdOrder.text(text)
}

fn over() -> Problem {
    Refusal::InvalidTransition.text("The game is finished. An administrator can reopen it.")
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;
    use crate::refusal;

    fn at(minute: i64) -> Timestamp {
        Timestamp::from_ms(1_800_000_000_000 + minute * 60_000).unwrap()
    }

    /// Plays acts such as `s1` and `f1`, and writes the result of each.
    fn play(acts: &str) -> String {
        let (mut status, mut thirds) = (GameStatus::Scheduled, Vec::new());
        let mut written = String::new();
        for (act, minute) in acts.split(' ').zip(0..) {
            let n: u8 = act[1..].parse().unwrap();
            let done = match &act[..1] {
                "s" => start(&mut status, &mut thirds, n, at(minute)),
                "f" => finish(status, &mut thirds, n, at(minute)),
                "e" => check_finish(status, &thirds, n == 1).map(|()| {
                    finish_running(&mut thirds, at(minute));
                    status = GameStatus::Finished;
                }),
                _ => unreachable!("acts are s, f and e"),
            };
            let states = [1, 2, 3].map(|n| match state(&thirds, n) {
                ThirdState::Pending => '.',
                ThirdState::Running => '*',
                ThirdState::Done => '#',
            });
            let states = String::from_iter(states);
            let outcome =
                done.map_or_else(|problem| refusal::code(problem.code), |()| "ok".to_owned());
            written += &format!("{act} {outcome} {} {states}\n", status.word());
        }
        written
    }

    #[test]
    fn thirds_are_played_one_after_the_other() {
        expect![[r#"
            f1 third_not_running scheduled ...
            s2 third_order scheduled ...
            e0 invalid_transition scheduled ...
            s1 ok live *..
            s1 third_order live *..
            s2 third_order live *..
            f2 third_not_running live *..
            f1 ok live #..
            f1 third_not_running live #..
            s1 third_order live #..
            s3 third_order live #..
            s2 ok live #*.
            f2 ok live ##.
            e0 third_order live ##.
            s3 ok live ##*
            e0 third_order live ##*
            f3 ok live ###
            e0 ok finished ###
            s1 invalid_transition finished ###
            f3 invalid_transition finished ###
            e1 invalid_transition finished ###
        "#]]
        .assert_eq(&play("f1 s2 e0 s1 s1 s2 f2 f1 f1 s1 s3 s2 f2 e0 s3 e0 f3 e0 s1 f3 e1"));
    }

    #[test]
    fn a_game_that_ends_early_has_no_running_third() {
        expect![[r#"
            s1 ok live *..
            f1 ok live #..
            s2 ok live #*.
            e1 ok finished ##.
        "#]]
        .assert_eq(&play("s1 f1 s2 e1"));
    }
}
