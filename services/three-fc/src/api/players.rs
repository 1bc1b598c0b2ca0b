//! Players: made by a league or by a join code, claimed by users, made anonymous by admins.

pub(crate) mod anonymise;
pub(crate) mod appearances;
pub(crate) mod claim;
pub(crate) mod create;
pub(crate) mod get;
pub(crate) mod pool;
pub(crate) mod update;

use crate::api::avatars::Viewing;
use crate::api::prelude::*;

/// A player, as everybody who is signed in sees one.
#[derive(View)]
#[view(of = Player, list = "players", differs_by_viewer)]
pub(crate) struct PlayerView {
    player_id: PlayerId,
    #[view(example = "Ada")]
    nickname: String,
    #[view(example = "🦊")]
    avatar: Option<String>,
    /// Shows the picture of the player for half an hour at least.
    #[view(absent, example = "/3fc/v1/avatar?link=AAECAw")]
    avatar_url: Option<String>,
    /// Whether a user has claimed the player.
    #[view(from = claimed_by_user_id.is_some())]
    claimed: bool,
    /// Whether you have claimed the player.
    #[view(absent)]
    mine: bool,
    #[view(stamps)]
    stamps: Stamps,
}

impl PlayerView {
    /// Shows a player to a user.
    pub(crate) fn to(player: &Player, viewing: &Viewing) -> Self {
        let (mine, avatar_url) = (viewing.is_own(player), viewing.url(player));
        Self { mine, avatar_url, ..Self::of(player) }
    }
}

impl Player {
    /// Returns whether a league can decide about the player: ids of players are public, so that being listed by a
    /// league is not enough. Older programs did not write which league made a player.
    pub(crate) fn is_of(&self, league_id: &LeagueId) -> bool {
        self.league_id.as_ref().is_none_or(|own| own == league_id)
    }
}

/// The league on whose behalf somebody changes a player.
#[derive(Debug, Body)]
pub(crate) struct OfLeague {
    /// For players of older programs, which do not name the league that made them; the player must be in its pool.
    pub(crate) league_id: Option<LeagueId>,
}

/// Authorizes the caller to do something to a player on behalf of a league.
///
/// # Errors
/// Returns 404 if the player is in no such league, or 403 if the caller does not have the
/// permission.
pub(crate) async fn authorize(
    app: &App,
    call: &Request,
    player: &Player,
    of: &OfLeague,
    action: Action,
) -> Result<Granted, Problem> {
    let league_id = of.league_id.as_ref().or(player.league_id.as_ref());
    let league_id = league_id.ok_or(Refusal::AclScopeNotFound)?;
    let granted = policy::league(app, call, league_id, action).await?;
    let is_listed = app.db.pool_entry(league_id, &player.player_id).await?.is_some();
    Refusal::AclScopeNotFound.unless(is_listed && player.is_of(league_id))?;
    Ok(granted)
}

/// Authorizes the caller to change the profile of a player: their own, or one that nobody has claimed as a
/// scorekeeper of its league.
///
/// # Errors
/// Returns 404 if there is no such player, or 403 if the caller may not, or 412 if the precondition names another
/// version.
pub(crate) async fn profile(
    app: &App,
    call: &Request,
    player_id: &PlayerId,
    of: &OfLeague,
) -> Result<(Player, Viewing), Problem> {
    let user_id = policy::caller(call)?;
    let player = stored(app, player_id).await?;
    match &player.claimed_by_user_id {
        Some(owner) => Refusal::NotClaimOwner.unless(*owner == user_id)?,
        None => drop(authorize(app, call, &player, of, Action::Score).await?),
    }
    call.check_version(player.stamps.version)?;
    Ok((player, Viewing::of(app, Some(user_id))))
}

/// Returns a player.
///
/// # Errors
/// Returns 404 if it does not exist.
pub(crate) async fn stored(app: &App, player_id: &PlayerId) -> Result<Player, Problem> {
    app.db.player(player_id).await?.ok_or_else(|| Refusal::NotFound.into())
}

/// Returns players in the order of their ids; those that were deleted are missing.
pub(crate) async fn by_ids<'a>(
    db: &Store<ThreeFc>,
    ids: impl IntoIterator<Item = &'a PlayerId>,
) -> Result<Vec<Player>, Problem> {
    let keys: Vec<PlayerKey> = ids.into_iter().cloned().map(PlayerKey::new).collect();
    Ok(db.players_by_key(&keys).await?.into_iter().flatten().collect())
}

/// Returns the players that a user has claimed.
pub(crate) async fn claimed_by(app: &App, user_id: &UserId) -> Result<Vec<Player>, Problem> {
    let claims = app.db.claims(user_id).all().await?;
    by_ids(&app.db, claims.iter().map(|claim| &claim.player_id)).await
}

/// Makes the rows of a new player who is in the pool of a league.
pub(crate) fn new_player(
    player_id: PlayerId,
    nickname: &str,
    league_id: &LeagueId,
    game_id: Option<&GameId>,
) -> (Player, PoolEntry) {
    let pool = PoolEntry { last_game_id: game_id.cloned(), ..PoolEntry::of(league_id, &player_id) };
    let player = Player {
        player_id,
        nickname: nickname.to_owned(),
        claimed_by_user_id: None,
        avatar: None,
        avatar_key: None,
        league_id: Some(league_id.clone()),
        stamps: Stamps::default(),
    };
    (player, pool)
}
