//! `DELETE /hackathon/team/{teamId}/invites/{inviteId}`: revokes an invitation.

use super::delete_letter;
use crate::api::prelude::*;

/// Revokes an invitation that nobody has accepted.
#[operation(
    DELETE "/hackathon/team/{teamId}/invites/{inviteId}", once,
    refuses(NotFound, Forbidden, InvalidState)
)]
pub(crate) async fn revoke_invite(app: &App, call: &Call<InvitePath>) -> Answer<NoContent> {
    let InvitePath { team_id, invite_id } = &call.path;
    policy::team(app, call, team_id, Action::Edit).await?;
    let invite = app.db.invite(invite_id).await?;
    let invite = invite.filter(|it| it.team_id == *team_id).ok_or(Refusal::NotFound)?;
    Refusal::InvalidState.unless(invite.accepted_by.is_none())?;
    let mut tx = call.transact(&app.db).or_retry();
    tx.add(delete(&invite));
    delete_letter(&mut tx, &invite)?;
    tx.respond(|_| NoContent).await
}
