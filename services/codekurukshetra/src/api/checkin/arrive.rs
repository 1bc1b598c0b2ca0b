//! `POST /hackathon/admin/checkin`: records that a participant has arrived.

use monotable_kit::Saved;

use super::{ArrivalView, arrived, holder};
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

/// Records that a participant has arrived. A code that is scanned again changes nothing: the response has the time of
/// the first scan.
#[operation(
    POST "/hackathon/admin/checkin", once, refuses(Forbidden, NotFound, InvalidState)
)]
pub(crate) async fn check_in(app: &App, call: &Call<(), Arrival>) -> Answer<Saved<ArrivalView>> {
    let account_id = policy::administer(call)?;
    let (participant, team) = holder(app, &call.body.code).await?;
    let now = app.db.now();
    let others = arrived(app, &team).await?;
    let view = |at: Timestamp, is_first: bool| ArrivalView {
        participant_id: participant.participant_id.clone(),
        name: participant.full_name(),
        team_id: team.team_id.clone(),
        team_name: team.name.0.clone(),
        checked_in_at: at,
        is_first,
        team_arrived: others.len() + usize::from(is_first),
        team_members: team.member_ids.len(),
    };
    if let Some(known) = others.iter().find(|one| one.participant_id == participant.participant_id)
    {
        return Ok(Saved::Changed(view(known.checked_in_at, false)).into());
    }
    let at = call.body.at.map_or(now, |at| at.min(now));
    let response = view(at, true);
    let mut tx = call.transact(&app.db).or_retry();
    tx.add(check(&team.key(), team.unchanged()));
    tx.add(check(&participant.key(), participant.unchanged()));
    tx.expect(create(CheckIn {
        participant_id: participant.participant_id.clone(),
        team_id: team.team_id.clone(),
        checked_in_at: at,
        checked_in_by: account_id,
        stamps: Stamps::default(),
    }));
    tx.add(ArrivalStats::update(&ArrivalStatsKey::new()).or_create().add_arrived(1));
    tx.respond(move |_| Saved::Created(response.clone())).await
}
