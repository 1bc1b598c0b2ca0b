//! `GET /teams/{teamId}`: returns a team.

use super::TeamView;
use crate::api::prelude::*;

/// A team, with the caller's role.
#[derive(View)]
#[view(differs_by_viewer)]
pub(crate) struct OwnTeam {
    #[view(flatten)]
    team: TeamView,
}

/// Returns a team of which you are a member.
#[operation(GET "/teams/{teamId}", refuses(refusal::VIEWING))]
async fn get_team(app: &App, call: &Call<TeamPath>) -> Answer<Json<OwnTeam>> {
    let granted = policy::authorize(app, call, &call.path.team_id, Action::View).await?;
    let team = TeamView::of_member(&granted.team, &granted.membership);
    Ok(Json(OwnTeam { team }).into())
}
