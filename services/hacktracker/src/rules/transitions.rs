//! The state machine of a game: its transitions from one status to another, and what each of them requires.
//!
//! `api::games::change` decides who may do it and how it is written.

use monotable::model::time::Timestamp;
use monotable_kit::{Problem, Refuse as _, Words as _};
use serde_json::{Value, json};

use crate::refusal::Refusal;
use crate::table::{Game, GameStatus};

/// A transition from one status to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Transition {
    /// It starts, or continues after it was suspended.
    Start,
    /// It is over.
    Finish,
    /// It stops in the middle; its at-bats are kept.
    Suspend,
    /// It is postponed.
    Postpone,
    /// It has a new date.
    Reschedule,
    /// A final game continues.
    Reopen,
}

/// The effect of a transition on the guard of the active game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ActiveGameEffect {
    /// The game becomes the active one, if there is no other.
    Claim,
    /// The game is not the active one any more.
    Release,
    /// Nothing changes.
    None,
}

/// The properties of a transition.
struct Facts {
    /// Its name in paths.
    word: &'static str,
    /// The adjective for a game after it.
    participle: &'static str,
    /// The statuses that it starts from.
    from: &'static [GameStatus],
    /// The status that it leads to.
    to: GameStatus,
    active_game: ActiveGameEffect,
}

impl Transition {
    const ALL: [Self; 6] =
        [Self::Start, Self::Finish, Self::Suspend, Self::Postpone, Self::Reschedule, Self::Reopen];

    /// Returns its properties.
    fn facts(self) -> Facts {
        use ActiveGameEffect::{Claim, None, Release};
        use GameStatus::{Final, InProgress, Postponed, Scheduled};
        let (word, participle, from, to, active_game): (_, _, &[GameStatus], _, _) = match self {
            Self::Start => ("start", "started", &[Scheduled, Postponed], InProgress, Claim),
            Self::Finish => ("finish", "finished", &[InProgress], Final, Release),
            Self::Suspend => ("suspend", "suspended", &[InProgress], Postponed, Release),
            Self::Postpone => ("postpone", "postponed", &[Scheduled], Postponed, None),
            Self::Reschedule => ("reschedule", "rescheduled", &[Postponed], Scheduled, None),
            Self::Reopen => ("reopen", "reopened", &[Final], InProgress, Claim),
        };
        Facts { word, participle, from, to, active_game }
    }

    fn starts_from(self, status: GameStatus) -> bool {
        self.facts().from.contains(&status)
    }

    /// Returns its effect on the guard of the active game.
    pub(crate) fn active_game(self) -> ActiveGameEffect {
        self.facts().active_game
    }

    /// Returns its name in audits, such as `startGame`.
    pub(crate) fn operation(self) -> String {
        format!("{}Game", self.facts().word)
    }

    /// Returns the transition to a status, for clients that write the status; `None` if the game
    /// has it already.
    ///
    /// # Errors
    ///
    /// Returns 409 `INVALID_TRANSITION` if the transition does not exist.
    pub(crate) fn between(from: GameStatus, to: GameStatus) -> Result<Option<Self>, Problem> {
        if from == to {
            return Ok(None);
        }
        let mut ways = Self::ALL.into_iter();
        match ways.find(|way| way.facts().to == to && way.starts_from(from)) {
            Some(way) => Ok(Some(way)),
            None => Err(refused(from, to, &format!("become {}", to.word()))),
        }
    }

    /// Checks that a game of a status can make the transition.
    ///
    /// # Errors
    /// Returns 409 `INVALID_TRANSITION`.
    pub(crate) fn check(self, from: GameStatus) -> Result<(), Problem> {
        if self.starts_from(from) {
            return Ok(());
        }
        let Facts { to, participle, .. } = self.facts();
        Err(refused(from, to, &format!("be {participle}")))
    }

    /// Changes the game.
    pub(crate) fn apply(self, game: &mut Game, now: Timestamp) {
        game.status = self.facts().to;
        match self {
            Self::Start => {
                game.started_at.get_or_insert(now);
            }
            Self::Finish => game.finished_at = Some(now),
            Self::Reopen => game.finished_at = None,
            Self::Suspend | Self::Postpone | Self::Reschedule => {}
        }
    }
}

/// Creates the 409 for a transition that a status does not allow, with the allowed ones.
fn refused(from: GameStatus, to: GameStatus, what: &str) -> Problem {
    let ways = Transition::ALL.into_iter().filter(|way| way.starts_from(from));
    let ways: Vec<Facts> = ways.map(Transition::facts).collect();
    let can: Vec<&str> = ways.iter().map(|way| way.participle).collect();
    let can = can.join(" or ");
    let text = format!("A game that is {} can't {what}; it can be {can}.", from.word());
    let open: Vec<Value> =
        ways.iter().map(|way| json!({ "transition": way.word, "to": way.to })).collect();
    Refusal::InvalidTransition
        .text(text)
        .with("from", json!(from))
        .with("to", json!(to))
        .with("allowed", json!(open))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn ht_d18_only_the_ways_of_the_state_machine_are_open() {
        let statuses = [
            GameStatus::Scheduled,
            GameStatus::InProgress,
            GameStatus::Final,
            GameStatus::Postponed,
        ];
        let mut told = String::new();
        for from in statuses {
            for to in statuses {
                let way = match Transition::between(from, to) {
                    Ok(None) => "stays".to_owned(),
                    Ok(Some(way)) => format!("{way:?}"),
                    Err(problem) => problem.message,
                };
                told += &format!("{from:?} to {to:?}: {way}\n");
            }
        }
        expect![[r#"
            Scheduled to Scheduled: stays
            Scheduled to InProgress: Start
            Scheduled to Final: A game that is SCHEDULED can't become FINAL; it can be started or postponed.
            Scheduled to Postponed: Postpone
            InProgress to Scheduled: A game that is IN_PROGRESS can't become SCHEDULED; it can be finished or suspended.
            InProgress to InProgress: stays
            InProgress to Final: Finish
            InProgress to Postponed: Suspend
            Final to Scheduled: A game that is FINAL can't become SCHEDULED; it can be reopened.
            Final to InProgress: Reopen
            Final to Final: stays
            Final to Postponed: A game that is FINAL can't become POSTPONED; it can be reopened.
            Postponed to Scheduled: Reschedule
            Postponed to InProgress: Start
            Postponed to Final: A game that is POSTPONED can't become FINAL; it can be started or rescheduled.
            Postponed to Postponed: stays
        "#]]
        .assert_eq(&told);
    }
}
