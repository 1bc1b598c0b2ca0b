//! `POST /match/{id}/start`: opens the first turn.

use super::codes;
use crate::api::prelude::*;

/// Opens the first turn; the code becomes invalid.
#[operation(POST "/match/{id}/start", once_required, if_match, queue = id,
    refuses(refusal::HOST_ONLY, refusal::CHANGING, MatchInProgress, TooFewTributes))]
pub(crate) async fn start_match(
    app: &App,
    call: &Call<MatchPath, Option<Nothing>>,
) -> Answer<Json<MatchView>> {
    let row = hosted(app, call, &call.path.id).await?;
    let events = decide::start(&row.state, app.now_ms())?;
    let secret = turn::secret(app, &row.match_id).await?;
    let change = Change::new(app, row, events).await?;
    let mut written = change.transaction(app)?;
    codes::replace(app, &mut written.tx, &secret, None).await?;
    let view = state_view(&change.state, &Viewer::GameMaster);
    change.commit(app, call, written, Json(view)).await
}
