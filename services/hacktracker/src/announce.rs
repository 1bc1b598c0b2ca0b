//! What happens in a game, told to whoever follows it right now.

use monotable_kit::Problem;
use serde_json::{Value, json};

use crate::app::App;
use crate::commands::scope::all;
use crate::entities::{AtBat, Game};
use crate::ids::GameId;
use crate::patterns::HackTrackerReads as _;
use crate::results::sort_by_time;
use crate::views::live;

/// The name of the events.
pub(crate) const LIVE: &str = "live";

/// Tells how a game stands, if anybody listens at all. What can't be read is not told: the next change
/// tells it.
pub(crate) async fn game(app: &App, game_id: &GameId) {
    if app.events.topics() == 0 {
        return;
    }
    match current(app, game_id).await {
        Ok(Some((game, at_bats))) => {
            app.events.publish(game_id.as_str(), LIVE, &standing(&game, &at_bats));
        }
        Ok(None) => app.events.close(game_id.as_str()),
        Err(_) => {}
    }
}

async fn current(app: &App, game_id: &GameId) -> Result<Option<(Game, Vec<AtBat>)>, Problem> {
    let game = app.db.game(game_id).consistent().await?;
    let Some(game) = game.filter(|game| !game.is_deleting()) else { return Ok(None) };
    let mut at_bats = all(app.db.at_bats(game_id).consistent()).await?;
    sort_by_time(&mut at_bats);
    Ok(Some((game, at_bats)))
}

/// How a game stands: its status and score, and the situation.
pub(crate) fn standing(game: &Game, at_bats: &[AtBat]) -> Value {
    let mut standing = json!(live::situation(game, at_bats));
    if let Value::Object(fields) = &mut standing {
        fields.insert("gameId".to_owned(), json!(game.game_id));
        fields.insert("status".to_owned(), json!(game.status));
        fields.insert("teamScore".to_owned(), json!(game.team_score));
        fields.insert("opponentScore".to_owned(), json!(game.opponent_score));
        fields.insert("atBats".to_owned(), json!(at_bats.len()));
    }
    standing
}
