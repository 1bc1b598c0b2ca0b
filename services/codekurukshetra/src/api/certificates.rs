//! Certificates: anybody can verify one by its link.

pub(crate) mod verify;

use monotable_kit::paths;

use crate::api::codes;
use crate::api::prelude::*;

monotable_kit::ids!(
    /// The code of a certificate: a participant, and the signature of the service.
    CertificateCode,
);

paths! {
    /// The certificate that a path names.
    CertificatePath { code: CertificateCode }
}

/// A certificate of participation. It shows nothing else of a person than the name.
#[derive(View)]
#[view(case = "snake")]
pub(crate) struct CertificateView {
    #[view(example = "Asha Rao")]
    pub(crate) name: String,
    #[view(example = "Code Warriors")]
    pub(crate) team_name: String,
    #[view(example = "CodeKurukshetra")]
    pub(crate) event_name: String,
    pub(crate) event_start: Timestamp,
    pub(crate) event_end: Timestamp,
}

/// Returns the certificate of a code: of a participant who has arrived, in a team that takes part.
///
/// # Errors
/// Returns 404 if the service has not signed it, or the participant was erased since.
pub(crate) async fn certificate(
    app: &App,
    code: &CertificateCode,
) -> Result<CertificateView, Problem> {
    let unknown = || Refusal::NotFound.text("There is no such certificate.");
    let participant_id = codes::certified(app, code.as_str()).ok_or_else(unknown)?;
    let participant = app.db.participant(&participant_id).await?;
    let participant = participant.filter(|one| one.erased_at.is_none()).ok_or_else(unknown)?;
    let team = app.db.team(&participant.team_id).await?;
    let is_confirmed = |team: &Team| team.registration() == RegistrationStatus::Confirmed;
    let team = team.filter(is_confirmed).ok_or_else(unknown)?;
    app.db.check_in(&participant_id).await?.ok_or_else(unknown)?;
    let config = app.config().await?;
    Ok(CertificateView {
        name: participant.full_name(),
        team_name: team.name.0,
        event_name: config.event_name,
        event_start: config.event_start,
        event_end: config.event_end,
    })
}
