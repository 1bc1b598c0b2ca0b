//! The progress of an erasure, as its task stores it.

use std::collections::BTreeMap;

use monotable::model::time::Timestamp;
use monotable::model::{Transact, edit};
use monotable_kit::Problem;
use serde::{Deserialize, Serialize};

use crate::rules::erasure::Erasure;
use crate::table::{BtlRun, MatchId, Task};

/// The progress of erasing a user.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Cursor {
    /// In the current match.
    #[serde(flatten)]
    pub(super) current: Option<Progress>,
    /// In the matches that could not be read.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) skipped: BTreeMap<MatchId, Option<Progress>>,
}

/// The progress of erasing a user from a match.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Progress {
    pub(super) match_id: MatchId,
    /// When the match was created: the user's row of it is under this time.
    pub(super) created_at: Timestamp,
    /// When the user was removed from the state. Stories that were started before may still contain
    /// the name.
    pub(super) began_at: i64,
    pub(super) erasure: Erasure,
    /// The last event that was handled.
    pub(super) after_seq: u32,
}

impl Cursor {
    /// Returns the cursor at a match.
    pub(super) fn at(&self, progress: Progress) -> Self {
        Self { skipped: self.behind(&progress).skipped, current: Some(progress) }
    }

    /// Returns the cursor after a match.
    pub(super) fn behind(&self, progress: &Progress) -> Self {
        let mut skipped = self.skipped.clone();
        skipped.remove(&progress.match_id);
        Self { current: None, skipped }
    }

    /// Reads the cursor of the task.
    pub(super) fn of(task: &Task) -> Result<Self, Problem> {
        let cursor = task.cursor.as_deref().map(serde_json::from_str).transpose();
        Ok(cursor.map_err(Problem::internal)?.unwrap_or_default())
    }

    /// Commits a transaction together with the progress of the task.
    pub(super) async fn commit(
        &self,
        mut tx: Transact<BtlRun>,
        task: &Task,
    ) -> Result<(), Problem> {
        let cursor = serde_json::to_string(self).map_err(Problem::internal)?;
        tx.add(edit(task, |task| task.cursor = Some(cursor)));
        tx.await?;
        Ok(())
    }
}
