//! `POST /games/{gameId}/shares`: creates a link to follow a game without signing in.

use super::ShareView;
use crate::api::prelude::*;

/// Links of a game at most.
const SHARES_MAX: usize = 20;

/// A share link with its token, which only this response contains.
#[derive(View)]
pub(crate) struct NewShareView {
    #[view(flatten)]
    share: ShareView,
    #[view(secret, example = "g1.s1.AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8")]
    token: String,
}

/// Creates a link to follow a game without signing in. Only this response contains its token.
#[operation(POST "/games/{gameId}/shares", once, refuses(refusal::SHARING, LimitReached))]
async fn share_game(
    app: &App,
    call: &Call<GamePath, Option<Nothing>>,
) -> Answer<Created<NewShareView>> {
    let game_id = &call.path.game_id;
    let (game, granted) = scope::game(app, call, game_id, Action::ManageGames).await?;
    if app.db.shares(game_id).consistent().all().await?.len() >= SHARES_MAX {
        let text = format!("A game has {SHARES_MAX} links at most.");
        return Err(Refusal::LimitReached.text(text).with("limit", SHARES_MAX));
    }
    let secret = Secret::generate(&*app.randomness);
    let share = Share {
        game_id: game_id.clone(),
        share_id: app.new_id()?,
        team_id: game.team_id.clone(),
        token_hash: secret.hash(),
        created_by: granted.user_id().clone(),
        stamps: Stamps::default(),
    };
    let token = format!("{}.{}.{}", share.game_id, share.share_id, secret.reveal());
    let mut tx = scope::change(app, call, &game.team_id);
    let share = tx.add(create(share));
    tx.add(check(&game.key(), game::deleting().absent()));
    tx.respond(move |done| {
        let share = ShareView::of(&done[share]);
        Created(NewShareView { share, token: token.clone() })
    })
    .await
}
