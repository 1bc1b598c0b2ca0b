//! `GET /games/{gameId}/result.svg`: the score of a game as a picture to share.

use askama::Template;
use monotable_kit::KeptPage;

use super::{color, status};
use crate::api::prelude::*;
use crate::api::public::scoreboard::{Scoreboard, scoreboard};
use crate::api::public::visible_row;
use crate::legacy::games::shown;

/// The picture.
#[derive(Template)]
#[template(path = "result.svg", escape = "html")]
struct ResultPicture {
    board: Scoreboard,
}

/// 200 with a picture.
pub(crate) struct Svg(String);

impl Response for Svg {
    const MEDIA_TYPES: &'static [&'static str] = &["image/svg+xml"];

    fn describe() -> Answered {
        Answered { status: 200, meaning: "The picture.", example: None, schema: None }
    }

    fn into_reply(self) -> Reply {
        Reply::text("image/svg+xml", self.0)
    }
}

/// Draws the score of a game.
#[operation(GET "/games/{gameId}/result.svg", public, refuses(NotFound))]
async fn draw_result(app: &App, call: &Call<GamePath>) -> Answer<Svg> {
    let game = visible_row(app, &call.path.game_id).await?;
    let page = KeptPage::new(format!("result {}", game.game_id), game.stamps.version);
    let render = async {
        let picture = ResultPicture { board: scoreboard(app, &shown(app, game).await?).await? };
        picture.render().map(Svg).map_err(|error| Problem::internal(error.to_string()))
    };
    app.pages.show(call, page, app.db.now(), render).await
}
