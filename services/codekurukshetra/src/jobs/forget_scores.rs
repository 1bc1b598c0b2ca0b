//! Deletes what judges have of a team that is deleted: their scores and assignments, which may be too many for one
//! transaction.

use monotable::model::delete;
use monotable::model::time::Timestamp;
use monotable_kit::Problem;
use monotable_kit::jobs::{JobStep, JobTicket};
use serde::{Deserialize, Serialize};

use crate::money::Cashier;
use crate::table::{CodeKurukshetra, CodeKurukshetraReads as _, TeamId};

/// The kind of the work.
pub(crate) const KIND: &str = "forget-scores";
/// Rows that a step deletes.
const ROWS_MAX: usize = 90;

/// What the work is about.
#[derive(Serialize, Deserialize)]
pub(super) struct DeletedTeam {
    team_id: TeamId,
}

/// Returns the ticket for a team.
///
/// # Errors
/// Returns 500 if it can't be written.
pub(crate) fn ticket(team_id: &TeamId, now: Timestamp) -> Result<JobTicket, Problem> {
    JobTicket::new(KIND, team_id.as_str(), &DeletedTeam { team_id: team_id.clone() }, now)
}

/// Deletes some rows. Of a team that is deleted nothing new is written.
pub(super) async fn step(
    cashier: Cashier,
    job: DeletedTeam,
    _: Option<()>,
) -> Result<JobStep<CodeKurukshetra, ()>, Problem> {
    let (db, mut tx) = (&cashier.db, cashier.db.transact());
    let scores = db.scores(&job.team_id).consistent().take(ROWS_MAX).page().await?.rows;
    if !scores.is_empty() {
        scores.iter().for_each(|score| _ = tx.add(delete(score)));
        return Ok(JobStep::next(tx, ()));
    }
    let mut assignments = db.every_assignment().stream();
    let mut deleted = 0;
    while deleted < ROWS_MAX
        && let Some(assignment) = assignments.next().await
    {
        let assignment = assignment?;
        if assignment.team_id == job.team_id {
            tx.add(delete(&assignment));
            deleted += 1;
        }
    }
    Ok(if deleted == ROWS_MAX { JobStep::next(tx, ()) } else { JobStep::done(tx) })
}
