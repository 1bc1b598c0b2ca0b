//! `DELETE /teams/{teamId}`: deletes a team; after 30 days it is purged.

use super::{GRACE, mark_deleted};
use crate::api::prelude::*;
use crate::jobs::purge;

/// A deleted team. Only this response contains the token that restores it.
#[derive(View)]
#[view(of = Team)]
pub(crate) struct DeletedTeam {
    team_id: TeamId,
    #[view(example = "2026-06-01T09:30:00.000Z")]
    deleted_at: Option<Timestamp>,
    #[view(example = "2026-07-01T09:30:00.000Z")]
    purge_after: Option<Timestamp>,
    #[view(secret, absent, example = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8")]
    recovery_token: String,
}

/// Deletes a team. It can be restored for 30 days.
#[operation(DELETE "/teams/{teamId}", once, if_match, refuses(refusal::MANAGING))]
pub(crate) async fn delete_team(app: &App, call: &Call<TeamPath>) -> Answer<Json<DeletedTeam>> {
    let team_id = &call.path.team_id;
    let team = policy::authorize(app, call, team_id, Action::DeleteTeam).await?.team;
    call.check_version(team.stamps.version)?;
    let secret = Secret::generate(&*app.randomness);
    let now = app.db.now();
    let entry = audit::entry(app, call, team_id, "deleteTeam", format!("TEAM#{team_id}"))?;
    let mut tx = call.transact(&app.db).or_retry();
    let deleted = edit(&team, |team| mark_deleted(team, now, Some(secret.hash())));
    let deleted = tx.require(deleted, Refusal::TeamDeleted);
    tx.add(create(entry.was("status", "active").is("status", "deleted")));
    tx.add(create(purge::of_team(team_id, now + GRACE)?));
    tx.afterwards(announce::ask_again(app, team_id))
        .respond(move |done| {
            let recovery_token = secret.reveal().to_owned();
            Json(DeletedTeam { recovery_token, ..DeletedTeam::of(&done[deleted]) })
        })
        .await
}
