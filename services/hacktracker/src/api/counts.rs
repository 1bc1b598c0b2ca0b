//! How much a team has, kept beside it: whether somebody else is in it, and how many invitations are
//! open. Neither may be decided by an index.

use monotable::model::{Entity as _, Error, Handle, Store, Transact, check_absent, create, delete};
use monotable_kit::{Problem, Refusals};

use crate::table::{
    HackTracker, HackTrackerReads as _, Invite, Membership, Team, TeamCounts, TeamCountsKey,
    TeamId, team_counts,
};

/// Invitations of a team that can be open at the same time.
pub(crate) const OPEN_INVITES_MAX: i64 = 50;

/// The operation of a transaction that counts: on the row that is there, or on a new one.
#[derive(Clone, Copy)]
pub(crate) enum Counting {
    /// The row is changed.
    Changed(Handle<()>),
    /// The row is created.
    Created(Handle<TeamCounts>),
}

impl Counting {
    /// Runs the command again if another one has changed or created the row meanwhile.
    pub(crate) fn retry(self, refusals: Refusals<'_>) -> Refusals<'_> {
        match self {
            Self::Changed(row) => refusals.retry(row),
            Self::Created(row) => refusals.retry(row),
        }
    }

    /// Answers with a problem if the limit of what is counted is reached; else as [`retry`](Self::retry).
    pub(crate) fn refuse_full(self, refusals: Refusals<'_>, problem: Problem) -> Refusals<'_> {
        self.retry(match self {
            Self::Changed(row) => refusals.refuse_with(row, move |error| {
                matches!(error, Error::ConditionFailed { .. }).then(|| problem.clone())
            }),
            Self::Created(_) => refusals,
        })
    }
}

/// Counts in a transaction that so many members came, or went.
pub(crate) async fn count_members(
    db: &Store<HackTracker>,
    tx: &mut Transact<HackTracker>,
    team_id: &TeamId,
    by: i64,
) -> Result<Counting, Problem> {
    Ok(match db.team_counts(team_id).await? {
        Some(counts) => {
            Counting::Changed(tx.add(TeamCounts::update(&counts.key()).add_members(by)))
        }
        None => Counting::Created(tx.add(create(TeamCounts::uncounted(team_id.clone())))),
    })
}

/// Counts in a transaction that an invitation is open. The operation fails if too many are.
pub(crate) async fn open_invite(
    db: &Store<HackTracker>,
    tx: &mut Transact<HackTracker>,
    team_id: &TeamId,
) -> Result<Counting, Problem> {
    Ok(match db.team_counts(team_id).await? {
        Some(counts) => {
            let opened = TeamCounts::update(&counts.key()).add_open_invites(1);
            let has_room = team_counts::open_invites().lt(OPEN_INVITES_MAX);
            Counting::Changed(tx.add(opened.when(has_room)))
        }
        None => {
            let counts = TeamCounts { open_invites: 1, ..TeamCounts::uncounted(team_id.clone()) };
            Counting::Created(tx.add(create(counts)))
        }
    })
}

/// Counts in a transaction that an invitation is open no more, and so many members came with it.
pub(crate) async fn close_invite(
    db: &Store<HackTracker>,
    tx: &mut Transact<HackTracker>,
    team_id: &TeamId,
    members: i64,
) -> Result<Counting, Problem> {
    Ok(match db.team_counts(team_id).await? {
        Some(counts) => {
            let closed = TeamCounts::update(&counts.key()).add_open_invites(-1);
            Counting::Changed(tx.add(closed.add_members(members)))
        }
        None => Counting::Created(tx.add(create(TeamCounts::uncounted(team_id.clone())))),
    })
}

/// Returns whether anybody but its owner is in a team with these counts.
pub(crate) async fn has_other_members(
    db: &Store<HackTracker>,
    team: &Team,
    counts: Option<&TeamCounts>,
) -> Result<bool, Problem> {
    if let Some(counts) = counts.filter(|counts| counts.members_counted == Some(true)) {
        return Ok(counts.members > 1);
    }
    // Until the backfill has counted them, all there are: an index may not know them.
    let members = db.every_membership().skip_unreadable().all().await?;
    let is_other = |member: &Membership| {
        member.team_id == team.team_id && member.is_active() && member.user_id != team.owner_id
    };
    Ok(members.iter().any(is_other))
}

/// Ends the counts of a team in a transaction. It fails if a member comes meanwhile: that changes the
/// row.
pub(crate) fn end_counts(
    tx: &mut Transact<HackTracker>,
    team_id: &TeamId,
    counts: Option<&TeamCounts>,
) -> Handle<()> {
    match counts {
        Some(counts) => tx.add(delete(counts)),
        None => tx.add(check_absent(&TeamCountsKey::new(team_id.clone()))),
    }
}

/// Removes invitations that have expired, so that there is room for others.
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
