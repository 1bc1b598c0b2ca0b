//! Arrivals: participants show a code, and organisers scan or type it.

pub(crate) mod arrive;
pub(crate) mod ticket;
pub(crate) mod undo;

use crate::api::codes;
use crate::api::prelude::*;

/// The arrival of a participant.
#[derive(Clone, View)]
#[view(case = "snake")]
pub(crate) struct ArrivalView {
    participant_id: ParticipantId,
    #[view(example = "Asha Rao")]
    name: String,
    team_id: TeamId,
    #[view(example = "Code Warriors")]
    team_name: String,
    /// When the code was scanned first.
    checked_in_at: Timestamp,
    /// Whether this was the first time.
    is_first: bool,
    /// Members of the team who have arrived.
    #[view(example = 3)]
    team_arrived: usize,
    #[view(example = 4)]
    team_members: usize,
}

/// Returns the participant with a code, and the team, which takes part.
///
/// # Errors
/// 404 if nobody has the code, 409 if the team does not take part.
async fn holder(app: &App, code: &str) -> Result<(Participant, Team), Problem> {
    let unknown = || Refusal::NotFound.text("Nobody has this code.");
    let code = codes::normal(code);
    let mut teams = app.db.teams_by_status(PaymentStatus::Paid).stream();
    while let Some(team) = teams.next().await {
        let team = team?;
        let has_code = |id: &&ParticipantId| codes::normal(&codes::arrival(app, id)) == code;
        if let Some(participant_id) = team.member_ids.iter().find(has_code) {
            return participant_of_event(app, participant_id).await;
        }
    }
    Err(unknown())
}

/// Returns a participant and the team, which takes part.
///
/// # Errors
/// 404 if there is no such participant, or an erased one; 409 if the team does not take part.
pub(crate) async fn participant_of_event(
    app: &App,
    participant_id: &ParticipantId,
) -> Result<(Participant, Team), Problem> {
    let participant = app.db.participant(participant_id).await?;
    let participant = participant.filter(|one| one.erased_at.is_none()).ok_or(Refusal::NotFound)?;
    let team = app.db.team(&participant.team_id).await?.ok_or(Refusal::NotFound)?;
    require_confirmed(&team)?;
    Ok((participant, team))
}

/// Refuses teams that do not take part.
///
/// # Errors
/// 409 if the registration is not confirmed.
pub(crate) fn require_confirmed(team: &Team) -> Result<(), Problem> {
    if team.registration() == RegistrationStatus::Confirmed {
        Ok(())
    } else {
        Err(Refusal::InvalidState.text("The registration of the team is not confirmed."))
    }
}

/// Returns the members of a team who have arrived.
///
/// # Errors
/// What the table reports.
pub(crate) async fn arrived(app: &App, team: &Team) -> Result<Vec<CheckIn>, Problem> {
    let keys: Vec<CheckInKey> = team.member_ids.iter().cloned().map(CheckInKey::new).collect();
    Ok(app.db.check_ins(&keys).await?.into_iter().flatten().collect())
}
