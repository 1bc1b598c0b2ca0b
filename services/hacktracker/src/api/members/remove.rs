//! `DELETE /teams/{teamId}/members/{userId}`: removes a member, or leaves the team.

use super::rules_over;
use crate::api::links::{slot_of, unlink_player};
use crate::api::prelude::*;

/// Removes a member, or leaves the team. The roster slot becomes a ghost.
#[operation(
    DELETE "/teams/{teamId}/members/{userId}", once, if_match,
    refuses(refusal::MANAGING, RoleCeiling, UserNotFound, OwnerCannotLeave)
)]
async fn remove_member(app: &App, call: &Call<MemberPath>) -> Answer<NoContent> {
    let MemberPath { team_id, user_id } = &call.path;
    let granted = policy::member(app, call, team_id).await?;
    let leaves = user_id == granted.user_id();
    if !leaves {
        granted.allow(Action::RemoveMembers)?;
    }
    let member = call.path.member(app).await?;
    call.check_version(member.stamps.version)?;
    if leaves && member.role == Role::Owner {
        return Err(owner_cannot_leave(granted.team.kind()));
    }
    if !leaves && !rules_over(granted.membership.role, member.role) {
        return Err(Refusal::RoleCeiling.into());
    }
    let (status, action) = if leaves {
        (MembershipStatus::Left, "leaveTeam")
    } else {
        (MembershipStatus::Removed, "removeMember")
    };
    let entity = format!("MEMBER#{user_id}");
    let entry = audit::entry(app, call, team_id, action, entity)?.was("role", member.role.word());
    let mut tx = scope::change(app, call, team_id);
    tx.add(edit(&member, |member| member.status = status));
    tx.add(create(entry));
    if let Some(player) = slot_of(app, team_id, user_id).await? {
        let team = Some(&granted.team);
        unlink_player(&app.db, &mut tx, team, &player, user_id, |_| {}).await?;
    }
    counts::count(&app.db, &mut tx, team_id, -1, 0).await?;
    tx.afterwards(announce::ask_again(app, team_id)).respond(|_| NoContent).await
}

fn owner_cannot_leave(kind: TeamType) -> Problem {
    match kind {
        TeamType::Managed => Refusal::OwnerCannotLeave.into(),
        TeamType::Personal => Refusal::OwnerCannotLeave
            .text("A personal team has no other members; it stays until you delete your account."),
    }
}
