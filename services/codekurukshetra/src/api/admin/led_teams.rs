//! `GET /hackathon/admin/participants/{participantId}/teams`: lists the teams that a participant leads.

use super::registrations::RegistrationView;
use crate::api::prelude::*;

/// Lists the teams that a participant leads.
#[operation(GET "/hackathon/admin/participants/{participantId}/teams", refuses(Forbidden))]
pub(crate) async fn list_led_teams(
    app: &App,
    call: &Call<ParticipantPath, (), Paged>,
) -> Answer<Page<RegistrationView>> {
    policy::administer(call)?;
    let teams = app.db.teams_led_by(&call.path.participant_id);
    Ok(Page::of(call.page().of(teams).await?, RegistrationView::of).into())
}
