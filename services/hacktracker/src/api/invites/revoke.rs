//! `DELETE /teams/{teamId}/invites/{inviteId}`: takes an invitation back.

use super::{delete_letter, not_pending};
use crate::api::members::rules_over;
use crate::api::prelude::*;

/// Revokes an invitation.
#[operation(
    DELETE "/teams/{teamId}/invites/{inviteId}", once, if_match,
    refuses(refusal::MANAGING, RoleCeiling, InviteNotFound, InviteNotPending)
)]
async fn revoke_invite(app: &App, call: &Call<InvitePath>) -> Answer<NoContent> {
    let InvitePath { team_id, invite_id } = &call.path;
    let granted = policy::authorize(app, call, team_id, Action::Invite).await?;
    let invite = app.db.invite(invite_id).consistent().await?;
    let invite = invite.filter(|invite| invite.team_id == *team_id);
    let invite = invite.ok_or(Refusal::InviteNotFound)?;
    call.check_version(invite.stamps.version)?;
    let is_own = invite.created_by == *granted.user_id();
    if !is_own && !rules_over(granted.membership.role, invite.role) {
        return Err(Refusal::RoleCeiling.into());
    }
    if !invite.is_open() {
        return Err(not_pending(&invite));
    }
    let entity = format!("INVITE#{invite_id}");
    let mut tx = scope::change(app, call, team_id);
    tx.add(edit(&invite, |invite| invite.status = InviteStatus::Revoked));
    tx.add(create(audit::entry(app, call, team_id, "revokeInvite", entity)?));
    counts::count(&app.db, &mut tx, team_id, 0, -1).await?;
    delete_letter(&mut tx, &invite)?;
    tx.respond(|_| NoContent).await
}
