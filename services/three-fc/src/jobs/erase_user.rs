//! What is left to do after an account was deleted: roles and claims are given up, and audits no longer name the
//! user.

use monotable::model::time::Timestamp;
use monotable::model::{Store, Transact, delete, edit};
use monotable_kit::jobs::{JobStep, JobTicket};
use monotable_kit::{Problem, SignInStore as _};
use serde::{Deserialize, Serialize};

use crate::table::{Acl, NamingRow, Player, Role, ThreeFc, ThreeFcReads as _, User, UserId};

/// The kind of the work that is promised.
pub(crate) const KIND: &str = "erase-user";
/// Rows that a step changes at most.
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
    /// Only audits are, and what older programs did not list under the user.
    Audits,
}

/// Whose traces are erased.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Erasure {
    user_id: UserId,
    /// The address, as it stands in rows of older programs.
    address: Option<UserId>,
}

impl Erasure {
    fn is_of(&self, user_id: &UserId) -> bool {
        self.user_id == *user_id || self.address.as_ref() == Some(user_id)
    }

    /// Returns whether a line of an audit is about a grant of the user.
    fn is_named(&self, entity: &str) -> bool {
        let user_id = entity.strip_prefix("ACL#USER#").and_then(|id| UserId::new(id).ok());
        user_id.is_some_and(|user_id| self.is_of(&user_id))
    }
}

/// Promises that nothing names a user any more.
///
/// # Errors
/// Returns 500 if the id can't be written.
pub(crate) fn ticket(user: &User, now: Timestamp) -> Result<JobTicket, Problem> {
    let address = user.email.as_deref().and_then(|email| UserId::new(email).ok());
    let erasure = Erasure { user_id: user.user_id.clone(), address };
    JobTicket::new(KIND, user.user_id.as_str(), &erasure, now)
}

/// Erases some traces of a user.
pub(super) async fn step(
    db: Store<ThreeFc>,
    erasure: Erasure,
    phase: Option<Phase>,
) -> Result<JobStep<ThreeFc, Phase>, Problem> {
    // Sessions that began while the account was being deleted.
    db.forget(erasure.user_id.as_str()).await?;
    match phase {
        None | Some(Phase::Roles) => give_up(&db, &erasure.user_id).await,
        Some(Phase::Audits) => rename(&db, &erasure).await,
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
        revoke(db, &mut tx, grant).await?;
    }
    let claims = db.claims(user_id).take(CLAIMS_MAX).page().await?.rows;
    for claim in &claims {
        tx.add(delete(claim));
        let player = db.player(&claim.player_id).await?;
        let is_theirs = |player: &Player| player.claimed_by_user_id.as_ref() == Some(user_id);
        if let Some(player) = player.filter(is_theirs) {
            tx.add(edit(&player, release));
        }
    }
    let is_last = grants.is_empty() && claims.is_empty();
    Ok(JobStep::next(tx, if is_last { Phase::Audits } else { Phase::Roles }))
}

/// Lets somebody else claim a player. The picture goes with the user who had it; its file is deleted as an orphan.
fn release(player: &mut Player) {
    (player.claimed_by_user_id, player.avatar_key) = (None, None);
}

/// Takes a role away, also from an admin who became one while the account was being deleted.
async fn revoke(
    db: &Store<ThreeFc>,
    tx: &mut Transact<ThreeFc>,
    grant: &Acl,
) -> Result<(), Problem> {
    tx.add(delete(grant));
    if grant.role == Role::Admin
        && let Some(league) = db.league(&grant.league_id).await?
    {
        let admins = league.admin_count.map(|count| count.saturating_sub(1));
        tx.add(edit(&league, |league| league.admin_count = admins));
    }
    Ok(())
}

/// Replaces the user in some lines of audits, and gives up roles and claims that are not listed under the user.
async fn rename(
    db: &Store<ThreeFc>,
    erasure: &Erasure,
) -> Result<JobStep<ThreeFc, Phase>, Problem> {
    let mut tx = db.transact();
    let nobody = UserId::new(DELETED_USER).map_err(|error| Problem::internal(error.to_string()))?;
    let mut rows = db.rows_naming_users().skip_unreadable().stream();
    let mut count = 0;
    while let Some(row) = rows.next().await {
        match row? {
            NamingRow::Acl(row) if erasure.is_of(&row.user_id) => {
                // A second grant in the same league changes the league again.
                revoke(db, &mut tx, &row).await?;
                return Ok(JobStep::next(tx, Phase::Audits));
            }
            NamingRow::Player(row)
                if row.claimed_by_user_id.as_ref().is_some_and(|id| erasure.is_of(id)) =>
            {
                tx.add(edit(&row, release));
            }
            NamingRow::Audit(row) if erasure.is_of(&row.actor) => {
                tx.add(edit(&row, |row| row.actor = nobody.clone()));
            }
            NamingRow::LeagueAudit(row)
                if erasure.is_of(&row.actor) || erasure.is_named(&row.entity) =>
            {
                tx.add(edit(&row, |row| {
                    if erasure.is_of(&row.actor) {
                        row.actor = nobody.clone();
                    }
                    if erasure.is_named(&row.entity) {
                        row.entity = format!("ACL#USER#{DELETED_USER}");
                    }
                }));
            }
            NamingRow::Acl(_)
            | NamingRow::Player(_)
            | NamingRow::Audit(_)
            | NamingRow::LeagueAudit(_) => continue,
        }
        count += 1;
        if count == ROWS_MAX {
            return Ok(JobStep::next(tx, Phase::Audits));
        }
    }
    Ok(JobStep::done(tx))
}
