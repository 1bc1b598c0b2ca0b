//! Erases what is kept of a user: from one moment on, none of the rows counts any more.

use monotable::model::time::{EpochSeconds, Timestamp};
use monotable::model::{Store, Transact, edit};
use monotable_kit::Problem;
use monotable_kit::blobs::Blobs;
use monotable_kit::jobs::{JobStep, JobTicket};

use super::delete_blobs;
use crate::table::{RowsOfUser, ScavengerHunt, ScavengerHuntReads as _, UserId};

/// The kind of the work that is promised.
pub(crate) const KIND: &str = "erase-user";
/// Rows that a step erases.
const ROWS_AT_ONCE: usize = 90;

/// Returns the ticket that promises to erase a user.
///
/// # Errors
/// Returns 500 if the id can't be written.
pub(crate) fn ticket(user_id: &UserId, now: Timestamp) -> Result<JobTicket, Problem> {
    JobTicket::new(KIND, user_id.as_str(), user_id, now)
}

/// Erases the next rows of a user.
pub(super) async fn step(
    db: Store<ScavengerHunt>,
    blobs: Blobs,
    user_id: UserId,
    photos: Option<Vec<String>>,
) -> Result<JobStep<ScavengerHunt, Vec<String>>, Problem> {
    delete_blobs(&blobs, &photos.unwrap_or_default()).await?;
    let mut tx = db.transact();
    let (count, photos) = erase(&db, &mut tx, &user_id).await?;
    Ok(if count == 0 { JobStep::done(tx) } else { JobStep::next(tx, photos) })
}

/// Adds the erasure of the next rows of a user to a transaction, and returns how many they are, and the keys of the photos.
///
/// # Errors
/// Returns the errors of the table.
pub(super) async fn erase(
    db: &Store<ScavengerHunt>,
    tx: &mut Transact<ScavengerHunt>,
    user_id: &UserId,
) -> Result<(usize, Vec<String>), Problem> {
    let now: Option<EpochSeconds> = Some(db.now().epoch_seconds());
    let rows = db.rows_of_user(user_id).skip_unreadable().take(ROWS_AT_ONCE).all().await?;
    let mut photos = Vec::new();
    for row in &rows {
        match row {
            RowsOfUser::GameMembership(row) => {
                _ = tx.add(edit(row, |row| row.stamps.expires = now))
            }
            RowsOfUser::Message(row) => _ = tx.add(edit(row, |row| row.stamps.expires = now)),
            RowsOfUser::Photo(row) => {
                photos.extend(row.object_key.clone());
                tx.add(edit(row, |row| row.stamps.expires = now));
            }
            RowsOfUser::CoordinateSnapshot(row) => {
                tx.add(edit(row, |row| row.stamps.expires = now));
            }
        }
    }
    Ok((rows.len(), photos))
}
