//! `GET /hackathon/me`: returns the caller's registration.

use crate::api::participants::{ParticipantView, linked};
use crate::api::prelude::*;
use crate::api::teams::{Sight, TeamView};

/// The caller, and the caller's registration if there is one.
#[derive(View)]
#[view(case = "snake", differs_by_viewer)]
pub(crate) struct MeView {
    account_id: AccountId,
    #[view(example = "ananya@example.org")]
    email: Option<String>,
    email_verified: bool,
    is_admin: bool,
    is_judge: bool,
    participant: Option<ParticipantView>,
    team: Option<TeamView>,
}

/// Returns your registration. With your first request, your account is linked to the participant with your verified
/// e-mail address.
#[operation(GET "/hackathon/me")]
pub(crate) async fn get_me(app: &App, call: &Call) -> Answer<Json<MeView>> {
    let principal = call.principal()?;
    let participant = linked(app, call).await?;
    let team = match &participant {
        Some(participant) => app.db.team(&participant.team_id).await?,
        None => None,
    };
    let team = match team {
        Some(team) => {
            let granted = policy::roles(app, call, &team.team_id).await?;
            let members = app.cashier.members(&team).await?;
            Some(TeamView::to(&Sight::of(&granted), &granted.team, &members))
        }
        None => None,
    };
    let participant = participant.map(|it| ParticipantView::to_confidant(app, &it)).transpose()?;
    let view = MeView {
        account_id: policy::account(call)?,
        email: principal.email.clone(),
        email_verified: principal.email_verified,
        is_admin: policy::is_admin(principal),
        is_judge: policy::is_judge(principal),
        participant,
        team,
    };
    Ok(Json(view).into())
}
