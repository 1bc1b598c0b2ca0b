//! `POST /match/{id}/pin`: keeps a match permanently, or allows its deletion.

use crate::api::prelude::*;
use crate::change::{new_task, task};

/// Whether a match shall be kept.
#[derive(Debug, Body)]
pub(crate) struct Pin {
    #[body(example = true)]
    pinned: bool,
}

/// Whether the match is kept.
#[derive(View)]
pub(crate) struct PinView {
    #[view(example = "m1")]
    match_id: MatchId,
    #[view(example = true)]
    pinned: bool,
}

/// Keeps a match permanently, or lets it be deleted ninety days after its end: at once, if they are
/// over.
#[operation(POST "/match/{id}/pin", once, queue = id, refuses(refusal::HOST_ONLY, Conflict))]
pub(crate) async fn pin_match(app: &App, call: &Call<MatchPath, Pin>) -> Answer<Json<PinView>> {
    let (match_id, pinned) = (call.path.id.clone(), call.body.pinned);
    tokens::host(call, &match_id)?;
    let row = app.match_row(&match_id).await?;
    let secret = app.db.secret(&match_id).await?.ok_or(Refusal::MatchNotFound)?;
    let mut tx = app.db.transact();
    tx.add(edit(&secret, |secret| secret.pinned = pinned));
    // The match must not end in the meantime: the archive would not see the pin.
    tx.add(edit(&row, |_| {}));
    let mut archive = None;
    if row.state.status == Status::Ended {
        let promised = new_task(task::ARCHIVE, match_id.as_str(), app.now_ms())?;
        archive = Some(match app.db.task(&promised.kind, &promised.task_id).await? {
            Some(task) => tx.add(edit(&task, |task| task.cursor = None)),
            None => tx.add(create(promised)),
        });
    }
    let commit = call.commit(tx);
    let commit = match archive {
        Some(archive) => commit.retry(archive),
        None => commit,
    };
    commit.respond(move |_| Json(PinView { match_id: match_id.clone(), pinned })).await
}
