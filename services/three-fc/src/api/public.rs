//! Public data: results, timelines and tables with the nicknames of players, never an e-mail
//! address or the id of a user.

pub(crate) mod announce;
pub(crate) mod assist_network;
pub(crate) mod game;
pub(crate) mod games;
pub(crate) mod head_to_head;
pub(crate) mod leaderboard;
pub(crate) mod leagues;
pub(crate) mod resolve;
pub(crate) mod scoreboard;
pub(crate) mod season;
pub(crate) mod seasons;
pub(crate) mod standings;
pub(crate) mod stream;
pub(crate) mod timeline;

use std::collections::{BTreeMap, BTreeSet};

use monotable_kit::paths;

use crate::api::players::by_ids;
use crate::api::prelude::*;
use crate::legacy::games::shown;

paths! {
    /// The league that a path names, by its id or its slug.
    PublicLeaguePath { id_or_slug: Slug }
    /// The league, the season and the game that a path names, the first two by id or slug.
    ResolvePath { league: Slug, season: Slug, game: GameId }
}

/// A player, as everybody sees one.
#[derive(Clone, View)]
pub(crate) struct PublicPlayer {
    pub(crate) player_id: PlayerId,
    /// Absent if the player was deleted.
    #[view(example = "Flash")]
    pub(crate) nickname: Option<String>,
    pub(crate) avatar: Option<String>,
    /// Shows the picture of the player for half an hour at least.
    #[view(example = "/3fc/v1/avatar?link=AAECAw")]
    pub(crate) avatar_url: Option<String>,
}

/// Returns players by their ids; ids of deleted players are left out.
pub(crate) async fn players(
    app: &App,
    ids: BTreeSet<PlayerId>,
) -> Result<BTreeMap<PlayerId, Player>, Problem> {
    let players = by_ids(&app.db, &ids).await?.into_iter();
    Ok(players.map(|player| (player.player_id.clone(), player)).collect())
}

/// Returns the row of a game that everybody can see.
///
/// # Errors
/// Returns 404 if it does not exist.
pub(crate) async fn visible_row(app: &App, game_id: &GameId) -> Result<Game, Problem> {
    let game = app.db.game(game_id).await?;
    let is_visible = |game: &Game| game.public_visible && game.status != GameStatus::Deleting;
    game.filter(is_visible).ok_or_else(|| Refusal::NotFound.into())
}

/// Returns a game that everybody can see, as it is shown.
///
/// # Errors
/// Returns 404 if it does not exist.
pub(crate) async fn visible_game(app: &App, game_id: &GameId) -> Result<Game, Problem> {
    shown(app, visible_row(app, game_id).await?).await
}

/// Returns a league by its id or its slug. The id has priority.
///
/// # Errors
/// Returns 404 if it does not exist.
pub(crate) async fn find_league(app: &App, id_or_slug: &Slug) -> Result<League, Problem> {
    let mut league = None;
    if let Ok(league_id) = LeagueId::new(id_or_slug.as_str()) {
        league = app.db.league(&league_id).await?;
    }
    if league.is_none() {
        league = app.db.league_by_slug(id_or_slug).await?;
    }
    league.filter(|league| league.deleted_at.is_none()).ok_or_else(|| Refusal::NotFound.into())
}
