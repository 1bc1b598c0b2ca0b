//! `GET /leagues`: where everybody starts.

use askama::Template;
use monotable_kit::Html;

use crate::api::prelude::*;
use crate::api::public::leagues::{self, PublicLeague};

/// The content of the page.
#[derive(Template)]
#[template(path = "home.html")]
struct HomePage {
    leagues: Vec<PublicLeague>,
    /// Where the next page begins.
    next: Option<String>,
}

/// Shows the leagues, and leads to those that you run.
#[operation(GET "/leagues", public)]
async fn home_page(app: &App, call: &Call<(), (), Paged>) -> Answer<Html> {
    let Page { rows: leagues, next } = leagues::page(app, call).await?;
    let page = HomePage { leagues, next: next.map(|next| next.to_string()) };
    Ok(Html::new(call, "Leagues", &page)?.into())
}
