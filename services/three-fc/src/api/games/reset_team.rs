//! `DELETE /v1/games/{gameId}/teams/{teamId}`: calls a team in a game as the season does.

use super::GameView;
use super::set_team::{named, rename};
use super::teams;
use crate::api::game_change::GameChange;
use crate::api::prelude::*;

/// Calls a team in a game as the season does.
#[operation(
    DELETE "/v1/games/{gameId}/teams/{teamId}", once, if_match, queue = game_id,
    refuses(refusal::SCORING, NotFound)
)]
async fn reset_game_team(app: &App, call: &Call<GameTeamPath>) -> Answer<Json<GameView>> {
    let change = GameChange::read(app, call, &call.path.game_id).await?;
    let known = named(app, &call.path).await?.ok_or(Refusal::NotFound)?;
    let season = teams::of_season(&app.db, &change.game.season_id).await?;
    let team = season.into_iter().find(|team| team.team_id == known.team_id);
    let team =
        team.ok_or_else(|| Refusal::NotFound.text("The season has no such team any more."))?;
    let (mut tx, game) = rename(&change, team)?;
    tx.add(delete(&known));
    tx.respond(move |done| Json(GameView::of(&done[game]))).await
}
