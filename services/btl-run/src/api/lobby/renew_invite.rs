//! `POST /match/{id}/invite`: creates a new code, which replaces the old one.

use super::codes::{self, invite_code, new_invite};
use crate::api::prelude::*;

/// The code of a lobby.
#[derive(View)]
pub(crate) struct InviteView {
    #[view(example = "m1")]
    match_id: MatchId,
    #[view(example = "K7Q2MD")]
    invite_code: InviteCode,
    /// In milliseconds since 1970.
    #[view(null, example = 1_800_001_800_000_i64)]
    expires_at: Option<i64>,
}

impl InviteView {
    fn of(invite: &Invite) -> Self {
        let Invite { code, match_id, ttl, .. } = invite.clone();
        let expires_at = ttl.map(|end| end.as_seconds() * 1000);
        Self { match_id, invite_code: code, expires_at }
    }
}

/// Creates a new code for a lobby; the old one becomes invalid.
#[operation(POST "/match/{id}/invite", once, queue = id,
    refuses(refusal::HOST_ONLY, refusal::CHANGING, MatchInProgress))]
pub(crate) async fn renew_invite(
    app: &App,
    call: &Call<MatchPath, Option<Nothing>>,
) -> Answer<Created<InviteView>> {
    let row = hosted(app, call, &call.path.id).await?;
    decide::in_lobby(&row.state)?;
    let secret = turn::secret(app, &row.match_id).await?;
    let (code, now) = (invite_code(app)?, app.db.now());
    let mut tx = call.transact(&app.db).or_retry();
    // A retry generates another code.
    let created = tx.expect(create(new_invite(&code, &row.match_id, now)));
    // An edit without changes checks that the lobby is still open.
    tx.add(edit(&row, |_| {}));
    codes::replace(app, &mut tx, &secret, Some(code)).await?;
    tx.respond(move |done| Created(InviteView::of(&done[created]))).await
}
