//! `POST /teams/{teamId}/transfer`: makes another member the owner of a team.

use super::TeamView;
use crate::api::prelude::*;
use crate::api::users;

/// The new owner of a team.
#[derive(Debug, Body)]
pub(crate) struct Heir {
    /// A member of the team.
    user_id: UserId,
}

/// Makes another member the owner, and you a manager.
#[operation(
    POST "/teams/{teamId}/transfer", once, if_match, refuses(refusal::MANAGING, UserNotFound)
)]
async fn transfer_team(app: &App, call: &Call<TeamPath, Heir>) -> Answer<Json<TeamView>> {
    let (team_id, user_id) = (&call.path.team_id, &call.body.user_id);
    let granted = policy::authorize(app, call, team_id, Action::TransferTeam).await?;
    call.check_version(granted.team.stamps.version)?;
    if user_id == granted.user_id() {
        return Err(Problem::field("userId", "is the owner already"));
    }
    let heir = app.db.membership(user_id, team_id).await?.filter(Membership::is_active);
    let heir = heir.ok_or(Refusal::UserNotFound)?;
    let account = app.db.user(user_id).consistent().await?.filter(User::is_active);
    let account = account.ok_or(Refusal::UserNotFound)?;
    let entry = audit::entry(app, call, team_id, "transferTeam", format!("TEAM#{team_id}"))?
        .was("ownerId", granted.user_id().as_str())
        .is("ownerId", user_id.as_str());
    let mut tx = call.transact(&app.db).or_retry();
    let team = edit(&granted.team, |team| team.owner_id = user_id.clone());
    let team = tx.require(team, Refusal::TeamDeleted);
    let member = tx.add(edit(&granted.membership, |member| member.role = Role::Manager));
    tx.add(edit(&heir, |member| member.role = Role::Owner));
    users::change_teams(app, &mut tx, &account).await?;
    tx.add(create(entry));
    tx.respond(move |done| Json(TeamView::of_member(&done[team], &done[member]))).await
}
