//! Seasons of a team, by which games and statistics are told apart.

use monotable::model::Entity as _;
use monotable::model::time::Date;
use monotable_kit::{Call, Problem, Reply};
use serde::Deserialize;

use super::paging;
use super::receipt::shown;
use super::scope::overtaken;
use crate::app::App;
use crate::entities::Season;
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
    let team = policy::authorize(app, call, &team_id, Action::ManageSeasons).await?.team;
    let season = Season {
        team_id,
        season_id: app.new_id()?,
        name,
        starts_on,
        ends_on,
        created_at: app.db.now(),
        updated_at: app.db.now(),
        ver: 0,
    };
    let created = app.db.transact().check(&team.key(), policy::is_active()).create(&season);
    let reply = |season: &Season| Reply::created(&show::season(season)).version(season.ver);
    call.commit(&app.db, created, move |receipt| shown(receipt, 1, reply), overtaken).await
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
