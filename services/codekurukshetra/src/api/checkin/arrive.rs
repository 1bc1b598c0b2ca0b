//! `POST /hackathon/admin/checkin`: records that a participant has arrived.

use monotable_kit::Zone;

use super::{ArrivalView, announce, arrived, holder, require_track};
use crate::api::prelude::*;
use crate::table::{ArrivalStats, ArrivalStatsKey};

/// The code of a participant who arrives.
#[derive(Debug, Body)]
#[body(case = "snake")]
pub(crate) struct Arrival {
    /// As it is printed below the QR code; dashes can be left out.
    #[body(length = 12..=40, example = "7K3M-9QWX-0A2B")]
    code: String,
    /// When it was scanned, if that was earlier: without a network, for example.
    at: Option<Timestamp>,
}

/// Records that a participant has arrived. A code that is scanned again is refused with the time of the first scan.
#[operation(
    POST "/hackathon/admin/checkin", once,
    refuses(Forbidden, NotFound, InvalidState, TrackRequired, AlreadyCheckedIn, NotConfigured)
)]
pub(crate) async fn check_in(app: &App, call: &Call<(), Arrival>) -> Answer<Created<ArrivalView>> {
    let account_id = policy::administer(call)?;
    let (participant, team) = holder(app, &call.body.code).await?;
    require_track(&team)?;
    let (config, now) = (app.config().await?, app.db.now());
    let others = arrived(app, &team).await?;
    let is_own = |one: &&CheckIn| one.participant_id == participant.participant_id;
    if let Some(known) = others.iter().find(is_own) {
        return Err(second_scan(&config, known, &participant, &team));
    }
    let checked_in_at = call.body.at.map_or(now, |at| at.min(now));
    let view = ArrivalView {
        participant_id: participant.participant_id.clone(),
        name: participant.full_name(),
        team_id: team.team_id.clone(),
        team_name: team.name.0.clone(),
        checked_in_at,
        team_arrived: others.len() + 1,
        team_members: team.member_ids.len(),
    };
    let mut tx = call.transact(&app.db).or_retry();
    tx.add(check(&team.key(), team.unchanged()));
    tx.add(check(&participant.key(), participant.unchanged()));
    tx.expect(create(CheckIn {
        participant_id: participant.participant_id.clone(),
        team_id: team.team_id.clone(),
        checked_in_at,
        checked_in_by: account_id,
        stamps: Stamps::default(),
    }));
    tx.add(ArrivalStats::update(&ArrivalStatsKey::new()).or_create().add_arrived(1));
    let tx = tx.afterwards(async { announce(app).await });
    tx.respond(move |_| Created(view.clone())).await
}

/// Refuses a code that was scanned before: somebody else may have come with it.
fn second_scan(
    config: &Config,
    known: &CheckIn,
    participant: &Participant,
    team: &Team,
) -> Problem {
    let at = Zone::named(&config.timezone).unwrap_or_default().text(known.checked_in_at);
    let (name, team) = (participant.full_name(), &team.name.0);
    let text = format!("{name} of {team} arrived already, on {at}.");
    Refusal::AlreadyCheckedIn.text(text).with("checked_in_at", known.checked_in_at.to_string())
}
