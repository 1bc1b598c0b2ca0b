//! `GET /organise/log`: what organisers must look at, and what was done this month.

use askama::Template;
use monotable_kit::Html;

use super::super::time;
use crate::api::prelude::*;

/// Lines of each list.
const LINES: usize = 50;

/// The content of the page.
#[derive(Template)]
#[template(path = "organise/log.html")]
struct LogPage {
    alerts: Vec<(String, Alert)>,
    entries: Vec<(String, Audit)>,
}

/// Shows the alerts and the audit of this month to organisers.
#[operation(GET "/organise/log", refuses(Forbidden, NotConfigured))]
async fn log_page(app: &App, call: &Call) -> Answer<Html> {
    policy::administer(call)?;
    let (config, month) = (app.config().await?, Month::of(app.db.now()));
    let alerts = app.db.alerts(&month).take(LINES).page().await?.rows;
    let entries = app.db.audit(&month).take(LINES).page().await?.rows;
    let page = LogPage {
        alerts: alerts.into_iter().map(|alert| (time(&config, alert.at), alert)).collect(),
        entries: entries.into_iter().map(|entry| (time(&config, entry.at), entry)).collect(),
    };
    Ok(Html::new(call, "Alerts and audit", &page)?.into())
}
