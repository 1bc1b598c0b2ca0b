//! `GET /hackathon/participant/{participantId}`: returns a participant.

use super::{ParticipantView, Relation, note_read, related};
use crate::api::prelude::*;

/// Returns a participant: to the person, the leader of the team, and administrators, whose reading is recorded.
#[operation(GET "/hackathon/participant/{participantId}", refuses(NotFound, Forbidden))]
pub(crate) async fn get_participant(
    app: &App,
    call: &Call<ParticipantPath>,
) -> Answer<Json<ParticipantView>> {
    let participant_id = &call.path.participant_id;
    let (participant, _, relation) = related(app, call, participant_id).await?;
    let view = ParticipantView::to_confidant(app, &participant)?;
    if relation == Relation::Admin {
        note_read(app, call, Participant::row_name(participant_id)).await?;
    }
    Ok(Json(view).into())
}
