//! Reports changes of a game to the clients that follow it.

use std::collections::BTreeSet;

use super::scoreboard::scoreboard;
use crate::api::prelude::*;
use crate::legacy::games::shown;

/// The name of the events.
pub(crate) const EVENT: &str = "game";

/// Returns the topic for members of the game's league.
pub(crate) fn members(game: &Game) -> String {
    format!("{}{}", members_of(&game.league_id), game.game_id)
}

/// Returns what the topics for members of a league begin with.
pub(crate) fn members_of(league_id: &LeagueId) -> String {
    format!("{league_id}/")
}

/// Reports how all games stand that clients of this process follow, members of their leagues or not.
pub(crate) async fn followed(app: &App) {
    let topics = app.events.followed();
    let games = topics.iter().filter_map(|topic| topic.rsplit('/').next());
    for game_id in games.collect::<BTreeSet<_>>() {
        if let Ok(game_id) = GameId::new(game_id) {
            game(app, &game_id).await;
        }
    }
}

/// Reports how a game stands, if any client follows one. A game that can't be read is not reported: the next
/// change is.
pub(crate) async fn game(app: &App, game_id: &GameId) {
    if app.events.topics() == 0 {
        return;
    }
    let game = match app.db.game(game_id).await {
        Ok(Some(game)) => game,
        Ok(None) => return app.events.close(game_id.as_str()),
        Err(_) => return,
    };
    let (is_visible, is_deleted) = (game.public_visible, game.status == GameStatus::Deleting);
    let topic = members(&game);
    if is_deleted {
        app.events.close(&topic);
    }
    if is_deleted || !is_visible {
        app.events.close(game_id.as_str());
    }
    let standing = async { scoreboard(app, &shown(app, game).await?).await };
    if !is_deleted && let Ok(standing) = standing.await {
        app.events.publish(&topic, EVENT, &standing);
        if is_visible {
            app.events.publish(game_id.as_str(), EVENT, &standing);
        }
    }
}
