//! `GET /leagues/{idOrSlug}`: a league, its seasons, and the table of the latest one.

use askama::Template;
use monotable_kit::Html;

use super::{color, day, ranking_rules};
use crate::api::prelude::*;
use crate::api::public::season::PlayedSeason;
use crate::api::public::{PublicLeaguePath, find_league};
use crate::legacy::whole;
use crate::rules::standings::{Standing, standings};

/// The content of the page.
#[derive(Template)]
#[template(path = "league.html")]
struct LeaguePage {
    league: League,
    /// The latest first.
    seasons: Vec<Season>,
    /// The table of the latest season.
    standings: Vec<Standing>,
    rules: String,
}

/// Shows a league, its seasons, and the table of the latest one.
#[operation(GET "/leagues/{idOrSlug}", public, refuses(NotFound))]
async fn league_page(app: &App, call: &Call<PublicLeaguePath>) -> Answer<Html> {
    let league = find_league(app, &call.path.id_or_slug).await?;
    let seasons =
        whole::latest_first(&app.db, app.db.seasons(&league.league_id), |it| it.starts_on).await?;
    let mut page = LeaguePage { league, seasons, standings: Vec::new(), rules: String::new() };
    if let Some(latest) = page.seasons.first() {
        let played = PlayedSeason::read(app, &latest.season_id).await?;
        page.standings = standings(&played.teams(app).await?, &played.results(), &latest.ranking);
        page.rules = ranking_rules(latest);
    }
    Ok(Html::new(call, page.league.name.clone(), &page)?.into())
}
