//! Arrivals: participants show a code, and organisers scan or type it.

pub(crate) mod arrive;
pub(crate) mod follow;
pub(crate) mod list;
pub(crate) mod ticket;
pub(crate) mod undo;

use crate::api::codes;
use crate::api::participants::note_reading;
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
    /// When the code was scanned.
    checked_in_at: Timestamp,
    /// Members of the team who have arrived.
    #[view(example = 3)]
    team_arrived: usize,
    #[view(example = 4)]
    team_members: usize,
}

/// An arrival in a list.
#[derive(View)]
#[view(case = "snake", list = "arrivals")]
pub(crate) struct ListedArrival {
    pub(crate) participant_id: ParticipantId,
    #[view(example = "Asha Rao")]
    pub(crate) name: String,
    pub(crate) team_id: TeamId,
    #[view(example = "Code Warriors")]
    pub(crate) team_name: String,
    pub(crate) checked_in_at: Timestamp,
}

/// Returns arrivals with the names of participants and teams, to an administrator, whose reading is recorded. Erased
/// participants have no name.
///
/// # Errors
/// Returns the errors of the table.
pub(crate) async fn named(
    app: &App,
    call: &Request,
    rows: &[CheckIn],
) -> Result<Vec<ListedArrival>, Problem> {
    if !rows.is_empty() {
        note_reading(app, call, "CHECKIN").await?;
    }
    let people = rows.iter().map(|row| ParticipantKey::new(row.participant_id.clone()));
    let people: Vec<ParticipantKey> = people.collect();
    let mut teams: Vec<TeamId> = rows.iter().map(|row| row.team_id.clone()).collect();
    teams.sort_unstable();
    teams.dedup();
    let teams: Vec<TeamKey> = teams.into_iter().map(TeamKey::new).collect();
    let (people, teams) =
        tokio::try_join!(app.db.participants_by_key(&people), app.db.teams_by_key(&teams))?;
    let teams: Vec<Team> = teams.into_iter().flatten().collect();
    let show = |(row, person): (&CheckIn, Option<Participant>)| ListedArrival {
        participant_id: row.participant_id.clone(),
        name: person.map(|person| person.full_name()).unwrap_or_default(),
        team_id: row.team_id.clone(),
        team_name: teams
            .iter()
            .find(|team| team.team_id == row.team_id)
            .map(|team| team.name.0.clone())
            .unwrap_or_default(),
        checked_in_at: row.checked_in_at,
    };
    Ok(rows.iter().zip(people).map(show).collect())
}

/// Returns the participant with a code, and the team, which takes part.
///
/// # Errors
/// Returns 404 if nobody has the code, or 409 if the team does not take part.
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
/// Returns 404 if there is no such participant, or an erased one; 409 if the team does not take
/// part.
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
/// Returns 409 if the registration is not confirmed.
pub(crate) fn require_confirmed(team: &Team) -> Result<(), Problem> {
    if team.registration() == RegistrationStatus::Confirmed {
        Ok(())
    } else {
        Err(Refusal::InvalidState.text("The registration of the team is not confirmed."))
    }
}

/// Refuses teams without a track.
///
/// # Errors
/// Returns 409 until one is chosen.
pub(crate) fn require_track(team: &Team) -> Result<(), Problem> {
    Ok(Refusal::TrackRequired.unless(team.track.is_some())?)
}

/// Returns the members of a team who have arrived.
///
/// # Errors
/// Returns the errors of the table.
pub(crate) async fn arrived(app: &App, team: &Team) -> Result<Vec<CheckIn>, Problem> {
    let keys: Vec<CheckInKey> = team.member_ids.iter().cloned().map(CheckInKey::new).collect();
    Ok(app.db.check_ins(&keys).await?.into_iter().flatten().collect())
}

/// The topic of the desk at the entrance, and the name of its events.
pub(crate) const DESK: &str = "desk";
pub(crate) const EVENT: &str = "live";

/// Reports how many participants have arrived, if anybody follows it. What can't be read is reported the next time.
pub(crate) async fn announce(app: &App) {
    if app.events.topics() > 0
        && let Ok(view) = arrivals(app).await
    {
        app.events.publish(DESK, EVENT, &view);
    }
}

/// How many participants have arrived.
#[derive(View)]
pub(crate) struct ArrivalsView {
    #[view(example = 128)]
    pub(crate) arrived: u64,
}

/// Returns how many participants have arrived.
///
/// # Errors
/// Returns the errors of the table.
pub(crate) async fn arrivals(app: &App) -> Result<ArrivalsView, Problem> {
    let arrived = app.db.arrivals().await?.map_or(0, |row| row.arrived);
    Ok(ArrivalsView { arrived })
}
