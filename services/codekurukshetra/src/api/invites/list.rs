//! `GET /hackathon/team/{teamId}/invites`: lists the invitations to a team.

use super::InviteView;
use crate::api::participants::note_read;
use crate::api::prelude::*;
use crate::api::teams::is_foreign;

/// Lists the invitations to a team, without their codes.
#[operation(GET "/hackathon/team/{teamId}/invites", refuses(NotFound, Forbidden))]
pub(crate) async fn list_invites(
    app: &App,
    call: &Call<TeamPath, (), Paged>,
) -> Answer<Page<InviteView>> {
    let granted = policy::team(app, call, &call.path.team_id, Action::Edit).await?;
    if is_foreign(&granted) {
        note_read(app, call, format!("TEAM#{}", granted.team.team_id)).await?;
    }
    let page = call.page().of(app.db.invites_of(&granted.team.team_id)).await?;
    let now = app.db.now();
    Ok(Page::of(page, |invite| InviteView::at(invite, now)).into())
}
