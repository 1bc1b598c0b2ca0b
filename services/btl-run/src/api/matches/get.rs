//! `GET /match/{id}`: shows a match as the caller may see it.

use crate::api::prelude::*;

/// A match, as the caller may see it.
#[derive(View)]
#[view(differs_by_viewer)]
pub(crate) struct SeenMatch {
    #[view(flatten)]
    state: MatchView,
}

/// Returns a match, as the caller may see it.
#[operation(GET "/match/{id}", public, refuses(MatchNotFound, TokenOfAnotherMatch))]
pub(crate) async fn get_match(app: &App, call: &Call<MatchPath>) -> Answer<Json<SeenMatch>> {
    let mut row = turn::seen(app, &call.path.id).await?;
    row.state.version = row.stamps.version;
    let state = state_view(&row.state, &tokens::viewer(call, &call.path.id)?);
    Ok(Json(SeenMatch { state }).into())
}
