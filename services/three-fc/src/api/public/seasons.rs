//! `GET /v1/public/leagues/{idOrSlug}/seasons`: lists the seasons of a league.

use super::{PublicLeaguePath, find_league};
use crate::api::prelude::*;
use crate::legacy::whole;

/// A season, as everybody sees it.
#[derive(View)]
#[view(of = Season, list = "seasons")]
pub(crate) struct PublicSeason {
    league_id: LeagueId,
    season_id: SeasonId,
    #[view(example = "Summer 2026")]
    name: String,
    slug: Option<Slug>,
    starts_on: Option<Date>,
    ends_on: Option<Date>,
}

/// Lists the seasons of a league, which the path names by its id or its slug.
#[operation(GET "/v1/public/leagues/{idOrSlug}/seasons", public, refuses(NotFound))]
async fn list_public_seasons(
    app: &App,
    call: &Call<PublicLeaguePath, (), Paged>,
) -> Answer<Page<PublicSeason>> {
    let league = find_league(app, &call.path.id_or_slug).await?;
    let page = call.page().of(app.db.seasons(&league.league_id)).await?;
    whole::with_mirrors(&app.db, &page.rows).await?;
    Ok(Page::of(page, PublicSeason::of).into())
}
