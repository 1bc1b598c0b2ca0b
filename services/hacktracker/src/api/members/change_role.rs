//! `PUT /teams/{teamId}/members/{userId}`: gives a member another role.

use super::{MembershipView, ROLES, rules_over};
use crate::api::prelude::*;

/// The new role of a member.
#[derive(Debug, Body)]
pub(crate) struct NewRole {
    #[body(words = ROLES, example = "scorekeeper")]
    role: Role,
}

/// Changes the role of a member. Ownership can only be transferred.
#[operation(
    PUT "/teams/{teamId}/members/{userId}", once, if_match,
    refuses(refusal::MANAGING, RoleCeiling, UserNotFound)
)]
async fn change_role(app: &App, call: &Call<MemberPath, NewRole>) -> Answer<Json<MembershipView>> {
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
    let mut tx = scope::change(app, call, team_id);
    let changed = tx.add(edit(&member, |member| member.role = role));
    tx.add(create(entry));
    tx.respond(move |done| Json(MembershipView::of(&done[changed]))).await
}
