//! Deletes the rows of a league that `deleteLeague` has marked: roles with their mirrors, the pool, the audit,
//! and the league's own row at last.

use monotable::model::time::Timestamp;
use monotable::model::{Entity as _, Store, delete, delete_by_key};
use monotable_kit::Problem;
use monotable_kit::jobs::{JobStep, JobTicket};

use crate::table::{LeagueId, LeagueKey, LeagueRows, ThreeFc, ThreeFcReads as _};

/// The kind of the work that is promised.
pub(super) const KIND: &str = "delete-league";
/// Rows that a step deletes at most. With a mirror each they fit into one transaction.
const ROWS_MAX: usize = 40;

/// Promises to delete the rows of a league.
///
/// # Errors
/// Returns 500 if the id can't be written.
pub(crate) fn ticket(league_id: &LeagueId, now: Timestamp) -> Result<JobTicket, Problem> {
    JobTicket::new(KIND, league_id.as_str(), league_id, now)
}

/// Deletes some rows of a league; when only its own is left, that.
pub(super) async fn step(
    db: Store<ThreeFc>,
    league_id: LeagueId,
    _: Option<()>,
) -> Result<JobStep<ThreeFc, ()>, Problem> {
    let rows = db.league_rows(&league_id).skip_unreadable().take(ROWS_MAX).page().await?.rows;
    let mut tx = db.transact();
    let mut is_empty = true;
    for row in &rows {
        match row {
            // A season would have refused the deletion.
            LeagueRows::League(_) | LeagueRows::Season(_) => continue,
            LeagueRows::Acl(row) => tx.add(delete(row)),
            LeagueRows::PoolEntry(row) => tx.add(delete_by_key(&row.key())),
            LeagueRows::LeagueAudit(row) => tx.add(delete_by_key(&row.key())),
        };
        is_empty = false;
    }
    if is_empty {
        tx.add(delete_by_key(&LeagueKey::new(league_id)));
        return Ok(JobStep::done(tx));
    }
    Ok(JobStep::next(tx, ()))
}
