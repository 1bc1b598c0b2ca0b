//! `GET /sessions/{sessionId}`: a match day, its games and its table.

use askama::Template;
use monotable_kit::Html;

use super::{ListedGame, color, day, ranking_rules};
use crate::api::games::SeasonGame;
use crate::api::prelude::*;
use crate::api::public::season::PlayedSeason;
use crate::legacy::whole;
use crate::rules::standings::{Standing, standings};

/// The content of the page.
#[derive(Template)]
#[template(path = "session.html")]
struct SessionPage {
    season: Season,
    title: String,
    games: Vec<ListedGame>,
    standings: Vec<Standing>,
    rules: String,
}

/// Shows the games of a match day, and the table of that day alone.
#[operation(GET "/sessions/{sessionId}", public, refuses(NotFound))]
async fn session_page(app: &App, call: &Call<SessionPath>) -> Answer<Html> {
    let session = whole::session(&app.db, &call.path.session_id).await?.ok_or(Refusal::NotFound)?;
    let played = PlayedSeason::read(app, &session.season_id).await?;
    let is_shown =
        |game: &&SeasonGame| game.public_visible && game.session_id == session.session_id;
    let games: Vec<&SeasonGame> = played.games.iter().filter(is_shown).collect();
    let results: Vec<&GameResult> = games.iter().filter_map(|game| game.result.as_ref()).collect();
    let mut teams = played.teams(app).await?;
    let plays = |team: &TeamSnapshot| {
        games.iter().flat_map(|game| &game.teams).any(|one| one.team_id == team.team_id)
    };
    teams.retain(plays);
    let page = SessionPage {
        title: format!("Match day of {}", day(&session.session_date)),
        standings: standings(&teams, &results, &played.season.ranking),
        rules: ranking_rules(&played.season),
        season: played.season.clone(),
        games: games.iter().map(|game| ListedGame::of(game, &call.viewer.zone)).collect(),
    };
    Ok(Html::new(call, format!("{} – {}", page.season.name, page.title), &page)?.into())
}
