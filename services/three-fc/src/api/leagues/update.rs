//! `PATCH /v1/leagues/{leagueId}`: renames a league.

use super::{LeagueView, check_slug};
use crate::api::prelude::*;

/// What changes of a league.
#[derive(Debug, Body)]
#[body(not_empty, applies_to = League, read_only_of = LeagueView)]
pub(crate) struct LeagueChanges {
    #[body(length = checks::NAME_LENGTH, check = checks::name, example = "Melbourne Three-Sided")]
    name: Option<String>,
    /// A readable name for addresses. Without a value it is removed.
    #[body(check = checks::slug, example = "melbourne")]
    slug: Patch<Slug>,
}

/// Renames a league, or gives it another slug.
#[operation(
    PATCH "/v1/leagues/{leagueId}", once, if_match, refuses(refusal::ADMINISTERING, SlugTaken)
)]
async fn update_league(
    app: &App,
    call: &Call<LeaguePath, LeagueChanges>,
) -> Answer<Json<LeagueView>> {
    let granted = policy::league(app, call, &call.path.league_id, Action::Administer).await?;
    call.check_version(granted.league.stamps.version)?;
    let mut tx = call.transact(&app.db).or_retry();
    check_slug(&mut tx, &granted.league.league_id, call.body.slug.value());
    let changed = edit(&granted.league, |league| call.body.apply(league));
    let league = tx.require_with(changed, checks::taken);
    tx.respond(move |done| Json(LeagueView::with_role(&done[league], Role::Admin))).await
}
