//! The purge of a user: the account, its memberships, its career, and invitations to its address.

use monotable::model::{Store, delete};
use monotable_kit::Problem;
use monotable_kit::jobs::JobStep;

use super::{INVITES_MAX, ROWS_MAX};
use crate::api::invites::delete_letter;
use crate::jobs::erase_user;
use crate::table::{HackTracker, HackTrackerReads as _, Invite, UserId, UserRows};

/// Removes some rows of a user; the account itself last.
pub(in crate::jobs) async fn step(
    db: Store<HackTracker>,
    user_id: UserId,
    _: Option<()>,
) -> Result<JobStep<HackTracker, ()>, Problem> {
    let account = db.user(&user_id).consistent().await?;
    let due = |end| end <= db.now();
    let due = account.filter(|user| !user.is_active() && user.purge_after.is_some_and(due));
    let Some(account) = due else { return Ok(JobStep::done(db.transact())) };
    if let Some(rest) = erase_user::rest_of(&db, &user_id).await? {
        return Ok(JobStep::next(rest, ()));
    }
    let (mut tx, mut count) = (db.transact(), 0);
    for row in db.user_rows(&user_id).take(ROWS_MAX).page().await?.rows {
        match &row {
            UserRows::User(_) => continue,
            UserRows::Membership(membership) => tx.add(delete(membership)),
            UserRows::PlayerLink(link) => tx.add(delete(link)),
            UserRows::UserJoins(joins) => tx.add(delete(joins)),
        };
        count += 1;
    }
    if count > 0 {
        return Ok(JobStep::next(tx, ()));
    }
    let invites = db.every_invite().all().await?;
    // An open invitation was not for this account: it would have expired long ago.
    let is_over = |invite: &Invite| !invite.is_open() || invite.expires_at <= db.now();
    let is_to = |invite: &&Invite| invite.email.as_ref() == Some(&account.email) && is_over(invite);
    for invite in invites.iter().filter(is_to).take(INVITES_MAX) {
        tx.add(delete(invite));
        delete_letter(&mut tx, invite)?;
        count += 1;
    }
    Ok(match count {
        0 => JobStep::done(tx.with(delete(&account))),
        _ => JobStep::next(tx, ()),
    })
}
