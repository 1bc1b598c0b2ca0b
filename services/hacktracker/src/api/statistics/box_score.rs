//! `GET /games/{gameId}/boxscore`: returns the box score of a game.

use monotable_kit::{
    Answer, Answered, Call, Json, Problem, Reply, ReplyBody, Response, View, operation,
};

use crate::api::announce::{Standing, standing};
use crate::api::scope;
use crate::api::{GamePath, logbook};
use crate::app::App;
use crate::policy::Action;
use crate::refusal;
use crate::rules::box_score::{self, BoxScore};
use crate::table::{Game, HackTrackerReads as _};

/// A box score, with how the game stands.
#[derive(View)]
pub(crate) struct BoxScoreView {
    #[view(flatten)]
    score: BoxScore,
    live: Standing,
}

/// 200 with a box score. It is large and often read, so it is written as text at once.
pub(crate) struct BoxScoreText(String);

impl Response for BoxScoreText {
    fn describe() -> Answered {
        Json::<BoxScoreView>::describe()
    }

    fn into_reply(self) -> Reply {
        Reply::new(200, ReplyBody::JsonText(self.0))
    }
}

/// Returns the box score of a game.
#[operation(GET "/games/{gameId}/boxscore", refuses(refusal::VIEWING_GAME))]
pub(crate) async fn get_box_score(app: &App, call: &Call<GamePath>) -> Answer<BoxScoreText> {
    let game = scope::there(app.db.game(&call.path.game_id).consistent().await?)?;
    let member = scope::member(app, call, &game, Action::View);
    let (_, score) = tokio::try_join!(member, box_score_of(app, &game))?;
    Ok(score.into())
}

/// Returns the box score of a game, for callers who may see it.
///
/// # Errors
/// What the table says.
pub(crate) async fn box_score_of(app: &App, game: &Game) -> Result<BoxScoreText, Problem> {
    let roster = async { Ok(app.db.roster(&game.team_id).skip_unreadable().all().await?) };
    let (at_bats, roster) = tokio::try_join!(logbook::at_bats(app, game), roster)?;
    let score = box_score::of_game(game, &at_bats, &roster);
    let view = BoxScoreView { score, live: standing(game, &at_bats) };
    let text =
        serde_json::to_string(&view).map_err(|error| Problem::internal(error.to_string()))?;
    Ok(BoxScoreText(text))
}
