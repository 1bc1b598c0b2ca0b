//! `POST /match/{id}/end`: ends a match without a winner.

use crate::api::lobby::codes;
use crate::api::prelude::*;

/// Ends a lobby, or a match without a winner.
#[operation(POST "/match/{id}/end", once_required, if_match, queue = id,
    refuses(refusal::HOST_ONLY, refusal::CHANGING))]
pub(crate) async fn end_match(
    app: &App,
    call: &Call<MatchPath, Option<Nothing>>,
) -> Answer<Json<MatchView>> {
    let row = hosted(app, call, &call.path.id).await?;
    let is_lobby = row.state.status == Status::Lobby;
    let mut events = decide::cancel(&row.state, app.now_ms())?;
    for event in &mut events {
        event.audit = Some(tokens::audit(call));
    }
    let change = Change::new(app, row, events).await?;
    let mut written = change.transaction(app)?;
    if is_lobby {
        let secret = turn::secret(app, &call.path.id).await?;
        codes::replace(app, &mut written.tx, &secret, None).await?;
    }
    let view = state_view(&change.state, &Viewer::GameMaster);
    change.commit(app, call, written, Json(view)).await
}
