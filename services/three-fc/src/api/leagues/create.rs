//! `POST /v1/leagues`: makes a league. The caller is its first admin.

use super::{LeagueView, check_id, check_slug};
use crate::api::prelude::*;

/// A league to make.
#[derive(Debug, Body)]
#[body(read_only_of = LeagueView)]
pub(crate) struct NewLeague {
    /// Made by the server unless chosen; it must be free.
    #[body(check = checks::id)]
    league_id: Option<LeagueId>,
    #[body(length = checks::NAME_LENGTH, check = checks::name, example = "Melbourne Three-Sided")]
    name: String,
    /// A readable name for addresses, which no other league has.
    #[body(check = checks::slug, example = "melbourne")]
    slug: Patch<Slug>,
}

/// Makes a league. You are its first admin.
#[operation(POST "/v1/leagues", once, refuses(IdTaken, SlugTaken))]
pub(crate) async fn create_league(
    app: &App,
    call: &Call<(), NewLeague>,
) -> Answer<Created<LeagueView>> {
    let NewLeague { league_id, name, slug } = &call.body;
    let user_id = accounts::present(app, call).await?.user_id;
    let league_id = checks::free_id(app, league_id.as_ref(), |id| app.db.league_rows(id)).await?;
    if call.body.league_id.is_some() {
        check_id(app, &league_id).await?;
    }
    let mut tx = call.transact(&app.db).or_retry();
    check_slug(&mut tx, &league_id, slug.value());
    tx.add(create(Acl {
        league_id: league_id.clone(),
        user_id: user_id.clone(),
        role: Role::Admin,
        granted_by_user_id: user_id.clone(),
        stamps: Stamps::default(),
    }));
    let league = create(League {
        league_id,
        name: name.clone(),
        slug: slug.value().cloned(),
        created_by_user_id: user_id,
        admin_count: Some(1),
        season_count: Some(0),
        deleted_at: None,
        stamps: Stamps::default(),
    });
    let league = tx.require_with(league, checks::taken);
    tx.respond(move |done| Created(LeagueView::with_role(&done[league], Role::Admin))).await
}
