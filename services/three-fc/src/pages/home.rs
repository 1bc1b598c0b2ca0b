//! `GET /leagues`: where everybody starts.

use askama::Template;
use monotable_kit::Html;

use crate::api::prelude::*;

/// Leagues that are shown.
const LEAGUES_MAX: usize = 100;

/// The content of the page.
#[derive(Template)]
#[template(path = "home.html")]
struct HomePage {
    leagues: Vec<League>,
}

/// Shows the leagues, and leads to those that you run.
#[operation(GET "/leagues", public)]
async fn home_page(app: &App, call: &Call) -> Answer<Html> {
    let page = app.db.leagues().take(LEAGUES_MAX).page().await?;
    let leagues = page.rows.into_iter().filter(|league| league.deleted_at.is_none()).collect();
    Ok(Html::new(call, "Leagues", &HomePage { leagues })?.into())
}
