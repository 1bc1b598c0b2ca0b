//! `PUT /teams/{teamId}`: renames or describes a team.

use monotable::model::edit;
use monotable_kit::{Answer, Body, Call, Json, Patch, operation};

use super::TeamView;
use crate::api::TeamPath;
use crate::api::fields::{Fields, set};
use crate::app::App;
use crate::policy::{self, Action};
use crate::{names, refusal};

/// What changes of a team.
#[derive(Debug, Body)]
#[body(
    read_only(
        "teamId",
        "ownerId",
        "status",
        "deletedAt",
        "purgeAfter",
        "createdAt",
        "updatedAt",
        "ver",
        "role",
        "team_type",
        "teamType"
    ),
    not_empty
)]
pub(crate) struct TeamChanges {
    /// Letters and digits of any script, spaces and -'.&.
    #[body(length = 3..=50, example = "Seattle Sluggers")]
    name: Option<String>,
    /// An empty text or null removes it.
    #[body(length = 0..=500, example = "Fridays")]
    description: Patch<String>,
}

/// Renames or describes a team. A personal team can be renamed only.
#[operation(PUT "/teams/{teamId}", once, if_match, refuses(refusal::MANAGING))]
pub(crate) async fn update_team(
    app: &App,
    call: &Call<TeamPath, TeamChanges>,
) -> Answer<Json<TeamView>> {
    let TeamChanges { name, description } = &call.body;
    let mut fields = Fields::default();
    let name = fields.read("name", name.as_deref(), names::team);
    fields.check()?;
    let granted = policy::member(app, call, &call.path.team_id).await?;
    if name.is_some() {
        granted.allow(Action::RenameTeam)?;
    }
    if *description != Patch::Keep {
        granted.allow(Action::DescribeTeam)?;
    }
    call.check_version(granted.team.stamps.version)?;
    let description = match description.clone() {
        Patch::Set(text) if text.is_empty() => Patch::Remove,
        description => description,
    };
    let mut tx = app.db.transact();
    let team = tx.add(edit(&granted.team, |team| {
        set(&mut team.name, name);
        description.apply(&mut team.description);
    }));
    let membership = granted.membership;
    call.commit(tx).respond(move |done| Json(TeamView::of_member(&done[team], &membership))).await
}
