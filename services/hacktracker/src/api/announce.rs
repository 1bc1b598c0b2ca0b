//! Reports changes of a game to its followers.

use crate::api::prelude::*;
use crate::rules::live;
use crate::rules::live::Situation;

/// The name of the events.
pub(crate) const LIVE: &str = "live";

/// Reports the situation of a game, if any client follows it. A game that cannot be read is not
/// reported; the next change is.
pub(crate) async fn game(app: &App, game_id: &GameId) {
    if app.events.topics() == 0 {
        return;
    }
    match current(app, game_id).await {
        Ok(Some(standing)) => app.events.publish(game_id.as_str(), LIVE, &standing),
        Ok(None) => app.events.close(game_id.as_str()),
        Err(_) => {}
    }
}

/// Reports the situation of all games that clients of this process follow.
pub(crate) async fn followed(app: &App) {
    for topic in app.events.followed() {
        if let Ok(game_id) = GameId::new(topic) {
            game(app, &game_id).await;
        }
    }
}

/// Ends the streams of a team's games after a change of permissions. Clients that still have access
/// can connect again.
pub(crate) async fn ask_again(app: &App, team_id: &TeamId) {
    if app.events.topics() == 0 {
        return;
    }
    // Streams that can't be found end by themselves after a while.
    for game in app.db.games_of(team_id).all().await.unwrap_or_default() {
        app.events.close(game.game_id.as_str());
    }
}

async fn current(app: &App, game_id: &GameId) -> Result<Option<Standing>, Problem> {
    let game = app.db.game(game_id).consistent().await?;
    let Some(game) = game.filter(|game| !game.is_deleting()) else { return Ok(None) };
    let at_bats = logbook::at_bats(app, &game).await?;
    Ok(Some(standing(&game, &at_bats)))
}

/// The situation of a game: its status and score, inning and batter.
#[derive(View)]
pub(crate) struct Standing {
    game_id: GameId,
    status: GameStatus,
    team_score: u16,
    opponent_score: u16,
    at_bats: usize,
    #[view(flatten)]
    situation: Situation,
}

/// Returns the situation of a game after its plate appearances.
pub(crate) fn standing(game: &Game, at_bats: &[AtBat]) -> Standing {
    Standing {
        game_id: game.game_id.clone(),
        status: game.status,
        team_score: game.team_score,
        opponent_score: game.opponent_score,
        at_bats: at_bats.len(),
        situation: live::situation(game, at_bats),
    }
}
