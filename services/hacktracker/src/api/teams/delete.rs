//! `DELETE /teams/{teamId}`: deletes a team for 30 days, and then for good.

use monotable::model::time::Timestamp;
use monotable::model::{create, edit};
use monotable_kit::{Answer, Call, Json, Secret, View, operation};

use super::{GRACE, mark_deleted};
use crate::api::{TeamPath, announce, audit};
use crate::app::App;
use crate::jobs::purge;
use crate::policy::{self, Action};
use crate::refusal::{self, Refusal};
use crate::table::TeamId;

/// A team that is deleted. Only this response has the token that brings it back.
#[derive(View)]
pub(crate) struct DeletedTeam {
    #[view(example = "t1")]
    team_id: TeamId,
    #[view(example = "2026-06-01T09:30:00.000Z")]
    deleted_at: Option<Timestamp>,
    #[view(example = "2026-07-01T09:30:00.000Z")]
    purge_after: Option<Timestamp>,
    #[view(secret, example = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8")]
    recovery_token: String,
}

/// Deletes a team. It can be brought back for 30 days.
#[operation(DELETE "/teams/{teamId}", once, if_match, refuses(refusal::MANAGING))]
pub(crate) async fn delete_team(app: &App, call: &Call<TeamPath>) -> Answer<Json<DeletedTeam>> {
    let team_id = &call.path.team_id;
    let team = policy::authorize(app, call, team_id, Action::DeleteTeam).await?.team;
    call.check_version(team.stamps.version)?;
    let secret = Secret::generate(&*app.randomness);
    let now = app.db.now();
    let entry = audit::entry(app, call, team_id, "deleteTeam", format!("TEAM#{team_id}"))?;
    let mut tx = app.db.transact();
    let deleted = tx.add(edit(&team, |team| mark_deleted(team, now, Some(secret.hash()))));
    tx.add(create(entry.was("status", "active").is("status", "deleted")));
    tx.add(create(purge::of_team(team_id, now + GRACE)?));
    let answer = call
        .commit(tx)
        .refuse(deleted, Refusal::TeamDeleted)
        .or_retry()
        .respond(move |done| {
            let team = &done[deleted];
            Json(DeletedTeam {
                team_id: team.team_id.clone(),
                deleted_at: team.deleted_at,
                purge_after: team.purge_after,
                recovery_token: secret.reveal().to_owned(),
            })
        })
        .await?;
    announce::ask_again(app, team_id).await;
    Ok(answer)
}
