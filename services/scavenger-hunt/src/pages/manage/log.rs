//! `GET /manage/{gameId}/log`: what organisers did in a game.

use askama::Template;
use monotable_kit::{Html, Zone};

use super::Managed;
use crate::api::prelude::*;
use crate::pages::moment;

/// The content of the page.
#[derive(Template)]
#[template(path = "manage/log.html")]
struct LogPage {
    managed: Managed,
    lines: Vec<Audit>,
    next: Option<String>,
    zone: Zone,
}

/// Shows what organisers did in a game, the latest first.
#[operation(GET "/manage/{gameId}/log", refuses(refusal::CONTROLLING))]
async fn log_page(app: &App, call: &Call<GamePath, (), Paged>) -> Answer<Html> {
    let managed = Managed::read(app, call, &call.path.game_id, Action::Control).await?;
    let page = call.page().of(app.db.audit(&call.path.game_id)).await?;
    let page = LogPage {
        managed,
        lines: page.rows,
        next: page.next.map(|next| next.to_string()),
        zone: call.viewer.zone.clone(),
    };
    Ok(super::html(call, "Log", &page)?.into())
}
