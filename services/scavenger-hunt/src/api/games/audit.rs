//! `GET /api/games/{gameId}/audit`: lists what organisers did.

use std::collections::BTreeMap;

use crate::api::prelude::*;

/// What an organiser did.
#[derive(View)]
#[view(of = Audit, list = "audit")]
pub(crate) struct AuditView {
    id: RowId,
    #[view(example = "organiser/game-1")]
    actor: String,
    #[view(example = "clock.start")]
    action: String,
    #[view(example = "GAME#game-1")]
    entity: String,
    before: BTreeMap<String, String>,
    after: BTreeMap<String, String>,
    #[view(from = stamps.created)]
    at: Timestamp,
}

/// Lists what organisers did in a game, the latest first.
#[operation(GET "/api/games/{gameId}/audit", refuses(refusal::CONTROLLING))]
pub(crate) async fn list_audit(
    app: &App,
    call: &Call<GamePath, (), Paged>,
) -> Answer<Page<AuditView>> {
    let game = policy::game(app, call, &call.path.game_id, Action::Control).await?;
    let page = call.page().of(app.db.audit(&game.id)).await?;
    Ok(Page::of(page, AuditView::of).into())
}
