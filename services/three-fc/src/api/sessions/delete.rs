//! `DELETE /v1/sessions/{sessionId}`: deletes a match day without games.

use crate::api::prelude::*;

/// Deletes a match day that has no games.
#[operation(
    DELETE "/v1/sessions/{sessionId}", once, if_match, refuses(refusal::ADMINISTERING, Conflict)
)]
async fn delete_session(app: &App, call: &Call<SessionPath>) -> Answer<NoContent> {
    let session_id = &call.path.session_id;
    let (session, season, _) = policy::session(app, call, session_id, Action::Administer).await?;
    call.check_version(session.stamps.version)?;
    let games = counts::games(&app.db, &session).await?;
    if games > 0 || !counts::is_empty(app.db.games_of(session_id)).await? {
        return Err(Refusal::Conflict.text("The session has games. Delete them first."));
    }
    let sessions = counts::sessions(&app.db, &season).await?.saturating_sub(1);
    let entity = format!("SESSION#{session_id}");
    let entry = audit::of_league(app, call, &season.league_id, "deleteSession", entity)?;
    let mut tx = call.transact(&app.db).or_retry();
    tx.add(create(entry.was("sessionDate", session.session_date.to_string())));
    // A game that is made meanwhile changes the session, so that this runs again.
    tx.add(delete(&session));
    tx.add(edit(&season, |season| season.session_count = Some(sessions)));
    tx.respond(|_| NoContent).await
}
