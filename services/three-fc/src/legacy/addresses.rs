//! Grants and claims that older programs wrote under e-mail addresses. They count for the user of the address, and
//! move to the user's own id at sign-in or with the backfill.

use monotable::model::{Error, Store, create, delete, delete_by_key, edit};
use monotable_kit::Problem;
use monotable_kit::backfill::LostRace as _;

use crate::table::{
    Acl, Player, PlayerClaim, PlayerClaimKey, Role, ThreeFc, ThreeFcReads as _, UserId,
};

/// Moves everything of an address to a user. What somebody changes meanwhile moves the next time.
pub(crate) async fn move_all(
    db: &Store<ThreeFc>,
    email: &str,
    user_id: &UserId,
) -> Result<(), Problem> {
    let Ok(address) = UserId::new(email) else { return Ok(()) };
    for grant in db.leagues_of(&address).consistent().all().await? {
        move_grant(db, &grant, user_id).await?;
    }
    for claim in db.claims(&address).all().await? {
        if let Some(player) = db.player(&claim.player_id).await? {
            move_claim(db, &player, &address, user_id).await?;
        }
    }
    Ok(())
}

/// Gives a player that is claimed under an address to a user. Returns whether it moved.
pub(crate) async fn move_claim(
    db: &Store<ThreeFc>,
    player: &Player,
    address: &UserId,
    user_id: &UserId,
) -> Result<bool, Problem> {
    if player.claimed_by_user_id.as_ref() != Some(address) {
        return Ok(false);
    }
    let player_id = &player.player_id;
    let mut tx = db.transact();
    tx.add(delete_by_key(&PlayerClaimKey::new(address.clone(), player_id.clone())));
    tx.add(create(PlayerClaim::of(user_id, player_id)));
    tx.add(edit(player, |player| player.claimed_by_user_id = Some(user_id.clone())));
    moved(tx.commit().await)
}

/// Moves one grant to a user. Returns whether it moved.
pub(crate) async fn move_grant(
    db: &Store<ThreeFc>,
    old: &Acl,
    user_id: &UserId,
) -> Result<bool, Problem> {
    moved(match db.grant(&old.league_id, user_id).await? {
        None => {
            let new = Acl { user_id: user_id.clone(), ..old.clone() };
            db.rekey(old, &new).await.map(drop)
        }
        Some(own) => merge(db, old, &own).await,
    })
}

/// Returns whether something moved: another request may have been faster.
fn moved<T>(written: Result<T, Error>) -> Result<bool, Problem> {
    match written {
        Ok(_) => Ok(true),
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
