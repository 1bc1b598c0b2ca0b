//! `GET /v1/public/leagues`: lists all leagues.

use crate::api::prelude::*;

/// A league, as everybody sees it.
#[derive(View)]
#[view(of = League, list = "leagues")]
pub(crate) struct PublicLeague {
    league_id: LeagueId,
    #[view(example = "Fitzroy Triangle")]
    name: String,
    slug: Option<Slug>,
}

/// Lists all leagues.
#[operation(GET "/v1/public/leagues", public)]
async fn list_public_leagues(app: &App, call: &Call<(), (), Paged>) -> Answer<Page<PublicLeague>> {
    let show = async |leagues: Vec<League>| {
        let there = leagues.iter().filter(|league| league.deleted_at.is_none());
        Ok(there.map(PublicLeague::of).collect())
    };
    Ok(call.page().fill(|| app.db.leagues(), show).await?.into())
}
