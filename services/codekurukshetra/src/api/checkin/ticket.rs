//! `GET /hackathon/participant/{participantId}/ticket`: what a participant shows at the arrival.

use super::participant_of_event;
use crate::api::codes;
use crate::api::participants::note_read;
use crate::api::prelude::*;

/// What a participant shows at the arrival.
#[derive(View)]
#[view(case = "snake")]
pub(crate) struct TicketView {
    pub(crate) participant_id: ParticipantId,
    #[view(example = "Asha Rao")]
    pub(crate) name: String,
    #[view(example = "Code Warriors")]
    pub(crate) team_name: String,
    /// The code, to be typed.
    #[view(example = "7K3M-9QWX-0A2B")]
    pub(crate) code: String,
    /// The address that the QR code contains.
    #[view(example = "https://example.org/codekurukshetra/check-in?code=7K3M-9QWX-0A2B")]
    pub(crate) url: String,
    /// When the participant arrived.
    pub(crate) checked_in_at: Option<Timestamp>,
    /// The address of the certificate, after the arrival.
    #[view(example = "https://example.org/codekurukshetra/certificates/participant-1.0a1b")]
    pub(crate) certificate_url: Option<String>,
}

/// Returns the code that a participant shows at the arrival: for the participant, the leader of the team, and
/// organisers.
#[operation(
    GET "/hackathon/participant/{participantId}/ticket", refuses(NotFound, Forbidden, InvalidState)
)]
pub(crate) async fn get_ticket(
    app: &App,
    call: &Call<ParticipantPath>,
) -> Answer<Json<TicketView>> {
    let participant_id = &call.path.participant_id;
    let stored = app.db.participant(participant_id).await?.ok_or(Refusal::NotFound)?;
    let granted = policy::team(app, call, &stored.team_id, Action::View).await?;
    let is_own = granted.participant.is_some_and(|own| own.participant_id == *participant_id);
    let is_admin = granted.roles.contains(&Role::Admin);
    let may_see = is_own || is_admin || granted.roles.contains(&Role::Leader);
    Refusal::Forbidden.unless(may_see)?;
    let (participant, team) = participant_of_event(app, participant_id).await?;
    if is_admin && !is_own {
        note_read(app, call, Participant::row_name(participant_id)).await?;
    }
    Ok(Json(ticket(app, call, &participant, &team).await?).into())
}

/// Returns the ticket of a participant whose team takes part.
///
/// # Errors
/// Returns the errors of the table.
pub(crate) async fn ticket(
    app: &App,
    call: &Request,
    participant: &Participant,
    team: &Team,
) -> Result<TicketView, Problem> {
    let participant_id = &participant.participant_id;
    let check_in = app.db.check_in(participant_id).await?;
    let certificate = || format!("/certificates/{}", codes::certificate(app, participant_id));
    let code = codes::arrival(app, participant_id);
    Ok(TicketView {
        participant_id: participant_id.clone(),
        name: participant.full_name(),
        team_name: team.name.0.clone(),
        url: call.url(&format!("/check-in?code={code}")),
        code,
        certificate_url: check_in.is_some().then(|| call.url(&certificate())),
        checked_in_at: check_in.map(|one| one.checked_in_at),
    })
}
