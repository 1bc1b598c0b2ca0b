//! Background work that operations promise, in steps.

pub(crate) mod broadcast;
pub(crate) mod delete_game;
pub(crate) mod end_game;
pub(crate) mod erase_user;
pub(crate) mod provision;
pub(crate) mod retire;

use monotable::model::Store;
use monotable_kit::Problem;
use monotable_kit::blobs::{BlobKey, Blobs};
use monotable_kit::jobs::Jobs;

use crate::table::ScavengerHunt;

/// Returns the worker for everything that operations promise.
pub(crate) fn jobs(db: &Store<ScavengerHunt>, blobs: &Blobs) -> Jobs<ScavengerHunt> {
    let (of_deletion, of_user, of_game) = (blobs.clone(), blobs.clone(), blobs.clone());
    Jobs::new(db.clone())
        .kind(broadcast::KIND, broadcast::step)
        .kind(delete_game::KIND, move |db, game, done| {
            delete_game::step(db, of_deletion.clone(), game, done)
        })
        .kind(end_game::KIND, end_game::step)
        .kind(erase_user::KIND, move |db, user, done| {
            erase_user::step(db, of_user.clone(), user, done)
        })
        .kind(provision::KIND, provision::step)
        .kind(retire::KIND, move |db, game, done| retire::step(db, of_game.clone(), game, done))
}

/// Deletes photos whose rows the step before has taken away. A step that is repeated finds them gone.
///
/// # Errors
/// Returns 503 if the store fails.
async fn delete_blobs(blobs: &Blobs, keys: &[String]) -> Result<(), Problem> {
    for key in keys {
        // Older programs kept photos elsewhere.
        if let Ok(key) = key.parse::<BlobKey>() {
            blobs.delete(&key).await?;
        }
    }
    Ok(())
}
