//! Grants that older programs wrote under e-mail addresses. They count for the user of the address, and move to
//! the user's own id at sign-in or with the backfill.

use monotable::model::{Error, Store, delete, edit};
use monotable_kit::Problem;
use monotable_kit::backfill::LostRace as _;

use crate::table::{Acl, Role, ThreeFc, ThreeFcReads as _, UserId};

/// Moves the grants of an address to a user. Returns how many. A grant that somebody changes meanwhile moves
/// the next time.
///
/// # Errors
/// What the table reports.
pub(crate) async fn move_grants(
    db: &Store<ThreeFc>,
    email: &str,
    user_id: &UserId,
) -> Result<u64, Problem> {
    let Ok(address) = UserId::new(email) else { return Ok(0) };
    let mut moved = 0;
    for grant in db.leagues_of(&address).consistent().all().await? {
        moved += u64::from(move_grant(db, &grant, user_id).await?);
    }
    Ok(moved)
}

/// Moves one grant to a user. Returns whether it moved.
///
/// # Errors
/// What the table reports.
pub(crate) async fn move_grant(
    db: &Store<ThreeFc>,
    old: &Acl,
    user_id: &UserId,
) -> Result<bool, Problem> {
    let moved = match db.grant(&old.league_id, user_id).await? {
        None => {
            let new = Acl { user_id: user_id.clone(), ..old.clone() };
            db.rekey(old, &new).await.map(drop)
        }
        Some(own) => merge(db, old, &own).await,
    };
    match moved {
        Ok(()) => Ok(true),
        Err(error) if error.is_lost_race() => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Deletes the grant of the address; the user keeps the stronger role.
async fn merge(db: &Store<ThreeFc>, old: &Acl, own: &Acl) -> Result<(), Error> {
    let mut tx = db.transact();
    tx.add(delete(old));
    match (old.role, own.role) {
        (Role::Admin, Role::Admin) => {
            if let Some(league) = db.league(&old.league_id).await? {
                let admins = league.admin_count.map(|count| count.saturating_sub(1));
                tx.add(edit(&league, |league| league.admin_count = admins));
            }
        }
        (Role::Admin, _) | (Role::Scorekeeper, Role::Viewer) => {
            tx.add(edit(own, |own| own.role = old.role));
        }
        (Role::Scorekeeper | Role::Viewer, _) => {}
    }
    tx.commit().await.map(drop)
}
