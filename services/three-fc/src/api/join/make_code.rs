//! `POST /v1/games/{gameId}/join-code`: makes a code to join a game with.

use super::{LIFETIME, new_code};
use crate::api::prelude::*;

/// A code to join a game with.
#[derive(View)]
#[view(of = Join)]
pub(crate) struct CodeView {
    #[view(example = "7K3M9QWX")]
    code: JoinCode,
    game_id: GameId,
    /// When it expires, in seconds since 1970.
    #[view(name = "expiresAtEpoch", from = ttl_epoch)]
    expires: Option<EpochSeconds>,
}

/// Makes a code to join a game with. It is valid for 12 hours, until the game is finished.
#[operation(POST "/v1/games/{gameId}/join-code", once, if_match, refuses(refusal::VIEWING, JoinClosed))]
async fn make_join_code(app: &App, call: &Call<GamePath>) -> Answer<Created<CodeView>> {
    let (game, _) = policy::game(app, call, &call.path.game_id, Action::Score).await?;
    call.check_version(game.stamps.version)?;
    Refusal::JoinClosed.unless(game.status != GameStatus::Finished)?;
    let join = Join {
        code: new_code(app)?,
        game_id: game.game_id.clone(),
        ttl_epoch: Some((app.db.now() + LIFETIME).epoch_seconds()),
        stamps: Stamps::default(),
    };
    let mut tx = call.transact(&app.db).or_retry();
    tx.add(edit(&game, |_| {}));
    let join = tx.expect(create(join));
    tx.respond(move |done| Created(CodeView::of(&done[join]))).await
}
