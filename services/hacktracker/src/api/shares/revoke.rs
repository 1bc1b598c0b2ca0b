//! `DELETE /games/{gameId}/shares/{shareId}`: revokes a link.

use monotable::model::delete;
use monotable_kit::{Answer, Call, NoContent, Path, operation};

use crate::api::scope;
use crate::app::App;
use crate::policy::{self, Action};
use crate::refusal::{self, Refusal};
use crate::table::{GameId, HackTrackerReads as _, ShareId};

/// The link that a path names.
#[derive(Debug, Path)]
pub(crate) struct SharePath {
    game_id: GameId,
    share_id: ShareId,
}

/// Revokes a link: it leads nowhere from now on.
#[operation(
    DELETE "/games/{gameId}/shares/{shareId}", once, refuses(refusal::SHARING, ShareNotFound)
)]
pub(crate) async fn revoke_share(app: &App, call: &Call<SharePath>) -> Answer<NoContent> {
    let SharePath { game_id, share_id } = &call.path;
    let (game, _) = scope::authorized_game(app, call, game_id, Action::ManageGames).await?;
    let share = app.db.share(game_id, share_id).consistent().await?;
    let share = share.ok_or(Refusal::ShareNotFound)?;
    let mut tx = app.db.transact();
    let active = tx.add(policy::check_active(&game.team_id));
    tx.add(delete(&share));
    call.commit(tx).refuse(active, Refusal::TeamDeleted).or_retry().respond(|_| NoContent).await
}
