//! `POST /v1/players`: makes a player in the pool of a league.

use super::{PlayerView, new_player};
use crate::api::prelude::*;

/// A player to make.
#[derive(Debug, Body)]
pub(crate) struct NewPlayer {
    /// The league whose pool the player is in.
    league_id: LeagueId,
    /// Made by the server unless chosen; it must be free.
    #[body(check = checks::id)]
    player_id: Option<PlayerId>,
    #[body(length = 1..=30, check = checks::name, example = "Ada")]
    nickname: String,
}

/// Makes a player in the pool of a league.
#[operation(POST "/v1/players", once, refuses(refusal::VIEWING, IdTaken))]
pub(crate) async fn create_player(
    app: &App,
    call: &Call<(), NewPlayer>,
) -> Answer<Created<PlayerView>> {
    let NewPlayer { league_id, player_id, nickname } = &call.body;
    let league = policy::league(app, call, league_id, Action::Score).await?.league;
    let player_id = checks::free_id(app, player_id.as_ref(), |id| app.db.all_appearances(id));
    let (player, pool) = new_player(player_id.await?, nickname, league_id, None);
    let mut tx = call.transact(&app.db).or_retry();
    tx.require(check(&league.key(), league::deleted_at().absent()), Refusal::AclScopeNotFound);
    tx.add(create(pool));
    let player = tx.require_with(create(player), checks::taken);
    tx.respond(move |done| Created(PlayerView::of(&done[player]))).await
}
