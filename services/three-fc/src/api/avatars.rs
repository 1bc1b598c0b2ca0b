//! Pictures of players. A picture is stored before the row that names it, and deleted after that row.

pub(crate) mod remove;
pub(crate) mod set;
pub(crate) mod show;

use monotable_kit::blobs::{BlobKey, Blobs};

use super::players::{OfLeague, PlayerView, profile};
use crate::api::prelude::*;

/// Shows players to a user, with links to their pictures.
#[derive(Clone)]
pub(crate) struct Viewing {
    user_id: Option<UserId>,
    blobs: Blobs,
    now: Timestamp,
}

impl Viewing {
    /// Shows players to somebody who may be known.
    pub(crate) fn of(app: &App, user_id: Option<UserId>) -> Self {
        Self { user_id, blobs: app.blobs.clone(), now: app.db.now() }
    }

    /// Returns whether the user has claimed a player.
    pub(crate) fn is_own(&self, player: &Player) -> bool {
        self.user_id.is_some() && player.claimed_by_user_id == self.user_id
    }

    /// Returns the path that opens the picture of a player for half an hour at least.
    pub(crate) fn url(&self, player: &Player) -> Option<String> {
        let link = self.blobs.steady_link(&key(player)?, self.now);
        Some(format!("/3fc/v1/avatar?link={link}"))
    }
}

/// Returns the key of the picture of a player.
pub(crate) fn key(player: &Player) -> Option<BlobKey> {
    player.avatar_key.as_deref()?.parse().ok()
}

/// Returns whether a row names a picture.
pub(crate) async fn is_named(db: &Store<ThreeFc>, picture: &BlobKey) -> Result<bool, Problem> {
    let player_id = picture.segments().next().and_then(|segment| PlayerId::new(segment).ok());
    let Some(player_id) = player_id else { return Ok(false) };
    let player = db.player(&player_id).await?;
    Ok(player.is_some_and(|player| player.avatar_key.as_deref() == Some(picture.as_str())))
}

/// Deletes the picture that a player had. One that stays is deleted as an orphan later.
pub(crate) async fn forget(app: &App, picture: Option<BlobKey>) {
    app.pages.clear();
    if let Some(picture) = picture {
        let _ = app.blobs.delete(&picture).await;
    }
}

/// Gives the player of a path another picture, or none.
async fn replace(
    app: &App,
    call: &Request,
    (player, viewing): (Player, Viewing),
    picture: Option<&BlobKey>,
) -> Answer<Json<PlayerView>> {
    let old = key(&player);
    let mut tx = call.transact(&app.db).or_retry();
    let picture = picture.map(ToString::to_string);
    let player = tx.add(edit(&player, |player| player.avatar_key = picture));
    tx.afterwards(forget(app, old))
        .respond(move |done| Json(PlayerView::to(&done[player], &viewing)))
        .await
}
