//! `GET /manage/{gameId}/report`: how a game went.

use askama::Template;
use monotable_kit::{Html, Zone};

use super::Managed;
use crate::api::games::report::{ReportView, reported};
use crate::api::prelude::*;
use crate::pages::{duration, minutes, time};

/// The content of the page.
#[derive(Template)]
#[template(path = "manage/report.html")]
struct ReportPage {
    managed: Managed,
    report: ReportView,
    zone: Zone,
}

/// Shows how a game went: its places, and the route of each team with its times.
#[operation(GET "/manage/{gameId}/report", refuses(refusal::WATCHING))]
async fn report_page(app: &App, call: &Call<GamePath>) -> Answer<Html> {
    let managed = Managed::read(app, call, &call.path.game_id, Action::Watch).await?;
    let report = reported(app, &managed.game).await?;
    let page = ReportPage { managed, report, zone: call.viewer.zone.clone() };
    Ok(super::html(call, "Report", &page)?.into())
}
