//! `GET /games/{gameId}/atbats`: lists the at-bats of a game.

use super::AtBatView;
use crate::api::prelude::*;
use crate::rules::count::replayed;
use crate::rules::results::order;

/// Lists the at-bats of a game, in the order in which they were played.
#[operation(GET "/games/{gameId}/atbats", refuses(refusal::VIEWING_GAME))]
async fn list_at_bats(
    app: &App,
    call: &Call<GamePath, (), Paged>,
) -> Answer<SortedPage<AtBatView>> {
    let game_id = &call.path.game_id;
    let game = scope::stored_game(app, game_id).await?;
    let member = scope::member(app, call, &game, Action::View);
    let (_, at_bats) = tokio::try_join!(member, logbook::at_bats(app, &game))?;
    let at_bats = replayed(&game, &at_bats);
    let position = |at_bat: &AtBat| {
        let (time_ms, id) = order(at_bat);
        (time_ms, id.clone())
    };
    let list = SortedList { scope: format!("at-bats {game_id}"), rows: &at_bats, position };
    Ok(list.page(&app.bookmarks, app.db.now(), call, AtBatView::of)?.into())
}
