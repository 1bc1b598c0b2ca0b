//! `GET /leaderboard`: how the teams stand, for players.

use askama::Template;
use monotable_kit::Html;

use super::{Clock, duration};
use crate::api::dashboard::RankView;
use crate::api::play::leaderboard::ranks;
use crate::api::prelude::*;

/// The leaderboard of a game.
#[derive(Template)]
#[template(path = "leaderboard.html")]
pub(super) struct Leaderboard {
    game_name: String,
    clock: Clock,
    ranks: Vec<RankView>,
    /// Whether it is for a screen that many people look at.
    is_screen: bool,
}

impl Leaderboard {
    /// Returns the leaderboard, as the caller may see it.
    ///
    /// # Errors
    /// Returns 403 if the caller does not have the permission.
    pub(super) async fn read(
        app: &App,
        call: &Request,
        game_id: Option<&GameId>,
    ) -> Result<Self, Problem> {
        let (game, ranks) = ranks(app, call, game_id).await?;
        let control = app.db.control(&game.id).await?;
        let clock = Clock::of(&game, control.as_ref(), app.db.now());
        let game_name = game.name.unwrap_or_else(|| "Hunt".to_owned());
        Ok(Self { game_name, clock, ranks, is_screen: game_id.is_some() })
    }

    /// Returns the title of the page.
    pub(super) fn title(&self) -> String {
        format!("Leaderboard of {}", self.game_name)
    }
}

/// Shows how the teams stand, if players of the game see that.
#[operation(GET "/leaderboard", refuses(refusal::PLAYING, ControlRequired))]
async fn leaderboard_page(app: &App, call: &Call) -> Answer<Html> {
    let board = Leaderboard::read(app, call, None).await?;
    let html = Html::new(call, board.title(), &board)?;
    let Some(playing) = super::player(app, call).await? else { return Ok(html.into()) };
    Ok(super::named(html, &playing).live("/api/stream").into())
}
