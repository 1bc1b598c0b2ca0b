//! `GET /hackathon/admin/capacity`: how many places are left.

use crate::api::prelude::*;

/// The places of the event.
#[derive(View)]
#[view(case = "snake")]
pub(crate) struct CapacityView {
    #[view(example = 500)]
    max_teams: u32,
    /// Places that are held or confirmed.
    #[view(example = 401)]
    slots_used: u64,
    /// Places that are left.
    #[view(example = 99)]
    places_left: u64,
    /// Teams that wait for a place.
    waitlisted: usize,
}

/// Returns how many places the event has, and how many are left.
#[operation(GET "/hackathon/admin/capacity", refuses(Forbidden, NotConfigured))]
pub(crate) async fn get_capacity(app: &App, call: &Call) -> Answer<Json<CapacityView>> {
    policy::administer(call)?;
    let max_teams = app.config().await?.max_teams;
    let slots_used = app.db.totals().await?.map_or(0, |totals| totals.slots_used);
    let places_left = u64::from(max_teams).saturating_sub(slots_used);
    let waitlisted = app.db.waitlist().count().await?;
    Ok(Json(CapacityView { max_teams, slots_used, places_left, waitlisted }).into())
}
