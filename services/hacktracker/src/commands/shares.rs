//! Links with which everybody can follow a game, for as long as the team wants it.
//!
//! The token is the game's id, the link's id and a secret. Only the hash of the secret is kept, so that
//! who reads the table can't follow the game by it.

use monotable::model::{self, Entity as _, check, delete};
use monotable_kit::{Problem, Reply, Request, Secret};

use super::scope::{self, all};
use super::statistics;
use crate::app::App;
use crate::entities::{Share, Stamps, Team, game};
use crate::ids::{GameId, ShareId};
use crate::patterns::HackTrackerReads as _;
use crate::policy::{self, Action};
use crate::show;

/// Links of a game at most.
const SHARES_MAX: usize = 20;

/// `POST /games/{gameId}/shares`. The response has the token; nothing returns it later.
pub(crate) async fn create(app: &App, call: &Request) -> Result<Reply, Problem> {
    let (game, granted) = scope::game(app, call, Action::ManageGames).await?;
    if all(app.db.shares(&game.game_id).consistent()).await?.len() >= SHARES_MAX {
        let text = format!("A game has {SHARES_MAX} links at most.");
        return Err(Problem::conflict("LIMIT_REACHED", text).with("limit", SHARES_MAX));
    }
    let secret = Secret::generate(&*app.randomness);
    let share = Share {
        game_id: game.game_id.clone(),
        share_id: app.new_id()?,
        team_id: game.team_id.clone(),
        token_hash: secret.hash(),
        created_by: granted.user_id().clone(),
        stamps: Stamps::default(),
    };
    let token = format!("{}.{}.{}", share.game_id, share.share_id, secret.reveal());
    let mut tx = app.db.transact();
    let active = tx.add(policy::check_active(&game.team_id));
    let share = tx.add(model::create(share));
    tx.add(check(&game.key(), game::deleting().absent()));
    call.commit(tx)
        .refuse(active, policy::team_deleted())
        .or_retry()
        .reply(move |done| {
            Reply::created(&show::share(&done[share])).secret("token", token.clone())
        })
        .await
}

/// `GET /games/{gameId}/shares`.
pub(crate) async fn list(app: &App, call: &Request) -> Result<Reply, Problem> {
    let (game, _) = scope::game(app, call, Action::ManageGames).await?;
    let shares = all(app.db.shares(&game.game_id).consistent()).await?;
    Ok(Reply::page("shares", shares.iter().map(show::share), None))
}

/// `DELETE /games/{gameId}/shares/{shareId}`: the link leads nowhere from now on.
pub(crate) async fn revoke(app: &App, call: &Request) -> Result<Reply, Problem> {
    let (game, _) = scope::game(app, call, Action::ManageGames).await?;
    let share_id: ShareId = call.id("shareId")?;
    let share = app.db.share(&game.game_id, &share_id).consistent().await?;
    let share = share.ok_or_else(not_found)?;
    let mut tx = app.db.transact();
    let active = tx.add(policy::check_active(&game.team_id));
    tx.add(delete(&share));
    call.commit(tx)
        .refuse(active, policy::team_deleted())
        .or_retry()
        .reply(|_| Reply::no_content())
        .await
}

/// `GET /share/{token}`: the box score and how the game stands, for whoever has the link.
pub(crate) async fn follow(app: &App, call: &Request) -> Result<Reply, Problem> {
    let token: String = call.path.get("token").cloned().unwrap_or_default();
    let (game_id, share_id, secret) = parts(&token).ok_or_else(not_found)?;
    let share = app.db.share(&game_id, &share_id).consistent().await?.ok_or_else(not_found)?;
    if !secret.has_hash(&share.token_hash) {
        return Err(not_found());
    }
    let team = app.db.team(&share.team_id).consistent().await?;
    team.filter(Team::is_active).ok_or_else(not_found)?;
    let game = app.db.game(&game_id).consistent().await?;
    let game = scope::there(game).map_err(|_| not_found())?;
    statistics::told_box_score(app, &game).await
}

/// The parts of a token. Ids may have dots, secrets have none.
fn parts(token: &str) -> Option<(GameId, ShareId, Secret)> {
    let (rest, secret) = token.rsplit_once('.')?;
    let (game_id, share_id) = rest.rsplit_once('.')?;
    Some((game_id.parse().ok()?, share_id.parse().ok()?, Secret::parse(secret)?))
}

/// 404 for links that lead nowhere, whatever the reason.
fn not_found() -> Problem {
    Problem::not_found("SHARE_NOT_FOUND", "The link leads nowhere.")
}
