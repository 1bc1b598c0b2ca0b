//! The counts of a team, stored in a separate row: whether it has members besides the owner, and
//! how many invitations are open. An index must not decide either of them.

use crate::api::prelude::*;

/// Invitations of a team that can be open at the same time.
pub(crate) const OPEN_INVITES_MAX: i64 = 50;

/// Counts new and former members, and new and closed invitations, in a transaction. The operation
/// runs again if another one has changed or created the row in the meantime.
pub(crate) async fn count(
    db: &Store<HackTracker>,
    tx: &mut Change<'_>,
    team_id: &TeamId,
    members: i64,
    open_invites: i64,
) -> Result<(), Problem> {
    match db.team_counts(team_id).await? {
        Some(counts) => {
            let update = TeamCounts::update(&counts.key()).add_members(members);
            tx.expect(update.add_open_invites(open_invites));
        }
        None => {
            tx.expect(create(TeamCounts::uncounted(team_id.clone())));
        }
    }
    Ok(())
}

/// Counts an open invitation in a transaction, which is refused if there are too many.
pub(crate) async fn open_invite(
    db: &Store<HackTracker>,
    tx: &mut Change<'_>,
    team_id: &TeamId,
    full: Problem,
) -> Result<(), Problem> {
    match db.team_counts(team_id).await? {
        Some(counts) => {
            let opened = TeamCounts::update(&counts.key()).add_open_invites(1);
            let has_room = team_counts::open_invites().lt(OPEN_INVITES_MAX);
            tx.require_with(opened.when(has_room), move |error| {
                matches!(error, Error::ConditionFailed { .. }).then(|| full.clone())
            });
        }
        None => {
            let counts = TeamCounts { open_invites: 1, ..TeamCounts::uncounted(team_id.clone()) };
            tx.expect(create(counts));
        }
    }
    Ok(())
}

/// Returns whether a team with these counts has members besides its owner.
pub(crate) async fn has_other_members(
    db: &Store<HackTracker>,
    team: &Team,
    counts: Option<&TeamCounts>,
) -> Result<bool, Problem> {
    if let Some(counts) = counts.filter(|counts| counts.members_counted == Some(true)) {
        return Ok(counts.members > 1);
    }
    // Until the backfill has counted them, all memberships are read: an index may lack some.
    let members = db.every_membership().skip_unreadable().all().await?;
    let is_other = |member: &Membership| {
        member.team_id == team.team_id && member.is_active() && member.user_id != team.owner_id
    };
    Ok(members.iter().any(is_other))
}

/// Deletes the counts of a team in a transaction. It fails if a member joins in the meantime,
/// because that changes the row.
pub(crate) fn end_counts(tx: &mut Change<'_>, team_id: &TeamId, counts: Option<&TeamCounts>) {
    match counts {
        Some(counts) => tx.expect(delete(counts)),
        None => tx.expect(check_absent(&TeamCountsKey::new(team_id.clone()))),
    };
}

/// Removes expired invitations, so that new ones can be made.
pub(crate) async fn drop_expired(
    db: &Store<HackTracker>,
    team_id: &TeamId,
    delete_letter: impl Fn(&mut Transact<HackTracker>, &Invite) -> Result<(), Problem>,
) -> Result<usize, Problem> {
    let now = db.now();
    let mut invites = db.invites(team_id).all().await?;
    invites.retain(|invite| invite.is_open() && invite.expires_at <= now);
    invites.truncate(30);
    let Some(counts) = db.team_counts(team_id).await? else { return Ok(0) };
    if invites.is_empty() {
        return Ok(0);
    }
    let dropped = i64::try_from(invites.len()).unwrap_or_default();
    let update = TeamCounts::update(&counts.key()).add_open_invites(-dropped);
    let mut tx = db.transact().with(update);
    for invite in &invites {
        tx.add(delete(invite));
        delete_letter(&mut tx, invite)?;
    }
    tx.commit().await?;
    Ok(invites.len())
}
