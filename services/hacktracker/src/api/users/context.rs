//! `GET /users/context`: the caller's teams and roles, for the first screen.

use super::{current, teams_of};
use crate::api::prelude::*;
use crate::api::teams::TeamView;

/// Your teams, and your role in each.
#[derive(View)]
pub(crate) struct ContextView {
    user_id: UserId,
    #[view(name = "has_personal_context", example = false)]
    has_personal_context: bool,
    #[view(name = "has_managed_context", example = true)]
    has_managed_context: bool,
    teams: Vec<TeamView>,
    count: usize,
}

/// Returns your teams. Creates your account on first use.
#[operation(GET "/users/context")]
async fn get_context(app: &App, call: &Call) -> Answer<Json<ContextView>> {
    let user_id = current(app, call).await?.user_id;
    let teams = teams_of(app, &user_id).await?;
    let has = |kind| teams.iter().any(|(team, _)| team.kind() == kind);
    Ok(Json(ContextView {
        has_personal_context: has(TeamType::Personal),
        has_managed_context: has(TeamType::Managed),
        count: teams.len(),
        teams: teams.iter().map(|(team, member)| TeamView::of_member(team, member)).collect(),
        user_id,
    })
    .into())
}
