//! `GET /games/{gameId}`: the scoreboard of a game, for phones and televisions.

use askama::Template;
use monotable_kit::{Html, KeptPage, QrCode};

use super::{color, status};
use crate::api::prelude::*;
use crate::api::public::scoreboard::{PublicGoal, Scoreboard, public_goals, scoreboard};
use crate::api::public::visible_row;
use crate::api::sheets;
use crate::legacy::games::shown;
use crate::rules::{clock, thirds};

/// The content of the page.
#[derive(Template)]
#[template(path = "game.html")]
struct GamePage {
    board: Scoreboard,
    start: String,
    /// By third and minute.
    goals: Vec<PublicGoal>,
    url: String,
    code: QrCode,
}

impl GamePage {
    /// Returns the goals of a third, the latest first.
    fn goals_of(&self, third: &u8) -> Vec<&PublicGoal> {
        self.goals.iter().rev().filter(|goal| goal.third == *third).collect()
    }
}

/// Shows the score, the clock and the goals of a game, and keeps them up to date.
#[operation(GET "/games/{gameId}", public, refuses(NotFound))]
async fn game_page(app: &App, call: &Call<GamePath>) -> Answer<Html> {
    let (game, now) = (visible_row(app, &call.path.game_id).await?, app.db.now());
    let minute =
        thirds::running(&game.thirds).map(|third| clock::minute(now.since(third.started_at)));
    let page = KeptPage::new(format!("game {}", game.game_id), game.stamps.version).with(minute);
    app.pages.show(call, page, now, rendered(app, call, game)).await
}

async fn rendered(app: &App, call: &Call<GamePath>, game: Game) -> Result<Html, Problem> {
    let game_id = &call.path.game_id;
    let game = shown(app, game).await?;
    let sheet = sheets::of(app, &game).await?;
    let goals = public_goals(app, &game, sheet.goals.iter().collect()).await?;
    let url = call.url(&format!("/games/{game_id}"));
    let code = QrCode::of(&url, "QR code with the address of this page")?;
    let start = call.viewer.zone.text(game.starts_at());
    let page = GamePage { board: scoreboard(app, &game).await?, start, goals, url, code };
    let html = Html::new(call, page.board.title(), &page)?;
    Ok(html.live(format!("/v1/public/games/{game_id}/stream")))
}
