//! `GET /api/games`: lists games.

use super::{GameView, shown};
use crate::api::prelude::*;
use crate::tokens::Bearer;

/// Lists games, the newest first. The bearer of a token sees the one game that it is for.
#[operation(GET "/api/games", refuses(refusal::WATCHING))]
pub(crate) async fn list_games(app: &App, call: &Call<(), (), Paged>) -> Answer<Page<GameView>> {
    Ok(listed(app, call).await?.into())
}

/// Returns the page of games that the caller asks for.
///
/// # Errors
/// Returns 403 if the caller may see none.
pub(crate) async fn listed(app: &App, call: &Request) -> Result<Page<GameView>, Problem> {
    if let Some(bearer) = Bearer::of(call.principal()?) {
        let game = policy::game(app, call, bearer.game_id(), Action::Watch).await?;
        return Ok(Page { rows: vec![shown(app, &game).await?], next: None });
    }
    policy::anywhere(call, Action::Watch)?;
    let page = call.page().of(app.db.games()).await?;
    let mut rows = Vec::new();
    for listed in &page.rows {
        // The index may lag behind.
        if let Some(game) = app.db.game(&listed.id).await? {
            rows.push(shown(app, &game).await?);
        }
    }
    if rows.is_empty() && page.next.is_none() {
        // A table of an older program, before the backfill: its games are in no index.
        let mut older = app.db.older_games().skip_unreadable().stream();
        while let Some(game) = older.next().await {
            rows.push(shown(app, &game?).await?);
        }
    }
    Ok(Page { rows, next: page.next })
}
