//! `GET /share/{token}`: the box score of a game and how it stands, for anyone who has a link.

use std::sync::Arc;

use http::Method;
use monotable_kit::{Problem, Reply, Request, Route, Secret};
use serde_json::json;

use crate::app::App;
use crate::commands::{scope, statistics};
use crate::entities::Team;
use crate::ids::{GameId, ShareId};
use crate::patterns::HackTrackerReads as _;
use crate::refusal::Refusal;

/// The route. It is not an `#[operation]` until the box score is a view.
pub(crate) fn route() -> Route {
    let path = "/share/{token}";
    Route::new(Method::GET, path, "followGame", async |app: Arc<App>, call: Request| {
        follow_game(&app, &call).await
    })
    .about("", "Returns the box score of a game, for anyone who has a link.")
    .public()
    .answers(200, "The box score.", Some(json!({ "gameId": "g1", "teamScore": 3, "lines": [] })))
    .refuses_with(&[Refusal::ShareNotFound])
}

async fn follow_game(app: &App, call: &Request) -> Result<Reply, Problem> {
    let token = call.path.get("token").map_or("", String::as_str);
    let (game_id, share_id, secret) = parts(token).ok_or(Refusal::ShareNotFound)?;
    let share = app.db.share(&game_id, &share_id).consistent().await?;
    let share = share.filter(|share| secret.has_hash(&share.token_hash));
    let share = share.ok_or(Refusal::ShareNotFound)?;
    let team = app.db.team(&share.team_id).consistent().await?;
    team.filter(Team::is_active).ok_or(Refusal::ShareNotFound)?;
    let game = app.db.game(&game_id).consistent().await?;
    let game = scope::there(game).map_err(|_| Refusal::ShareNotFound)?;
    statistics::told_box_score(app, &game).await
}

/// Splits a token. Ids may have dots, secrets have none.
fn parts(token: &str) -> Option<(GameId, ShareId, Secret)> {
    let (rest, secret) = token.rsplit_once('.')?;
    let (game_id, share_id) = rest.rsplit_once('.')?;
    Some((game_id.parse().ok()?, share_id.parse().ok()?, Secret::parse(secret)?))
}
