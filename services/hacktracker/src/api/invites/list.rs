//! `GET /teams/{teamId}/invites`: lists the invitations of a team.

use monotable_kit::{Answer, Call, Page, Paged, operation};

use super::InviteView;
use crate::api::TeamPath;
use crate::app::App;
use crate::policy::{self, Action};
use crate::refusal;
use crate::table::HackTrackerReads as _;

/// Lists the invitations of a team: pending, accepted, revoked or expired.
#[operation(GET "/teams/{teamId}/invites", refuses(refusal::MANAGING))]
pub(crate) async fn list_invites(
    app: &App,
    call: &Call<TeamPath, (), Paged>,
) -> Answer<Page<InviteView>> {
    let team_id = &call.path.team_id;
    policy::authorize(app, call, team_id, Action::Invite).await?;
    let page = call.page().of(app.db.invites(team_id)).await?;
    let now = app.db.now();
    Ok(Page::of(page, |invite| InviteView::at(invite, now)).into())
}
