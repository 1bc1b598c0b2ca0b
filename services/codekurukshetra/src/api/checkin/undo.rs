//! `DELETE /hackathon/admin/checkin/{participantId}`: takes back an arrival that was recorded by mistake.

use super::announce;
use crate::api::prelude::*;
use crate::table::{ArrivalStats, ArrivalStatsKey};

/// Takes back an arrival that was recorded by mistake.
#[operation(
    DELETE "/hackathon/admin/checkin/{participantId}", once, refuses(Forbidden, NotFound)
)]
pub(crate) async fn undo_check_in(app: &App, call: &Call<ParticipantPath>) -> Answer<NoContent> {
    policy::administer(call)?;
    let participant_id = &call.path.participant_id;
    let known = app.db.check_in(participant_id).await?.ok_or(Refusal::NotFound)?;
    let entity = format!("PARTICIPANT#{participant_id}");
    let entry = app.audit(call, "undoCheckIn", entity)?;
    let entry = entry.was("checked_in_at", known.checked_in_at.to_string());
    let mut tx = call.transact(&app.db).or_retry();
    tx.add(delete(&known));
    tx.add(ArrivalStats::update(&ArrivalStatsKey::new()).or_create().add_arrived(-1));
    tx.add(create(entry));
    tx.afterwards(async { announce(app).await }).respond(|_| NoContent).await
}
