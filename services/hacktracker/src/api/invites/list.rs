//! `GET /teams/{teamId}/invites`: lists the invitations of a team.

use super::InviteView;
use crate::api::prelude::*;

/// Lists the invitations of a team: pending, accepted, revoked or expired.
#[operation(GET "/teams/{teamId}/invites", refuses(refusal::MANAGING))]
async fn list_invites(app: &App, call: &Call<TeamPath, (), Paged>) -> Answer<Page<InviteView>> {
    let team_id = &call.path.team_id;
    policy::authorize(app, call, team_id, Action::Invite).await?;
    let page = call.page().of(app.db.invites(team_id)).await?;
    let now = app.db.now();
    Ok(Page::of(page, |invite| InviteView::at(invite, now)).into())
}
