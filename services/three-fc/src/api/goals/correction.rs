//! What corrections of goals have in common: everything that follows from the goals of a game follows.

use crate::api::game_change::{Change, GameChange};
use crate::api::prelude::*;

/// A game whose goals a caller can correct, and one of them.
pub(super) struct Correction<'a> {
    pub(super) change: GameChange<'a>,
    index: usize,
}

impl<'a> Correction<'a> {
    /// Reads a goal of a game. After the game only admins can correct it.
    ///
    /// # Errors
    /// Returns 404 if there is no such goal, or 403 if the caller may not, or 412 if the precondition names another
    /// version.
    pub(super) async fn read(
        app: &'a App,
        call: &'a Request,
        path: &GoalPath,
    ) -> Result<Self, Problem> {
        let change = GameChange::read(app, call, &path.game_id).await?;
        let goals = &change.sheet.goals;
        let index = goals.iter().position(|goal| goal.event_id == path.event_id);
        let index = index.ok_or_else(|| Refusal::NotFound.text("There is no such goal."))?;
        call.check_version(goals[index].stamps.version)?;
        Ok(Self { change, index })
    }

    /// Returns the goal of a game at an index.
    pub(super) fn at(change: GameChange<'a>, index: usize) -> Self {
        Self { change, index }
    }

    /// Returns the goal before the correction.
    pub(super) fn goal(&self) -> &Goal {
        &self.change.sheet.goals[self.index]
    }

    /// Starts the transaction that makes the goal another one, or deletes it.
    ///
    /// # Errors
    /// Returns 500 if the audit can't get an id.
    pub(super) fn write(&self, action: &str, new: Option<&Goal>) -> Result<Change<'a>, Problem> {
        let old = self.goal();
        let goals = &self.change.sheet.goals;
        let (before, after) = (&goals[..self.index], &goals[self.index + 1..]);
        let goals: Vec<&Goal> = before.iter().chain(new).chain(after).collect();
        let mut tx = self.change.write_goals(&goals);
        let entry = self.change.audited(action, format!("GOAL#{}", old.event_id))?;
        let before = old.summary();
        tx.add(create(match new {
            Some(new) => entry.differs(before, new.summary()),
            None => before.into_iter().fold(entry, |entry, (name, was)| entry.was(name, was)),
        }));
        Ok(tx)
    }
}
