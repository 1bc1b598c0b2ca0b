//! Seasons of a team, by which games and statistics are told apart.

use monotable::model;
use monotable::model::time::Date;
use monotable_kit::{Call, Problem, Reply};
use serde::Deserialize;

use super::paging;
use crate::app::App;
use crate::entities::{Season, Stamps};
use crate::ids::TeamId;
use crate::patterns::HackTrackerReads as _;
use crate::policy::{self, Action};
use crate::show;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct NewSeason {
    name: String,
    starts_on: Option<Date>,
    ends_on: Option<Date>,
}

/// `POST /teams/{teamId}/seasons`.
pub(crate) async fn create(app: &App, call: &Call) -> Result<Reply, Problem> {
    let NewSeason { name, starts_on, ends_on } = call.read()?;
    if starts_on.zip(ends_on).is_some_and(|(first, last)| last < first) {
        return Err(Problem::field("endsOn", "is before startsOn"));
    }
    let team_id: TeamId = call.id("teamId")?;
    policy::authorize(app, call, &team_id, Action::ManageSeasons).await?;
    let mut tx = app.db.transact();
    let active = tx.add(policy::check_active(&team_id));
    let season = tx.add(model::create(Season {
        team_id,
        season_id: app.new_id()?,
        name,
        starts_on,
        ends_on,
        stamps: Stamps::default(),
    }));
    call.commit(tx)
        .refuse(active, policy::team_deleted())
        .or_retry()
        .reply(move |done| {
            let season = &done[season];
            Reply::created(&show::season(season)).version(season.stamps.version)
        })
        .await
}

/// `GET /teams/{teamId}/seasons`, in the order in which they were made.
pub(crate) async fn list(app: &App, call: &Call) -> Result<Reply, Problem> {
    let team_id: TeamId = call.id("teamId")?;
    policy::authorize(app, call, &team_id, Action::View).await?;
    let asked = call.page();
    let rows = app.db.seasons(&team_id).take(asked.limit);
    let seasons = paging::from(asked.next_token.as_ref(), rows).page().await?;
    Ok(Reply::page("seasons", seasons.rows.iter().map(show::season), seasons.next.as_ref()))
}
