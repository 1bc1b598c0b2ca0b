//! `GET /hackathon/team/{teamId}`: returns a team with its members.

use super::{Sight, TeamView, is_foreign};
use crate::api::participants::note_read;
use crate::api::prelude::*;

/// Returns a team with its members: to these, to judges who score it, and to administrators, whose reading is
/// recorded.
#[operation(GET "/hackathon/team/{teamId}", refuses(NotFound))]
pub(crate) async fn get_team(app: &App, call: &Call<TeamPath>) -> Answer<Json<TeamView>> {
    let granted = policy::team(app, call, &call.path.team_id, Action::View).await?;
    let members = app.cashier.members(&granted.team).await?;
    if is_foreign(&granted) {
        note_read(app, call, format!("TEAM#{}", granted.team.team_id)).await?;
    }
    Ok(Json(TeamView::to(&Sight::of(&granted), &granted.team, &members)).into())
}
