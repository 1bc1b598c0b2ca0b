//! Deletes everything that belongs to a game that `deleteGame` has marked. From the mark on the game is missing for everybody.

use monotable::model::rows::GuardKey as _;
use monotable::model::time::Timestamp;
use monotable::model::{Entity as _, Store, Transact, delete_by_key};
use monotable_kit::Problem;
use monotable_kit::blobs::Blobs;
use monotable_kit::jobs::{JobStep, JobTicket};

use super::delete_blobs;
use crate::table::{
    AccessTokenKey, GameId, GameKey, Hash, IdGuard, JoinCodeKey, RowsOfGame, RowsOfTeam,
    RowsOfUser, ScanCodeKey, ScavengerHunt, ScavengerHuntReads as _, Team, User, UserKey,
};

/// The kind of the work that is promised.
pub(crate) const KIND: &str = "delete-game";
/// Rows that a step reads. With the rows that belong to each they fit into one transaction.
const ROWS_AT_ONCE: usize = 30;

/// Returns the ticket that promises to delete the rows of a game.
///
/// # Errors
/// Returns 500 if the id can't be written.
pub(crate) fn ticket(game_id: &GameId, now: Timestamp) -> Result<JobTicket, Problem> {
    JobTicket::new(KIND, game_id.as_str(), game_id, now)
}

/// Deletes the next rows: those of users, of teams, of the game, and last the row of the game itself.
pub(super) async fn step(
    db: Store<ScavengerHunt>,
    blobs: Blobs,
    game_id: GameId,
    photos: Option<Vec<String>>,
) -> Result<JobStep<ScavengerHunt, Vec<String>>, Problem> {
    delete_blobs(&blobs, &photos.unwrap_or_default()).await?;
    let mut tx = db.transact();
    let teams = db.teams(&game_id).including_expired().skip_unreadable().all().await?;
    for team in &teams {
        if let Some(photos) = delete_users(&db, &mut tx, team).await? {
            return Ok(JobStep::next(tx, photos));
        }
        if delete_team(&db, &mut tx, team).await? {
            return Ok(JobStep::next(tx, Vec::new()));
        }
    }
    let rows = db.rows_of_game(&game_id).including_expired().skip_unreadable();
    let mut is_empty = true;
    for row in rows.take(ROWS_AT_ONCE).all().await? {
        match row {
            RowsOfGame::Game(_) => continue,
            RowsOfGame::Level(row) => {
                let older = row.id.to_string();
                let code = row.scan_code.clone().unwrap_or(older);
                tx.add(delete_by_key(&ScanCodeKey::new(Hash::of(&code))));
                release_id(&db, &mut tx, row.id.as_str(), &game_id).await?;
                tx.add(delete_by_key(&row.key()));
            }
            RowsOfGame::Team(row) => {
                if let Some(code) = &row.join_code {
                    tx.add(delete_by_key(&JoinCodeKey::new(code.clone())));
                }
                release_id(&db, &mut tx, row.id.as_str(), &game_id).await?;
                tx.add(delete_by_key(&row.key()));
            }
            RowsOfGame::DashboardControl(row) => _ = tx.add(delete_by_key(&row.key())),
            RowsOfGame::Adjustment(row) => _ = tx.add(delete_by_key(&row.key())),
            RowsOfGame::Audit(row) => _ = tx.add(delete_by_key(&row.key())),
        }
        is_empty = false;
    }
    if !is_empty {
        return Ok(JobStep::next(tx, Vec::new()));
    }
    tx.add(delete_by_key(&GameKey::new(game_id)));
    Ok(JobStep::done(tx))
}

/// Gives the id of a team or a level up. Those of older programs may not be kept.
async fn release_id(
    db: &Store<ScavengerHunt>,
    tx: &mut Transact<ScavengerHunt>,
    id: &str,
    game_id: &GameId,
) -> Result<(), Problem> {
    let guard = IdGuard::of(&id).guard();
    if db.run(guard.holder()).await?.as_deref() == Some(game_id.as_str()) {
        tx.add(guard.release(game_id.as_str()));
    }
    Ok(())
}

/// Deletes rows of the first user of a team; returns the keys of photos, or `None` if there was no user.
async fn delete_users(
    db: &Store<ScavengerHunt>,
    tx: &mut Transact<ScavengerHunt>,
    team: &Team,
) -> Result<Option<Vec<String>>, Problem> {
    let users = db.users(&team.id).including_expired().skip_unreadable();
    let Some(User { id, token_hash, .. }) = users.first().await? else { return Ok(None) };
    let rows = db.rows_of_user(&id).including_expired().skip_unreadable();
    let rows = rows.take(ROWS_AT_ONCE).all().await?;
    let mut photos = Vec::new();
    for row in &rows {
        match row {
            RowsOfUser::GameMembership(row) => _ = tx.add(delete_by_key(&row.key())),
            RowsOfUser::Message(row) => _ = tx.add(delete_by_key(&row.key())),
            RowsOfUser::Photo(row) => {
                photos.extend(row.object_key.clone());
                tx.add(delete_by_key(&row.key()));
            }
            RowsOfUser::CoordinateSnapshot(row) => _ = tx.add(delete_by_key(&row.key())),
        }
    }
    if rows.is_empty() {
        if let Some(token) = token_hash {
            tx.add(delete_by_key(&AccessTokenKey::new(token)));
        }
        tx.add(delete_by_key(&UserKey::new(id, team.id.clone())));
    }
    Ok(Some(photos))
}

/// Deletes rows of a team; returns whether there were any.
async fn delete_team(
    db: &Store<ScavengerHunt>,
    tx: &mut Transact<ScavengerHunt>,
    team: &Team,
) -> Result<bool, Problem> {
    let rows = db.rows_of_team(&team.id).including_expired().skip_unreadable();
    let rows = rows.take(ROWS_AT_ONCE).all().await?;
    for row in &rows {
        match row {
            RowsOfTeam::TeamLevel(row) => _ = tx.add(delete_by_key(&row.key())),
            RowsOfTeam::User(row) => _ = tx.add(delete_by_key(&row.key())),
            RowsOfTeam::CheckpointEvent(row) => _ = tx.add(delete_by_key(&row.key())),
            RowsOfTeam::TokenCount(row) => _ = tx.add(delete_by_key(&row.key())),
        }
    }
    Ok(!rows.is_empty())
}
