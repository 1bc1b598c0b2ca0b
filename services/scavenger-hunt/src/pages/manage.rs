//! The pages of organisers and observers.

pub(crate) mod board;
pub(crate) mod codes;
pub(crate) mod games;
pub(crate) mod log;
pub(crate) mod new;
pub(crate) mod photos;
pub(crate) mod report;
pub(crate) mod settings;
pub(crate) mod team;
pub(crate) mod token;

use askama::Template;
use monotable_kit::Html;

use crate::api::prelude::*;
use crate::tokens::Bearer;

/// Makes a page. Bearers of tokens have no name: they are called what they are.
pub(super) fn html(
    call: &Request,
    title: impl Into<String>,
    content: &impl Template,
) -> Result<Html, Problem> {
    let page = Html::new(call, title, content)?;
    Ok(match call.principal.as_ref().and_then(Bearer::of) {
        Some(Bearer::Organiser(_)) => page.viewer("Organiser", "/account"),
        Some(Bearer::Observer(_)) => page.viewer("Observer", "/account"),
        Some(Bearer::Player(..)) | None => page,
    })
}

/// What the pages of a game have in common: its name, and what the person may do.
struct Managed {
    game: Game,
    can_control: bool,
}

impl Managed {
    /// Returns the game of a page.
    ///
    /// # Errors
    /// Returns 403 for people who may not do this, or 404 if there is no such game.
    async fn read(
        app: &App,
        call: &Request,
        game_id: &GameId,
        action: Action,
    ) -> Result<Self, Problem> {
        let game = policy::game(app, call, game_id, action).await?;
        let can_control = policy::game(app, call, game_id, Action::Control).await.is_ok();
        Ok(Self { game, can_control })
    }

    /// Returns the name of the game, or its id.
    fn name(&self) -> &str {
        self.game.name.as_deref().unwrap_or(self.game.id.as_str())
    }
}

/// Returns the teams of a game as options of a field.
fn options(teams: &[Team]) -> Vec<(String, String)> {
    teams.iter().map(|team| (team.id.to_string(), team.name.clone())).collect()
}

/// Returns the teams of a game, in the order of the configuration.
async fn teams(app: &App, game_id: &GameId) -> Result<Vec<Team>, Problem> {
    let mut teams = app.db.teams(game_id).skip_unreadable().all().await?;
    teams.sort_by_key(|team| team.position);
    Ok(teams)
}

/// Returns the levels of a game, in the order of the configuration.
async fn levels(app: &App, game_id: &GameId) -> Result<Vec<Level>, Problem> {
    let mut levels = app.db.levels(game_id).skip_unreadable().all().await?;
    levels.sort_by_key(|level| level.position);
    Ok(levels)
}

/// Returns the name of a level.
fn level_name(levels: &[Level], level_id: &LevelId) -> String {
    let found = levels.iter().find(|level| level.id == *level_id);
    found.map_or_else(|| "A place".to_owned(), |level| level.level_name.clone())
}
