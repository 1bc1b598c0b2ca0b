//! `GET /games/{gameId}/boxscore`: returns the box score of a game.

use std::sync::Arc;

use monotable_kit::ReplyBody;

use crate::api::announce::{Standing, standing};
use crate::api::prelude::*;
use crate::rules::box_score::{self, BoxScore};

/// A box score, with the situation of the game.
#[derive(View)]
pub(crate) struct BoxScoreView {
    #[view(flatten)]
    score: BoxScore,
    live: Standing,
}

/// 200 with a box score. It is large and often read, so it is written directly as text.
pub(crate) struct BoxScoreText(String);

impl Response for BoxScoreText {
    fn describe() -> Answered {
        Json::<BoxScoreView>::describe()
    }

    fn into_reply(self) -> Reply {
        Reply::new(200, ReplyBody::Json(self.0))
    }
}

/// Returns the box score of a game.
#[operation(GET "/games/{gameId}/boxscore", refuses(refusal::VIEWING_GAME))]
async fn get_box_score(app: &App, call: &Call<GamePath>) -> Answer<BoxScoreText> {
    let game = scope::stored_game(app, &call.path.game_id).await?;
    let member = scope::member(app, call, &game, Action::View);
    let (_, played) = tokio::try_join!(member, PlayedGame::read(app, game.clone()))?;
    Ok(box_score_text(&played)?.into())
}

/// A game with its plate appearances, in order, and the roster of its team.
pub(crate) struct PlayedGame {
    pub(crate) game: Game,
    pub(crate) at_bats: Arc<Vec<AtBat>>,
    pub(crate) roster: Vec<Player>,
}

impl PlayedGame {
    /// Reads the plays of a game, for callers who may see it.
    ///
    /// # Errors
    ///
    /// Returns the errors of the table.
    pub(crate) async fn read(app: &App, game: Game) -> Result<Self, Problem> {
        let roster = async { Ok(app.db.roster(&game.team_id).skip_unreadable().all().await?) };
        let (at_bats, roster) = tokio::try_join!(logbook::at_bats(app, &game), roster)?;
        Ok(Self { game, at_bats, roster })
    }

    /// Returns its box score.
    pub(crate) fn box_score(&self) -> BoxScore {
        box_score::of_game(&self.game, &self.at_bats, &self.roster)
    }
}

/// Returns the box score of a game as a response.
///
/// # Errors
/// Returns 500 if it has no form in JSON.
pub(crate) fn box_score_text(played: &PlayedGame) -> Result<BoxScoreText, Problem> {
    let live = standing(&played.game, &played.at_bats);
    let view = BoxScoreView { score: played.box_score(), live };
    let text =
        serde_json::to_string(&view).map_err(|error| Problem::internal(error.to_string()))?;
    Ok(BoxScoreText(text))
}
