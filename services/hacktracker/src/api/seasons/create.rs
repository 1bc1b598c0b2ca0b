//! `POST /teams/{teamId}/seasons`: begins a season.

use super::SeasonView;
use crate::api::prelude::*;

/// A season to begin.
#[derive(Debug, Body)]
pub(crate) struct NewSeason {
    #[body(length = 1..=50, example = "Spring 2026")]
    name: String,
    #[body(example = "2026-03-01")]
    starts_on: Option<Date>,
    /// Not before startsOn.
    #[body(example = "2026-05-31")]
    ends_on: Option<Date>,
}

/// Begins a season.
#[operation(POST "/teams/{teamId}/seasons", once, refuses(refusal::MANAGING))]
pub(crate) async fn create_season(
    app: &App,
    call: &Call<TeamPath, NewSeason>,
) -> Answer<Created<SeasonView>> {
    let NewSeason { name, starts_on, ends_on } = &call.body;
    if starts_on.zip(*ends_on).is_some_and(|(first, last)| last < first) {
        return Err(Problem::field("endsOn", "is before startsOn"));
    }
    let team_id = &call.path.team_id;
    policy::authorize(app, call, team_id, Action::ManageSeasons).await?;
    let mut tx = scope::change(app, call, team_id);
    let season = tx.add(create(Season {
        team_id: team_id.clone(),
        season_id: app.new_id()?,
        name: name.clone(),
        starts_on: *starts_on,
        ends_on: *ends_on,
        stamps: Stamps::default(),
    }));
    tx.respond(move |done| Created(SeasonView::of(&done[season]))).await
}
