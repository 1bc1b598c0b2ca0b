//! `PUT /teams/{teamId}/members/{userId}`: gives a member another role.

use monotable::model::{create, edit};
use monotable_kit::{Answer, Body, Call, Json, operation};

use super::{MemberPath, MembershipView, ROLES, rules_over};
use crate::api::audit;
use crate::app::App;
use crate::policy::{self, Action};
use crate::refusal::{self, Refusal};
use crate::table::Role;

/// The new role of a member.
#[derive(Debug, Body)]
pub(crate) struct NewRole {
    #[body(words = ROLES, example = "scorekeeper")]
    role: Role,
}

/// Gives a member another role. The owner's goes by transfer only.
#[operation(
    PUT "/teams/{teamId}/members/{userId}", once, if_match,
    refuses(refusal::MANAGING, RoleCeiling, UserNotFound)
)]
pub(crate) async fn change_role(
    app: &App,
    call: &Call<MemberPath, NewRole>,
) -> Answer<Json<MembershipView>> {
    let (team_id, role) = (&call.path.team_id, call.body.role);
    let granted = policy::authorize(app, call, team_id, Action::ChangeRoles).await?;
    let member = call.path.member(app).await?;
    call.check_version(member.stamps.version)?;
    let own = granted.membership.role;
    if !rules_over(own, member.role) || !rules_over(own, role) {
        return Err(Refusal::RoleCeiling.into());
    }
    let entity = format!("MEMBER#{}", member.user_id);
    let entry = audit::entry(app, call, team_id, "changeRole", entity)?
        .was("role", member.role.word())
        .is("role", role.word());
    let mut tx = app.db.transact();
    let active = tx.add(policy::check_active(team_id));
    let changed = tx.add(edit(&member, |member| member.role = role));
    tx.add(create(entry));
    call.commit(tx)
        .refuse(active, Refusal::TeamDeleted)
        .or_retry()
        .respond(move |done| Json(MembershipView::of(&done[changed])))
        .await
}
