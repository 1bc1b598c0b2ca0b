//! `POST /v1/seasons/{seasonId}/sessions`: adds a match day to a season.

use super::SessionView;
use crate::api::prelude::*;

/// A match day to add.
#[derive(Debug, Body)]
pub(crate) struct NewSession {
    /// Made by the server unless chosen; it must be free in all seasons.
    #[body(check = checks::id)]
    session_id: Option<SessionId>,
    #[body(example = "2026-03-01", label = "Day")]
    session_date: Date,
}

/// Adds a match day to a season.
#[operation(
    POST "/v1/seasons/{seasonId}/sessions", once, refuses(refusal::VIEWING, IdTaken, Conflict)
)]
pub(crate) async fn create_session(
    app: &App,
    call: &Call<SeasonPath, NewSession>,
) -> Answer<Created<SessionView>> {
    let NewSession { session_id, session_date } = &call.body;
    let (season, _) = policy::season(app, call, &call.path.season_id, Action::Score).await?;
    let session_id =
        checks::free_id(app, session_id.as_ref(), |id| app.db.session_rows(id)).await?;
    let sessions = counts::sessions(&app.db, &season).await?;
    counts::limit(sessions, counts::SESSIONS_MAX, "sessions in a season")?;
    let mut tx = call.transact(&app.db).or_retry();
    tx.add(edit(&season, |season| season.session_count = Some(sessions + 1)));
    let session = create(Session {
        season_id: season.season_id.clone(),
        session_id,
        session_date: *session_date,
        game_count: Some(0),
        stamps: Stamps::default(),
    });
    let session = tx.require_with(session, checks::taken);
    tx.respond(move |done| Created(SessionView::of(&done[session]))).await
}
