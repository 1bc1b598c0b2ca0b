//! `PUT /teams/{teamId}`: renames or describes a team.

use super::TeamView;
use crate::api::prelude::*;

/// Changes of a team.
#[derive(Debug, Body)]
#[body(not_empty, applies_to = Team, read_only_of = TeamView, read_only("teamType"))]
pub(crate) struct TeamChanges {
    /// Letters and digits of any script, spaces and -'.&.
    #[body(length = 3..=50, check = names::team, example = "Seattle Sluggers")]
    name: Option<String>,
    /// An empty text or null removes it.
    #[body(length = 0..=500, check = names::description, example = "Fridays")]
    description: Patch<String>,
}

/// Renames or describes a team. A personal team can be renamed only.
#[operation(PUT "/teams/{teamId}", once, if_match, refuses(refusal::MANAGING))]
async fn update_team(app: &App, call: &Call<TeamPath, TeamChanges>) -> Answer<Json<TeamView>> {
    let changes = &call.body;
    let granted = policy::member(app, call, &call.path.team_id).await?;
    if changes.name.is_some() {
        granted.allow(Action::RenameTeam)?;
    }
    if changes.description != Patch::Keep {
        granted.allow(Action::DescribeTeam)?;
    }
    call.check_version(granted.team.stamps.version)?;
    let mut tx = call.transact(&app.db);
    let team = tx.add(edit(&granted.team, |team| changes.apply(team)));
    let membership = granted.membership;
    tx.respond(move |done| Json(TeamView::of_member(&done[team], &membership))).await
}
