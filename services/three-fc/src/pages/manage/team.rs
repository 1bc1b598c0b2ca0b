//! `GET /manage/seasons/{seasonId}/teams/{teamId}`: a team of a season.

use monotable_kit::{Form, Html};

use super::{ManagePage, Section};
use crate::api::prelude::*;
use crate::api::teams::{TeamView, delete, update};

/// Shows a team to the admins of its league.
#[operation(
    GET "/manage/seasons/{seasonId}/teams/{teamId}", refuses(refusal::ADMINISTERING, NotFound)
)]
async fn manage_team(app: &App, call: &Call<TeamPath>) -> Answer<Html> {
    let TeamPath { season_id, team_id } = &call.path;
    let (season, _) = policy::season(app, call, season_id, Action::Administer).await?;
    let team = app.db.team(season_id, team_id).await?.ok_or(Refusal::NotFound)?;
    let path = format!("/manage/seasons/{season_id}");
    let change = Form::of(call, &update::route()).values(&TeamView::of(&team));
    let change = change.submit("Save the team").then(&path);
    let delete = Form::of(call, &delete::route()).submit("Delete the team").then(&path);
    let page = ManagePage {
        above: vec![(path, season.name)],
        title: team.name,
        sections: vec![Section::settings([("Name and colour", change), ("Delete", delete)])],
    };
    Ok(page.html(call)?.into())
}
