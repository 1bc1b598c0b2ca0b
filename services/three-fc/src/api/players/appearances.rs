//! `GET /v1/players/{playerId}/seasons/{seasonId}/appearances`: lists the finished games of a player in a season.

use super::stored;
use crate::api::PlayerSeasonPath;
use crate::api::prelude::*;

/// A finished game that a player took part in.
#[derive(View)]
#[view(of = Appearance, list = "appearances")]
pub(crate) struct AppearanceView {
    season_id: SeasonId,
    game_id: GameId,
    #[view(from = game_start_ts.instant(), example = "2026-02-22T09:00:00.000Z")]
    game_start_ts: Timestamp,
    team_id: Option<TeamId>,
    /// How the game ended for the team.
    outcome: Option<Ending>,
    /// Goals without own goals.
    #[view(example = 2)]
    goals: u16,
    #[view(example = 0)]
    own_goals: u16,
    #[view(example = 1)]
    assists: u16,
}

/// Lists the finished games of a player in a season, for the user who claimed the player.
#[operation(
    GET "/v1/players/{playerId}/seasons/{seasonId}/appearances", refuses(NotFound, NotClaimOwner)
)]
async fn list_appearances(
    app: &App,
    call: &Call<PlayerSeasonPath, (), Paged>,
) -> Answer<Page<AppearanceView>> {
    let PlayerSeasonPath { player_id, season_id } = &call.path;
    let user_id = policy::caller(call)?;
    let player = stored(app, player_id).await?;
    Refusal::NotClaimOwner.unless(player.claimed_by_user_id == Some(user_id))?;
    let page = call.page().of(app.db.appearances(player_id, season_id).consistent()).await?;
    Ok(Page::of(page, AppearanceView::of).into())
}
