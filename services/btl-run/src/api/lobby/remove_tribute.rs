//! `DELETE /match/{id}/tribute/{tributeId}`: a host removes a tribute, or a player leaves.

use super::{codes, my_match};
use crate::api::prelude::*;
use crate::rules::events::LeaveReason;

/// Removes a tribute, as the host or as its player; the player's token becomes invalid.
#[operation(DELETE "/match/{id}/tribute/{tributeId}", once, if_match, queue = id,
    refuses(NotYourMatch, NotYourTribute, MatchNotFound, TributeNotFound, refusal::CHANGING, MatchInProgress))]
pub(crate) async fn remove_tribute(app: &App, call: &Call<TributePath>) -> Answer<Json<MatchView>> {
    let TributePath { id, tribute_id } = &call.path;
    let (viewer, reason) = match tokens::bearer(call, id)? {
        Bearer::Host(_) => (Viewer::GameMaster, LeaveReason::Removed),
        Bearer::Player(_, own) if own == *tribute_id => (Viewer::Spectator, LeaveReason::Left),
        Bearer::Player(..) => return Err(Refusal::TributeOfAnotherPlayer.into()),
    };
    let row = app.match_row(id).await?;
    call.check_version(row.stamps.version)?;
    let user_id = row.state.tribute(tribute_id).and_then(|tribute| tribute.user_id.clone());
    let mut events = decide::remove(&row.state, tribute_id, reason, app.now_ms())?;
    for event in &mut events {
        event.audit = Some(tokens::audit(call));
    }
    let secret = turn::secret(app, id).await?;
    let change = Change::new(app, row, events).await?;
    let mut written = change.transaction(app)?;
    if secret.token_hashes.players.contains_key(tribute_id) {
        written.tx.add(edit(&secret, |secret| {
            secret.token_hashes.players.remove(tribute_id);
        }));
    }
    if let Some(user_id) = &user_id {
        written.tx.add(put(my_match(&change.state, user_id)?));
    }
    codes::extend(app, &mut written.tx, &secret).await?;
    let view = state_view(&change.state, &viewer);
    change.commit(app, call, written, Json(view)).await
}
