//! `GET /check-in`: the desk at the entrance, where codes are scanned or typed, also without a network.

use askama::Template;
use monotable_kit::{Form, Html};

use super::time;
use crate::api::checkin::{ListedArrival, arrivals, arrive, named};
use crate::api::prelude::*;

/// Arrivals that are shown.
const SHOWN: usize = 8;

/// The code that the QR code of a participant contains.
#[derive(Debug, Body)]
pub(crate) struct Code {
    #[body(length = 1..=40)]
    code: Option<String>,
}

/// The content of the page.
#[derive(Template)]
#[template(path = "check_in.html")]
struct CheckInPage {
    event_name: String,
    arrived: u64,
    form: Form,
    /// The latest first.
    latest: Vec<(ListedArrival, String)>,
}

/// Shows the desk at the entrance, to organisers.
#[operation(GET "/check-in", refuses(Forbidden, NotConfigured))]
async fn check_in_page(app: &App, call: &Call<(), (), Code>) -> Answer<Html> {
    policy::administer(call)?;
    let config = app.config().await?;
    let rows = app.db.latest_check_ins().take(SHOWN).page().await?.rows;
    let latest = named(app, call, &rows).await?.into_iter().map(|arrival| {
        let at = time(&config, arrival.checked_in_at);
        (arrival, at)
    });
    let form = Form::of(call, &arrive::route())
        .value("code", &call.query.code)
        .time("at")
        .submit("Check in")
        .then("/check-in")
        .queued();
    let page = CheckInPage {
        arrived: arrivals(app).await?.arrived,
        latest: latest.collect(),
        event_name: config.event_name,
        form,
    };
    let html = Html::new(call, "Check-in", &page)?;
    Ok(html.queued(call).live("/hackathon/admin/checkin/live").into())
}
