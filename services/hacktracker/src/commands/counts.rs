//! How much a team has, kept beside it: whether somebody else is in it, and how many invitations are
//! open. Neither may be decided by an index.

use monotable::model::{Entity as _, Error, Store, Transact};
use monotable_kit::Problem;

use super::scope::{all, overtaken};
use crate::entities::{Invite, Team, TeamCounts, team_counts};
use crate::ids::TeamId;
use crate::patterns::{HackTracker, HackTrackerReads as _};

/// Invitations of a team that can be open at the same time.
pub(crate) const OPEN_INVITES_MAX: i64 = 50;

/// Adds to a transaction that so many members came, or went.
pub(crate) async fn count_members(
    db: &Store<HackTracker>,
    transaction: Transact<HackTracker>,
    team_id: &TeamId,
    by: i64,
) -> Result<Transact<HackTracker>, Problem> {
    Ok(match db.team_counts(team_id).await? {
        Some(counts) => transaction.update(TeamCounts::update(&counts.key()).add_members(by)),
        None => transaction.create(&TeamCounts::uncounted(team_id.clone())),
    })
}

/// Adds to a transaction that an invitation is open. The operation fails if too many are.
pub(crate) async fn open_invite(
    db: &Store<HackTracker>,
    transaction: Transact<HackTracker>,
    team_id: &TeamId,
) -> Result<Transact<HackTracker>, Problem> {
    Ok(match db.team_counts(team_id).await? {
        Some(counts) => transaction.update(
            TeamCounts::update(&counts.key())
                .add_open_invites(1)
                .when(team_counts::open_invites().lt(OPEN_INVITES_MAX)),
        ),
        None => {
            let counts = TeamCounts { open_invites: 1, ..TeamCounts::uncounted(team_id.clone()) };
            transaction.create(&counts)
        }
    })
}

/// Adds to a transaction that an invitation is open no more, and so many members came with it.
pub(crate) async fn close_invite(
    db: &Store<HackTracker>,
    transaction: Transact<HackTracker>,
    team_id: &TeamId,
    members: i64,
) -> Result<Transact<HackTracker>, Problem> {
    Ok(match db.team_counts(team_id).await? {
        Some(counts) => transaction
            .update(TeamCounts::update(&counts.key()).add_open_invites(-1).add_members(members)),
        None => transaction.create(&TeamCounts::uncounted(team_id.clone())),
    })
}

/// Adds to a transaction that nobody but its owner is in a team, unless somebody is. Whoever comes
/// meanwhile changes the row, so that the transaction fails.
pub(crate) async fn alone(
    db: &Store<HackTracker>,
    transaction: Transact<HackTracker>,
    team: &Team,
) -> Result<(Transact<HackTracker>, bool), Problem> {
    let counts = db.team_counts(&team.team_id).await?;
    let has_others = match &counts {
        Some(counts) if counts.members_counted == Some(true) => counts.members > 1,
        // Until the backfill has counted them, all there are: an index may not know them.
        _ => {
            let members = all(db.every_membership().skip_unreadable()).await?;
            members.iter().any(|member| {
                member.team_id == team.team_id
                    && member.is_active()
                    && member.user_id != team.owner_id
            })
        }
    };
    Ok(match (has_others, counts) {
        (true, _) => (transaction, false),
        (false, Some(counts)) => (transaction.delete(&counts), true),
        (false, None) => {
            let counts = TeamCounts::uncounted(team.team_id.clone());
            (transaction.check_absent(&counts.key()), true)
        }
    })
}

/// Removes invitations that have expired, so that there is room for others.
pub(crate) async fn drop_expired(
    db: &Store<HackTracker>,
    team_id: &TeamId,
    forget: impl Fn(Transact<HackTracker>, &Invite) -> Result<Transact<HackTracker>, Problem>,
) -> Result<usize, Problem> {
    let now = db.now();
    let mut invites = all(db.invites(team_id)).await?;
    invites.retain(|invite| invite.is_open() && invite.expires_at <= now);
    invites.truncate(30);
    let Some(counts) = db.team_counts(team_id).await? else { return Ok(0) };
    if invites.is_empty() {
        return Ok(0);
    }
    let dropped = i64::try_from(invites.len()).unwrap_or_default();
    let update = TeamCounts::update(&counts.key()).add_open_invites(-dropped);
    let mut transaction = db.transact().update(update);
    for invite in &invites {
        transaction = forget(transaction.delete(invite), invite)?;
    }
    transaction.await?;
    Ok(invites.len())
}

/// The problem of an operation that failed because somebody else was faster, the row that is made when
/// something is first counted included.
pub(crate) fn outcounted(operation: usize, error: &Error) -> Option<Problem> {
    match error {
        Error::Exists { entity } => {
            Some(Error::VersionConflict { entity, key: String::new() }.into())
        }
        error => overtaken(operation, error),
    }
}
