//! `GET /v1/public/leagues`: lists all leagues.

use crate::api::prelude::*;

/// A league, as everybody sees it.
#[derive(View)]
#[view(of = League, list = "leagues")]
pub(crate) struct PublicLeague {
    pub(crate) league_id: LeagueId,
    #[view(example = "Fitzroy Triangle")]
    pub(crate) name: String,
    pub(crate) slug: Option<Slug>,
}

/// Lists all leagues.
#[operation(GET "/v1/public/leagues", public)]
async fn list_public_leagues(app: &App, call: &Call<(), (), Paged>) -> Answer<Page<PublicLeague>> {
    Ok(page(app, call).await?.into())
}

/// Returns a page of the leagues.
pub(crate) async fn page(
    app: &App,
    call: &Call<(), (), Paged>,
) -> Result<Page<PublicLeague>, Problem> {
    let show = async |leagues: Vec<League>| {
        let there = leagues.iter().filter(|league| league.deleted_at.is_none());
        Ok(there.map(PublicLeague::of).collect())
    };
    call.page().fill(|| app.db.leagues(), show).await
}
