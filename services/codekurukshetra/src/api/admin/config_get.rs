//! `GET /hackathon/admin/config`: all settings of the event.

use crate::api::prelude::*;

/// All settings of the event.
#[derive(View)]
#[view(of = Config, case = "snake")]
pub(crate) struct SettingsView {
    #[view(example = "CodeKurukshetra")]
    event_name: String,
    registration_open: bool,
    registration_start: Timestamp,
    registration_end: Timestamp,
    event_start: Timestamp,
    event_end: Timestamp,
    #[view(example = 99_900)]
    team_fee: u64,
    #[view(example = 4)]
    max_team_size: u8,
    #[view(example = 2)]
    min_team_size: u8,
    #[view(example = 500)]
    max_teams: u32,
    tracks: Vec<Track>,
    #[view(example = "INR")]
    currency: String,
    #[view(example = "Asia/Kolkata")]
    timezone: String,
    #[view(example = 24)]
    hold_hours: u16,
    #[view(example = 180)]
    retention_days: u32,
    #[view(example = "desk@example.org")]
    contact_email: Option<String>,
    #[view(stamps)]
    stamps: Changes,
}

/// Returns all settings of the event.
#[operation(GET "/hackathon/admin/config", refuses(Forbidden, NotConfigured))]
pub(crate) async fn get_settings(app: &App, call: &Call) -> Answer<Json<SettingsView>> {
    policy::administer(call)?;
    Ok(Json(SettingsView::of(&app.config().await?)).into())
}
