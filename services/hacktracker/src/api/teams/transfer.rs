//! `POST /teams/{teamId}/transfer`: makes another member the owner of a team.

use monotable::model::{create, edit};
use monotable_kit::{Answer, Body, Call, Json, Problem, operation};

use super::TeamView;
use crate::api::{TeamPath, audit, users};
use crate::app::App;
use crate::policy::{self, Action};
use crate::refusal::{self, Refusal};
use crate::table::{HackTrackerReads as _, Membership, Role, User, UserId};

/// The new owner of a team.
#[derive(Debug, Body)]
pub(crate) struct Heir {
    /// A member of the team.
    #[body(example = "u2")]
    user_id: UserId,
}

/// Makes another member the owner, and you a manager.
#[operation(
    POST "/teams/{teamId}/transfer", once, if_match, refuses(refusal::MANAGING, UserNotFound)
)]
pub(crate) async fn transfer_team(
    app: &App,
    call: &Call<TeamPath, Heir>,
) -> Answer<Json<TeamView>> {
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
    let mut tx = app.db.transact();
    let team = tx.add(edit(&granted.team, |team| team.owner_id = user_id.clone()));
    let member = tx.add(edit(&granted.membership, |member| member.role = Role::Manager));
    tx.add(edit(&heir, |member| member.role = Role::Owner));
    let joined = users::change_teams(app, &mut tx, &account).await?;
    tx.add(create(entry));
    call.commit(tx)
        .retry(joined)
        .refuse(team, Refusal::TeamDeleted)
        .or_retry()
        .respond(move |done| Json(TeamView::of_member(&done[team], &done[member])))
        .await
}
