//! `GET /share/{token}`: the box score and the situation of a game, for anyone with a link.

use crate::api::prelude::*;
use crate::api::statistics::box_score::{BoxScoreText, PlayedGame, box_score_text};

/// Returns the box score and the situation of a game, for anyone with a link.
#[operation(GET "/share/{token}", public, refuses(ShareNotFound))]
async fn follow_game(app: &App, call: &Call) -> Answer<BoxScoreText> {
    Ok(box_score_text(&shared_game(app, call).await?.played)?.into())
}

/// A game that is followed with a link.
pub(crate) struct SharedGame {
    pub(crate) team: Team,
    pub(crate) played: PlayedGame,
}

/// Returns the game of the link in a request.
///
/// # Errors
/// Returns 404 if the link was revoked, or never existed.
pub(crate) async fn shared_game(app: &App, call: &Request) -> Result<SharedGame, Problem> {
    let (game_id, share_id, secret) = parts(token(call)).ok_or(Refusal::ShareNotFound)?;
    let share = app.db.share(&game_id, &share_id).consistent().await?;
    let share = share.filter(|share| secret.has_hash(&share.token_hash));
    let share = share.ok_or(Refusal::ShareNotFound)?;
    let team = app.db.team(&share.team_id).consistent().await?;
    let team = team.filter(Team::is_active).ok_or(Refusal::ShareNotFound)?;
    let game = app.db.game(&game_id).consistent().await?.filter(|game| !game.is_deleting());
    let game = game.ok_or(Refusal::ShareNotFound)?;
    Ok(SharedGame { team, played: PlayedGame::read(app, game).await? })
}

/// Returns the token in a path. It is not a typed value: a malformed one gets the same response as
/// an unknown one.
pub(crate) fn token(call: &Request) -> &str {
    call.path.get("token").map_or("", String::as_str)
}

/// Returns the game in a token.
pub(crate) fn game_of(call: &Request) -> Option<GameId> {
    parts(token(call)).map(|(game_id, ..)| game_id)
}

/// Splits a token. Ids may contain dots, secrets don't.
fn parts(token: &str) -> Option<(GameId, ShareId, Secret)> {
    let (rest, secret) = token.rsplit_once('.')?;
    let (game_id, share_id) = rest.rsplit_once('.')?;
    Some((game_id.parse().ok()?, share_id.parse().ok()?, Secret::parse(secret)?))
}
