//! `DELETE /games/{gameId}/shares/{shareId}`: revokes a link.

use crate::api::prelude::*;

/// Revokes a link, which stops working at once.
#[operation(
    DELETE "/games/{gameId}/shares/{shareId}", once, refuses(refusal::SHARING, ShareNotFound)
)]
async fn revoke_share(app: &App, call: &Call<SharePath>) -> Answer<NoContent> {
    let SharePath { game_id, share_id } = &call.path;
    let (game, _) = scope::game(app, call, game_id, Action::ManageGames).await?;
    let share = app.db.share(game_id, share_id).consistent().await?;
    let share = share.ok_or(Refusal::ShareNotFound)?;
    let mut tx = scope::change(app, call, &game.team_id);
    tx.add(delete(&share));
    tx.respond(|_| NoContent).await
}
