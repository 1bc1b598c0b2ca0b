//! `GET /v1/leagues/{leagueId}/players`: lists the players of a league.

use std::cmp::Reverse;

use super::PlayerView;
use crate::api::avatars::Viewing;
use crate::api::prelude::*;

/// How the players are listed.
#[derive(Debug, Body)]
#[body(paged)]
pub(crate) struct PoolQuery {
    /// Those who played last come first; by nickname otherwise.
    #[body(default)]
    recent: bool,
}

/// A player of a league.
#[derive(View)]
#[view(list = "players")]
pub(crate) struct PoolView {
    #[view(flatten)]
    player: PlayerView,
    /// When the player played last.
    #[view(null, example = "2026-03-01T09:30:00.000Z")]
    last_played: Option<Timestamp>,
}

/// Lists the players of a league.
#[operation(GET "/v1/leagues/{leagueId}/players", refuses(refusal::VIEWING))]
async fn list_pool(
    app: &App,
    call: &Call<LeaguePath, (), PoolQuery>,
) -> Answer<SortedPage<PoolView>> {
    let (league_id, recent) = (&call.path.league_id, call.query.recent);
    let granted = policy::league(app, call, league_id, Action::View).await?;
    let pool = app.db.pool(league_id).consistent().all().await?;
    let keys: Vec<PlayerKey> =
        pool.iter().map(|entry| PlayerKey::new(entry.player_id.clone())).collect();
    let players = app.db.players_by_key(&keys).await?;
    let mut players: Vec<(PoolEntry, Player)> = pool
        .into_iter()
        .zip(players)
        .filter_map(|(entry, player)| Some((entry, player?)))
        .collect();
    let position = |(entry, player): &(PoolEntry, Player)| {
        let played = Reverse(entry.last_played.filter(|_| recent));
        (played, player.nickname.to_lowercase(), player.player_id.clone())
    };
    players.sort_by_cached_key(position);
    let scope = format!("players of {league_id}, recent {recent}");
    let list = SortedList { scope, rows: &players, position };
    let viewing = Viewing::of(app, Some(granted.user_id));
    let show = |(entry, player): &(PoolEntry, Player)| PoolView {
        player: PlayerView::to(player, &viewing),
        last_played: entry.last_played,
    };
    Ok(list.page(&app.bookmarks, app.db.now(), call, show)?.into())
}
