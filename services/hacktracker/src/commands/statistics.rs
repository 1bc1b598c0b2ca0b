//! Box scores for share links.

use monotable_kit::{Problem, Reply, Response as _};

use crate::api::statistics::box_score::box_score_of;
use crate::app::App;
use crate::entities::Game;

/// The box score of a game, with where it stands.
pub(crate) async fn told_box_score(app: &App, game: &Game) -> Result<Reply, Problem> {
    Ok(box_score_of(app, game).await?.into_reply())
}
