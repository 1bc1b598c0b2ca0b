//! `POST /v1/join/{code}`: joins a game.

use super::open;
use crate::api::avatars::Viewing;
use crate::api::players::{PlayerView, new_player, stored};
use crate::api::prelude::*;

/// The person who joins.
#[derive(Debug, Body)]
pub(crate) struct Joining {
    /// The nickname of a new player.
    #[body(length = 1..=30, check = checks::name, example = "Ada")]
    nickname: Option<String>,
    /// A player that you have claimed, instead.
    player_id: Option<PlayerId>,
    /// Claims the new player, if you are signed in.
    #[body(default, label = "Keep the player as my own")]
    claim: bool,
}

/// Joins a game: as a new player, or as one that you have claimed. The player is in the league's pool at once.
#[operation(
    POST "/v1/join/{code}", once, public, refuses(JoinClosed, NotFound, NotClaimOwner)
)]
async fn join_game(app: &App, call: &Call<JoinPath, Joining>) -> Answer<Created<PlayerView>> {
    let Joining { nickname, player_id, claim } = &call.body;
    let (code, game) = open(app, call.path.code.as_str()).await?;
    let user = if player_id.is_some() || *claim {
        Some(accounts::present(app, call).await?)
    } else {
        None
    };
    let user_id = user.as_ref().map(|user| user.user_id.clone());
    let mut tx = call.transact(&app.db).or_retry();
    let is_open =
        game::status().ne(GameStatus::Finished).and(game::status().ne(GameStatus::Deleting));
    tx.require(check(&game.key(), is_open), Refusal::JoinClosed);
    tx.require(check(&code.key(), join::version().ge(1)), Refusal::JoinClosed);
    let player = match (nickname, player_id) {
        (Some(nickname), None) => {
            let (mut player, pool) =
                new_player(app.new_id()?, nickname, &game.league_id, Some(&game.game_id));
            player.claimed_by_user_id = user_id.clone();
            if let Some(user) = &user {
                tx.require(check(&user.key(), user::deleted_at().absent()), Refusal::NotFound);
                tx.add(create(PlayerClaim::of(&user.user_id, &player.player_id)));
            }
            tx.add(create(pool));
            tx.add(create(player))
        }
        (None, Some(player_id)) => {
            let player = stored(app, player_id).await?;
            Refusal::NotClaimOwner.unless(player.claimed_by_user_id == user_id)?;
            enter(app, &mut tx, &player, &game).await?;
            tx.add(edit(&player, |_| {}))
        }
        _ => return Err(Problem::field("nickname", "or a playerId is needed, and not both")),
    };
    let viewing = Viewing::of(app, user_id);
    tx.respond(move |done| Created(PlayerView::to(&done[player], &viewing))).await
}

/// Brings a player into the pool of a game's league.
async fn enter(
    app: &App,
    tx: &mut Commit<'_, ThreeFc>,
    player: &Player,
    game: &Game,
) -> Result<(), Problem> {
    let (league_id, last_game_id) = (&game.league_id, Some(game.game_id.clone()));
    match app.db.pool_entry(league_id, &player.player_id).await? {
        Some(entry) => _ = tx.add(edit(&entry, |entry| entry.last_game_id = last_game_id)),
        None => {
            let entry = PoolEntry::of(league_id, &player.player_id);
            // Two games can take a new player at once.
            tx.expect(create(PoolEntry { last_game_id, ..entry }));
        }
    }
    Ok(())
}
