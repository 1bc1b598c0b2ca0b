//! Leagues: made with their first admin, renamed and deleted.

pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod get;
pub(crate) mod list;
pub(crate) mod update;

use crate::api::prelude::*;

/// Requires that an id is no slug of another league: addresses of pages contain both.
///
/// # Errors
/// Returns 409 `id_taken`.
async fn check_id(app: &App, league_id: &LeagueId) -> Result<(), Problem> {
    if let Ok(slug) = Slug::new(league_id.as_str()) {
        Refusal::IdTaken.unless(app.db.league_by_slug(&slug).await?.is_none())?;
    }
    Ok(())
}

/// Requires in a transaction that a new slug is no id of another league.
fn check_slug(tx: &mut Commit<'_, ThreeFc>, league_id: &LeagueId, slug: Option<&Slug>) {
    let id = slug.and_then(|slug| LeagueId::new(slug.as_str()).ok());
    if let Some(id) = id.filter(|id| id != league_id) {
        tx.require(check_absent(&LeagueKey::new(id)), Refusal::SlugTaken);
    }
}

/// A league, with the caller's role.
#[derive(View)]
#[view(of = League, list = "leagues", differs_by_viewer)]
pub(crate) struct LeagueView {
    pub(crate) league_id: LeagueId,
    #[view(example = "Melbourne Three-Sided")]
    pub(crate) name: String,
    #[view(null, example = "melbourne")]
    slug: Option<Slug>,
    created_by_user_id: UserId,
    #[view(absent)]
    role: Option<Role>,
    #[view(stamps)]
    stamps: Stamps,
}

impl LeagueView {
    /// Shows a league to somebody with a role in it.
    pub(crate) fn with_role(league: &League, role: Role) -> Self {
        Self { role: Some(role), ..Self::of(league) }
    }
}
