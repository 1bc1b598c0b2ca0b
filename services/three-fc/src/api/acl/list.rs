//! `GET /v1/leagues/{leagueId}/acl`: lists the grants of a league.

use super::GrantView;
use crate::api::prelude::*;

/// A grant, as admins see it in a list.
#[derive(View)]
#[view(list = "grants")]
pub(crate) struct MemberView {
    #[view(flatten)]
    grant: GrantView,
    /// The address of the user, if one is known.
    #[view(null, example = "sam@example.org")]
    email: Option<String>,
}

/// Lists the grants of a league, for admins.
#[operation(GET "/v1/leagues/{leagueId}/acl", refuses(refusal::ADMINISTERING))]
async fn list_grants(app: &App, call: &Call<LeaguePath, (), Paged>) -> Answer<Page<MemberView>> {
    let league_id = &call.path.league_id;
    policy::league(app, call, league_id, Action::Administer).await?;
    let page = call.page().of(app.db.grants(league_id).consistent()).await?;
    let users = page.rows.iter().map(|grant| &grant.user_id);
    let mut emails = emails(app, users).await?.into_iter();
    let show =
        |grant: &Acl| MemberView { grant: GrantView::of(grant), email: emails.next().flatten() };
    Ok(Page::of(page, show).into())
}

/// Returns the addresses of users, in the order of their ids.
pub(crate) async fn emails<'a>(
    app: &App,
    user_ids: impl IntoIterator<Item = &'a UserId>,
) -> Result<Vec<Option<String>>, Problem> {
    let keys: Vec<UserKey> = user_ids.into_iter().cloned().map(UserKey::new).collect();
    let users = app.db.users_by_key(&keys).await?;
    Ok(users.into_iter().map(|user| user?.email).collect())
}
