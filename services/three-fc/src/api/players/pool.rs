//! `GET /v1/leagues/{leagueId}/players`: lists the players of a league.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::{PlayerView, by_ids};
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
    let mut players = by_ids(&app.db, pool.iter().map(|entry| &entry.player_id)).await?;
    let played: BTreeMap<&PlayerId, Option<Timestamp>> =
        pool.iter().map(|entry| (&entry.player_id, entry.last_played)).collect();
    let last_played = |player: &Player| played.get(&player.player_id).copied().flatten();
    let position = |player: &Player| {
        let played = Reverse(last_played(player).filter(|_| recent));
        (played, player.nickname.to_lowercase(), player.player_id.clone())
    };
    players.sort_by_cached_key(position);
    let scope = format!("players of {league_id}, recent {recent}");
    let list = SortedList { scope, rows: &players, position };
    let viewing = Viewing::of(app, Some(granted.user_id));
    let show = |player: &Player| PoolView {
        player: PlayerView::to(player, &viewing),
        last_played: last_played(player),
    };
    Ok(list.page(&app.bookmarks, app.db.now(), call, show)?.into())
}
