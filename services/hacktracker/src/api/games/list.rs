//! `GET /teams/{teamId}/games`: lists the games of a team.

use std::cmp::Reverse;

use super::{GameView, of_team};
use crate::api::prelude::*;

/// Which games are listed.
#[derive(Debug, Body)]
#[body(paged)]
pub(crate) struct Schedule {
    status: Option<GameStatus>,
    /// Of this season only.
    season_id: Option<SeasonId>,
}

/// Lists the games of a team, the latest first, those without a date last.
#[operation(GET "/teams/{teamId}/games", refuses(refusal::VIEWING))]
async fn list_games(
    app: &App,
    call: &Call<TeamPath, (), Schedule>,
) -> Answer<SortedPage<GameView>> {
    let team_id = &call.path.team_id;
    policy::authorize(app, call, team_id, Action::View).await?;
    let Schedule { status, season_id } = &call.query;
    let mut games = of_team(app, team_id).await?;
    games.retain(|game| {
        status.is_none_or(|status| game.status == status)
            && (season_id.is_none() || game.season_id == *season_id)
    });
    games.sort_by_cached_key(position);
    let filter = json!({ "status": status, "seasonId": season_id });
    let list = SortedList { scope: format!("games {team_id} {filter}"), rows: &games, position };
    Ok(list.page(&app.bookmarks, app.db.now(), call, GameView::of)?.into())
}

/// The position of a game in a schedule.
type Position = (bool, Reverse<Option<Timestamp>>, GameId);

fn position(game: &Game) -> Position {
    (game.scheduled_start.is_none(), Reverse(game.scheduled_start), game.game_id.clone())
}
