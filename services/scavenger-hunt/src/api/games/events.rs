//! `GET /api/events`: lists what happened at levels.

use crate::api::dashboard::EventView;
use crate::api::prelude::*;
use crate::tokens::Bearer;

/// Which events.
#[derive(Debug, Body)]
#[body(paged)]
pub(crate) struct WhichEvents {
    /// Only later ones; in seconds since 1970.
    since: Option<EpochSeconds>,
    /// Only those of one game.
    game_id: Option<GameId>,
}

/// Lists what happened at levels, the latest first: in a game, or in all games for users with a role.
#[operation(GET "/api/events", refuses(refusal::WATCHING))]
pub(crate) async fn list_events(
    app: &App,
    call: &Call<(), (), WhichEvents>,
) -> Answer<Page<EventView>> {
    let bearer = Bearer::of(call.principal()?);
    let game_id = call.query.game_id.clone().or(bearer.map(|bearer| bearer.game_id().clone()));
    if let Some(game_id) = &game_id {
        policy::game(app, call, game_id, Action::Watch).await?;
    } else {
        policy::anywhere(call, Action::Watch)?;
    }
    let query = || match &game_id {
        Some(game_id) => app.db.checkpoints_of(game_id),
        None => app.db.checkpoints(),
    };
    let mut page = call.page().of(query()).await?;
    if let Some(since) = call.query.since {
        let count = page.rows.len();
        page.rows.retain(|event| event.ts > since);
        // They are in their order: behind the first one that is too old there are no others.
        if page.rows.len() < count {
            page.next = None;
        }
    }
    Ok(Page::of(page, EventView::of).into())
}
