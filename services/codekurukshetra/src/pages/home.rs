//! `GET /event`: where everybody starts.

use askama::Template;
use monotable_kit::Html;

use super::{money, time};
use crate::api::prelude::*;
use crate::rules::registration::Window;

/// The content of the page.
#[derive(Template)]
#[template(path = "home.html")]
struct HomePage {
    config: Config,
    dates: [String; 2],
    closes: String,
    window: Window,
    fee: String,
    places_left: u64,
    is_registered: bool,
    is_judge: bool,
    is_admin: bool,
}

/// Shows the event: its dates, its tracks, and whether teams can register.
#[operation(GET "/event", public, refuses(NotConfigured))]
async fn home_page(app: &App, call: &Call) -> Answer<Html> {
    let config = app.config().await?;
    let used = app.db.totals().await?.map_or(0, |totals| totals.slots_used);
    let principal = call.principal.as_ref();
    let is_registered = match principal {
        Some(_) => policy::own_participant(app, call).await?.is_some(),
        None => false,
    };
    let page = HomePage {
        dates: [config.event_start, config.event_end].map(|at| time(&config, at)),
        closes: time(&config, config.registration_end),
        window: Window::at(&config, app.db.now()),
        fee: money(config.team_fee, &config.currency),
        places_left: u64::from(config.max_teams).saturating_sub(used),
        is_registered,
        is_judge: principal.is_some_and(policy::is_judge),
        is_admin: principal.is_some_and(policy::is_admin),
        config,
    };
    Ok(Html::new(call, page.config.event_name.clone(), &page)?.into())
}
