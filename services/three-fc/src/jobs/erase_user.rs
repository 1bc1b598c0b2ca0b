//! What is left to do after an account was deleted: roles and claims are given up, the address is forgotten,
//! and audits no longer name the user.

use monotable::model::time::Timestamp;
use monotable::model::{Store, delete, edit};
use monotable_kit::jobs::{JobStep, JobTicket};
use monotable_kit::{Problem, SignInStore as _};
use serde::{Deserialize, Serialize};

use crate::table::{AuditRow, Role, ThreeFc, ThreeFcReads as _, UserId};

/// The kind of the work that is promised.
pub(crate) const KIND: &str = "erase-user";
/// Lines of audits that a step changes at most.
const ROWS_MAX: usize = 40;
/// Grants that a step deletes at most: four rows each.
const GRANTS_MAX: usize = 10;
/// Claims that a step deletes at most: two rows each.
const CLAIMS_MAX: usize = 20;
/// The actor of what a deleted user has done.
const DELETED_USER: &str = "deleted-user";

/// How far the work is.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Phase {
    /// Roles and claims are left.
    Roles,
    /// Only audits are.
    Audits,
}

/// Promises that nothing names a user any more.
///
/// # Errors
/// 500 if the id can't be written.
pub(crate) fn ticket(user_id: &UserId, now: Timestamp) -> Result<JobTicket, Problem> {
    JobTicket::new(KIND, user_id.as_str(), user_id, now)
}

/// Erases some traces of a user.
pub(super) async fn step(
    db: Store<ThreeFc>,
    user_id: UserId,
    phase: Option<Phase>,
) -> Result<JobStep<ThreeFc, Phase>, Problem> {
    // Sessions that began while the account was being deleted.
    db.forget(user_id.as_str()).await?;
    match phase {
        None | Some(Phase::Roles) => give_up(&db, &user_id).await,
        Some(Phase::Audits) => rename(&db, &user_id).await,
    }
}

/// Gives up some roles and claims.
async fn give_up(
    db: &Store<ThreeFc>,
    user_id: &UserId,
) -> Result<JobStep<ThreeFc, Phase>, Problem> {
    let mut tx = db.transact();
    let grants = db.leagues_of(user_id).consistent().take(GRANTS_MAX).page().await?.rows;
    for grant in &grants {
        tx.add(delete(grant));
        // An admin who became one while the account was being deleted.
        if grant.role == Role::Admin
            && let Some(league) = db.league(&grant.league_id).await?
        {
            let admins = league.admin_count.map(|count| count.saturating_sub(1));
            tx.add(edit(&league, |league| league.admin_count = admins));
        }
    }
    let claims = db.claims(user_id).take(CLAIMS_MAX).page().await?.rows;
    for claim in &claims {
        tx.add(delete(claim));
        let player = db.player(&claim.player_id).await?;
        let is_theirs = |owner: &Option<UserId>| owner.as_ref() == Some(user_id);
        if let Some(player) = player.filter(|player| is_theirs(&player.claimed_by_user_id)) {
            tx.add(edit(&player, |player| player.claimed_by_user_id = None));
        }
    }
    let is_last = grants.is_empty() && claims.is_empty();
    Ok(JobStep::next(tx, if is_last { Phase::Audits } else { Phase::Roles }))
}

/// Replaces the user in some lines of audits.
async fn rename(db: &Store<ThreeFc>, user_id: &UserId) -> Result<JobStep<ThreeFc, Phase>, Problem> {
    let mut tx = db.transact();
    let nobody = UserId::new(DELETED_USER).map_err(|error| Problem::internal(error.to_string()))?;
    let named = format!("ACL#USER#{user_id}");
    let mut rows = db.every_audit().skip_unreadable().stream();
    let mut count = 0;
    while let Some(row) = rows.next().await {
        match row? {
            AuditRow::Audit(row) if row.actor == *user_id => {
                tx.add(edit(&row, |row| row.actor = nobody.clone()));
            }
            AuditRow::LeagueAudit(row) if row.actor == *user_id || row.entity == named => {
                tx.add(edit(&row, |row| {
                    if row.actor == *user_id {
                        row.actor = nobody.clone();
                    }
                    if row.entity == named {
                        row.entity = format!("ACL#USER#{DELETED_USER}");
                    }
                }));
            }
            AuditRow::Audit(_) | AuditRow::LeagueAudit(_) => continue,
        }
        count += 1;
        if count == ROWS_MAX {
            return Ok(JobStep::next(tx, Phase::Audits));
        }
    }
    Ok(JobStep::done(tx))
}
