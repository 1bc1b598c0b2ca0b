//! `GET /photos`: the photos of a player's team.

use askama::Template;
use monotable_kit::{Html, Zone};

use super::time;
use crate::api::photos::upload::TakenView;
use crate::api::prelude::*;

/// The content of the page.
#[derive(Template)]
#[template(path = "photos.html")]
struct PhotosPage {
    is_over: bool,
    photos: Vec<TakenView>,
    next: Option<String>,
    zone: Zone,
}

/// Shows the photos of your team, and those of all teams once the game is over.
#[operation(GET "/photos", refuses(refusal::PLAYING))]
async fn photos_page(app: &App, call: &Call<(), (), Paged>) -> Answer<Html> {
    let playing = policy::player(app, call).await?;
    let page = crate::api::photos::own::seen(app, call, &playing).await?;
    let page = PhotosPage {
        is_over: playing.state.is_over(),
        photos: page.rows,
        next: page.next.map(|next| next.to_string()),
        zone: call.viewer.zone.clone(),
    };
    Ok(super::named(Html::new(call, "Photos", &page)?, &playing).into())
}
