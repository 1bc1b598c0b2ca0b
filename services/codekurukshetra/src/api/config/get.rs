//! `GET /hackathon/config`: the settings of the event that everybody may know.

use crate::api::prelude::*;
use crate::rules::registration::Window;

/// The settings of the event.
#[derive(View)]
#[view(of = Config, case = "snake")]
pub(crate) struct ConfigView {
    /// The name of the event.
    event_name: String,
    /// Whether teams can register now.
    #[view(absent)]
    is_open: bool,
    /// Whether registration is open between its dates.
    registration_open: bool,
    registration_start: Timestamp,
    registration_end: Timestamp,
    event_start: Timestamp,
    event_end: Timestamp,
    /// The fee of a team, in the smallest unit of the currency.
    #[view(example = 99_900)]
    team_fee: u64,
    #[view(example = "INR")]
    currency: String,
    #[view(example = 4)]
    max_team_size: u8,
    #[view(example = 2)]
    min_team_size: u8,
    /// The teams that can take part.
    #[view(example = 500)]
    max_teams: u32,
    /// The places that are left.
    #[view(absent, example = 488)]
    places_left: u64,
    tracks: Vec<Track>,
    /// The time zone in which days begin.
    #[view(example = "Asia/Kolkata")]
    timezone: String,
    /// The hours for which a place is held until the payment.
    #[view(example = 24)]
    hold_hours: u16,
}

/// Returns the settings of the event, and how many places are left.
#[operation(GET "/hackathon/config", public, refuses(NotConfigured))]
pub(crate) async fn get_config(app: &App, _call: &Call) -> Answer<Json<ConfigView>> {
    let config = app.config().await?;
    let used = app.db.totals().await?.map_or(0, |totals| totals.slots_used);
    let mut view = ConfigView::of(&config);
    view.is_open = Window::at(&config, app.db.now()) == Window::Open;
    view.places_left = u64::from(config.max_teams).saturating_sub(used);
    Ok(Json(view).into())
}
