//! `POST /match/{id}/ai`: adds an AI tribute.

use super::codes;
use crate::api::prelude::*;

/// The tribute, and the match afterwards.
#[derive(Clone, View)]
pub(crate) struct AddedView {
    #[view(example = "ai-7")]
    tribute_id: TributeId,
    #[view(name = "match", versioned)]
    state: MatchView,
}

/// Adds an AI tribute.
#[operation(POST "/match/{id}/ai", once, if_match, queue = id,
    refuses(refusal::HOST_ONLY, refusal::CHANGING, LobbyFull, MatchInProgress))]
pub(crate) async fn add_ai(
    app: &App,
    call: &Call<MatchPath, Option<Nothing>>,
) -> Answer<Created<AddedView>> {
    let row = hosted(app, call, &call.path.id).await?;
    let events = decide::add_ai(&row.state, app.now_ms())?;
    let secret = turn::secret(app, &row.match_id).await?;
    let change = Change::new(app, row, events).await?;
    let mut written = change.transaction(app)?;
    codes::extend(app, &mut written.tx, &secret).await?;
    let added =
        change.state.roster.last().ok_or_else(|| Problem::internal("no tribute was added"))?;
    let state = state_view(&change.state, &Viewer::GameMaster);
    let added = AddedView { tribute_id: added.id.clone(), state };
    change.commit(app, call, written, Created(added)).await
}
