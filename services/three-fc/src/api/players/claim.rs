//! `POST /v1/players/{playerId}/claim`: makes a player a user's own.

use super::{OfLeague, PlayerView, authorize, stored};
use crate::api::avatars::Viewing;
use crate::api::join;
use crate::api::prelude::*;

/// What shows that the player is the user.
#[derive(Debug, Body)]
pub(crate) struct Claim {
    /// A code of a game of the league that made the player, for your own claim.
    #[body(length = 1..=20, example = "7K3M9QWX")]
    code: Option<String>,
    /// The user who gets the player, by an admin of the player's league.
    user_id: Option<UserId>,
}

/// Claims a player: with the code of a game, or for somebody else as an admin of the player's league.
#[operation(
    POST "/v1/players/{playerId}/claim", once, if_match,
    refuses(refusal::ADMINISTERING, NotFound, AlreadyClaimed, JoinClosed, NotClaimOwner)
)]
pub(crate) async fn claim_player(
    app: &App,
    call: &Call<PlayerPath, Claim, OfLeague>,
) -> Answer<Json<PlayerView>> {
    let Claim { code, user_id } = &call.body;
    let player = stored(app, &call.path.player_id).await?;
    call.check_version(player.stamps.version)?;
    let (user, entry) = match (code, user_id) {
        (Some(code), None) => {
            let user = accounts::present(app, call).await?;
            let (_, game) = join::open(app, code).await?;
            let pool = app.db.pool_entry(&game.league_id, &player.player_id).await?;
            Refusal::NotFound.unless(pool.is_some() && player.is_of(&game.league_id))?;
            (user, None)
        }
        (None, Some(user_id)) => {
            let granted = authorize(app, call, &player, &call.query, Action::Administer).await?;
            let user = app.db.user(user_id).await?.filter(|user| user.deleted_at.is_none());
            let (league_id, entity) =
                (&granted.league.league_id, format!("PLAYER#{}", player.player_id));
            let entry = audit::of_league(app, call, league_id, "claimPlayer", entity)?;
            (user.ok_or(Refusal::NotFound)?, Some(entry.is("claimed", "true")))
        }
        _ => {
            return Err(
                Refusal::NotClaimOwner.text("Send the code of a game, or as an admin a userId.")
            );
        }
    };
    let (user_id, viewing) = (user.user_id.clone(), Viewing::of(app, Some(policy::caller(call)?)));
    match &player.claimed_by_user_id {
        Some(owner) if *owner == user_id => {
            return Ok(Json(PlayerView::to(&player, &viewing)).into());
        }
        Some(_) => return Err(Refusal::AlreadyClaimed.into()),
        None => {}
    }
    let mut tx = call.transact(&app.db).or_retry();
    tx.require(check(&user.key(), user::deleted_at().absent()), Refusal::NotFound);
    let claim = PlayerClaim::of(&user_id, &player.player_id);
    tx.require(create(claim), Refusal::AlreadyClaimed);
    if let Some(entry) = entry {
        tx.add(create(entry));
    }
    let player = tx.add(edit(&player, |player| player.claimed_by_user_id = Some(user_id)));
    tx.respond(move |done| Json(PlayerView::to(&done[player], &viewing))).await
}
