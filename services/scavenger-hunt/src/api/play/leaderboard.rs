//! `GET /api/leaderboard`: shows how the teams of a game stand.

use crate::api::dashboard::{RankView, leaderboard};
use crate::api::prelude::*;
use crate::tokens::Bearer;

/// Which game.
#[derive(Debug, Body)]
pub(crate) struct WhichGame {
    /// The game; players see that of their own.
    game_id: Option<GameId>,
}

/// Shows how the teams of a game stand. Players see it if the game allows it.
#[operation(
    GET "/api/leaderboard", refuses(refusal::PLAYING, ControlRequired)
)]
pub(crate) async fn show_leaderboard(
    app: &App,
    call: &Call<(), (), WhichGame>,
) -> Answer<Page<RankView>> {
    Ok(Page { rows: ranks(app, call, call.query.game_id.as_ref()).await?.1, next: None }.into())
}

/// Returns a game, and how its teams stand, as the caller may see it.
///
/// # Errors
/// Returns 403 if the caller does not have the permission.
pub(crate) async fn ranks(
    app: &App,
    call: &Request,
    game_id: Option<&GameId>,
) -> Result<(Game, Vec<RankView>), Problem> {
    let bearer = Bearer::of(call.principal()?);
    let (game, own) = match (bearer, game_id) {
        (Some(Bearer::Player(..)), _) => {
            let playing = policy::player(app, call).await?;
            let is_public = playing.game.leaderboard_public.unwrap_or(true);
            if !is_public {
                return Err(Refusal::ControlRequired.text("The leaderboard is hidden."));
            }
            (playing.game, Some(playing.user.team_id))
        }
        (_, Some(game_id)) => {
            (policy::game(app, call, game_id, Action::SeeLeaderboard).await?, None)
        }
        (Some(bearer), None) => {
            let game_id = bearer.game_id();
            (policy::game(app, call, game_id, Action::SeeLeaderboard).await?, None)
        }
        (None, None) => return Err(Problem::field("gameId", "name the game")),
    };
    let ranks = leaderboard(app, &game).await?.into_iter().map(|standing| {
        let is_own = own.as_ref() == Some(&standing.team_id);
        RankView { is_own, ..standing.rank }
    });
    let ranks = ranks.collect();
    Ok((game, ranks))
}
