//! `GET /share/{token}`: the box score of a game and how it stands, for anyone who has a link.

use monotable_kit::{Answer, Call, Request, Secret, operation};

use crate::api::scope;
use crate::api::statistics::box_score::{BoxScoreText, box_score_of};
use crate::app::App;
use crate::refusal::Refusal;
use crate::table::{GameId, HackTrackerReads as _, ShareId, Team};

/// Returns the box score of a game, for anyone who has a link.
#[operation(GET "/share/{token}", public, refuses(ShareNotFound))]
pub(crate) async fn follow_game(app: &App, call: &Call) -> Answer<BoxScoreText> {
    // The token is not a typed value of the path: a malformed one leads nowhere, as any other does.
    let request: &Request = call;
    let token = request.path.get("token").map_or("", String::as_str);
    let (game_id, share_id, secret) = parts(token).ok_or(Refusal::ShareNotFound)?;
    let share = app.db.share(&game_id, &share_id).consistent().await?;
    let share = share.filter(|share| secret.has_hash(&share.token_hash));
    let share = share.ok_or(Refusal::ShareNotFound)?;
    let team = app.db.team(&share.team_id).consistent().await?;
    team.filter(Team::is_active).ok_or(Refusal::ShareNotFound)?;
    let game = app.db.game(&game_id).consistent().await?;
    let game = scope::there(game).map_err(|_| Refusal::ShareNotFound)?;
    Ok(box_score_of(app, &game).await?.into())
}

/// Splits a token. Ids may have dots, secrets have none.
fn parts(token: &str) -> Option<(GameId, ShareId, Secret)> {
    let (rest, secret) = token.rsplit_once('.')?;
    let (game_id, share_id) = rest.rsplit_once('.')?;
    Some((game_id.parse().ok()?, share_id.parse().ok()?, Secret::parse(secret)?))
}
