//! `GET /manage/seasons/{seasonId}`: a season, its match days and its teams.

use monotable_kit::{Form, Html};

use super::super::day;
use super::{Entry, ManagePage, Section, with_third_lengths};
use crate::api::prelude::*;
use crate::api::seasons::{self, SeasonView};
use crate::api::{sessions, teams};
use crate::legacy::whole;

/// Shows a season to those who run it.
#[operation(GET "/manage/seasons/{seasonId}", refuses(refusal::VIEWING))]
async fn manage_season(app: &App, call: &Call<SeasonPath>) -> Answer<Html> {
    let season_id = &call.path.season_id;
    let (season, granted) = policy::season(app, call, season_id, Action::View).await?;
    let days =
        whole::latest_first(&app.db, app.db.sessions(season_id), |it| it.session_date).await?;
    let of_season = app.db.teams(season_id).all().await?;
    let then = format!("/manage/seasons/{season_id}");
    let new_day = Form::of(call, &sessions::create::route())
        .without(&["sessionId"])
        .submit("Make the match day")
        .then("/manage/sessions/{sessionId}");
    let team = Form::of(call, &teams::create::route()).without(&["teamId"]);
    let team = team.submit("Add the team").then(&then);
    let days = days.into_iter().map(|session| {
        let name = day(&session.session_date);
        Entry::linked(format!("/manage/sessions/{}", session.session_id), name)
    });
    let is_admin = granted.is_admin();
    let names = of_season.into_iter().map(|team| Entry {
        path: is_admin.then(|| format!("{then}/teams/{}", team.team_id)),
        name: team.name,
        ..Entry::default()
    });
    let can_score = granted.allow(Action::Score).is_ok();
    let mut sections = vec![
        Section::list("Match days", days, can_score.then_some(("New match day", new_day))),
        Section::list("Teams", names, is_admin.then_some(("New team", team))),
    ];
    if is_admin {
        let change = Form::of(call, &seasons::update::route()).values(&SeasonView::of(&season));
        let change = with_third_lengths(change).submit("Save the season").then(&then);
        let delete = Form::of(call, &seasons::delete::route()).submit("Delete the season");
        let delete = delete.then(format!("/manage/leagues/{}", season.league_id));
        sections.push(Section::settings([("Name, days and ranking", change), ("Delete", delete)]));
    }
    let above = vec![
        (format!("/manage/leagues/{}", season.league_id), granted.league.name),
        (format!("/seasons/{season_id}"), "Page for everybody".to_owned()),
    ];
    Ok(ManagePage { above, title: season.name, sections }.html(call)?.into())
}
