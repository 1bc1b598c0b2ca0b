//! `DELETE /api/games/{gameId}/tokens`: withdraws the tokens of a game.

use crate::api::{announce, prelude::*};

/// Withdraws all tokens of organisers and observers of a game that were made until now. Players keep theirs.
#[operation(DELETE "/api/games/{gameId}/tokens", once, refuses(refusal::CONTROLLING))]
pub(crate) async fn withdraw_tokens(app: &App, call: &Call<GamePath>) -> Answer<NoContent> {
    let game = policy::game(app, call, &call.path.game_id, Action::Control).await?;
    // A token of this very millisecond is withdrawn, too.
    let from = app.db.now() + std::time::Duration::from_millis(1);
    let mut tx = call.transact(&app.db).or_retry();
    tx.add(create(app.audit(call, &game.id, "withdrawTokens", format!("GAME#{}", game.id))?));
    tx.add(edit(&game, |game| game.tokens_valid_from = Some(from)));
    // Who follows the game connects again, and is asked again who it is.
    tx.after(|_| app.events.close(&announce::of_game(&game.id))).respond(|_| NoContent).await
}
