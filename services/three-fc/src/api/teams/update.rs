//! `PATCH /v1/seasons/{seasonId}/teams/{teamId}`: renames a team.

use super::TeamView;
use crate::api::prelude::*;

/// What changes of a team. Games that were made before keep the name and the colour.
#[derive(Debug, Body)]
#[body(not_empty, applies_to = Team, read_only_of = TeamView)]
pub(crate) struct TeamChanges {
    #[body(length = 1..=40, check = checks::name, example = "Red")]
    name: Option<String>,
    /// As #RRGGBB, or by its name in CSS. Without a value it is removed.
    #[body(length = checks::COLOR_LENGTH, check = checks::color, example = "red", label = "Colour")]
    color: Patch<String>,
}

/// Renames a team, or gives it another colour.
#[operation(
    PATCH "/v1/seasons/{seasonId}/teams/{teamId}", once, if_match,
    refuses(refusal::ADMINISTERING, NotFound)
)]
async fn update_team(app: &App, call: &Call<TeamPath, TeamChanges>) -> Answer<Json<TeamView>> {
    let TeamPath { season_id, team_id } = &call.path;
    policy::season(app, call, season_id, Action::Administer).await?;
    let team = app.db.team(season_id, team_id).await?.ok_or(Refusal::NotFound)?;
    call.check_version(team.stamps.version)?;
    let mut tx = call.transact(&app.db).or_retry();
    let team = tx.add(edit(&team, |team| call.body.apply(team)));
    tx.respond(move |done| Json(TeamView::of(&done[team]))).await
}
