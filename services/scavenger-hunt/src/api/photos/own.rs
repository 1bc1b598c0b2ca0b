//! `GET /api/photos`: lists the photos of a player's team.

use super::upload::TakenView;
use crate::api::prelude::*;

/// Lists the photos of your team. After the end of the game it lists those of all teams.
#[operation(GET "/api/photos", refuses(refusal::PLAYING))]
pub(crate) async fn list_own_photos(
    app: &App,
    call: &Call<(), (), Paged>,
) -> Answer<Page<TakenView>> {
    let playing = policy::player(app, call).await?;
    Ok(seen(app, call, &playing).await?.into())
}

/// Returns the photos that a player sees.
///
/// # Errors
/// Returns the errors of the table.
pub(crate) async fn seen(
    app: &App,
    call: &Request,
    playing: &Playing,
) -> Result<Page<TakenView>, Problem> {
    let rows = if playing.state.is_over() {
        app.db.photos_of_game(&playing.game.id)
    } else {
        app.db.photos_of_team(playing.team_id())
    };
    let page = call.page().of(rows).await?;
    Ok(Page::of(page, |photo| TakenView::of(app, photo, &playing.user.id)))
}
