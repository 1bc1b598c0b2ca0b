//! `GET /teams`: lists the caller's teams; for administrators those of any user, or all.

use super::{TYPES, TeamView};
use crate::api::everything;
use crate::api::prelude::*;

/// Which teams are listed.
#[derive(Debug, Body)]
#[body(paged)]
pub(crate) struct TeamFilter {
    /// The teams of this user; your own by default, unless you are an administrator.
    user_id: Option<UserId>,
    /// Only the teams of this owner.
    owner_id: Option<UserId>,
    #[body(alias("team_type"), words = TYPES)]
    team_type: Option<TeamType>,
}

impl TeamFilter {
    /// Returns everything that the list depends on; a cursor is valid for the same list only.
    fn list(&self, of: &str) -> String {
        let owner = self.owner_id.as_ref().map_or("", UserId::as_str);
        format!("teams of {of}, owner {owner}, type {:?}", self.team_type)
    }

    fn accepts(&self, team: &Team) -> bool {
        team.is_active()
            && self.owner_id.as_ref().is_none_or(|owner| *owner == team.owner_id)
            && self.team_type.is_none_or(|kind| kind == team.kind())
    }
}

/// Lists your teams. Administrators of the platform get all, or those of a user.
#[operation(GET "/teams", refuses(NotSelf))]
async fn list_teams(app: &App, call: &Call<(), (), TeamFilter>) -> Answer<Page<TeamView>> {
    let (caller, filter) = (policy::present(app, call).await?, &call.query);
    let is_administrator = policy::is_administrator(call.principal()?);
    // An owner is a member, so the teams of an owner are among those of the user.
    let of = match (&filter.user_id, &filter.owner_id) {
        (Some(user), _) if *user != caller && !is_administrator => {
            return Err(Refusal::NotSelf.into());
        }
        (Some(user), _) => user,
        (None, Some(owner)) if is_administrator => owner,
        (None, None) if is_administrator => {
            let show = |team: &Team| filter.accepts(team).then(|| TeamView::of(team));
            return Ok(everything::page(app, call, &filter.list(""), show).await?.into());
        }
        (None, _) => &caller,
    };
    let list = filter.list(of.as_str());
    let mut page = call.page();
    // The cursor of the memberships is signed together with the filter.
    if let Some(text) = page.next_token.take() {
        let inside: String = app.bookmarks.open(&list, &text.to_string(), app.db.now())?;
        page.next_token = inside.parse().ok();
    }
    let show = |memberships| teams_of(app, filter, memberships);
    let mut page = page.fill(|| app.db.memberships(of).consistent(), show).await?;
    let seal = |next: Cursor| app.bookmarks.seal(&list, &next.to_string(), app.db.now());
    page.next = page.next.map(seal).and_then(|text| text.parse().ok());
    Ok(page.into())
}

/// Returns the teams of active memberships that the filter accepts.
async fn teams_of(
    app: &App,
    filter: &TeamFilter,
    mut memberships: Vec<Membership>,
) -> Result<Vec<TeamView>, Problem> {
    memberships.retain(Membership::is_active);
    let keys: Vec<TeamKey> =
        memberships.iter().map(|membership| TeamKey::new(membership.team_id.clone())).collect();
    let teams = app.db.teams_by_key(&keys).await?;
    let pairs =
        teams.iter().zip(&memberships).filter_map(|(team, member)| Some((team.as_ref()?, member)));
    let pairs = pairs.filter(|(team, _)| filter.accepts(team));
    Ok(pairs.map(|(team, member)| TeamView::of_member(team, member)).collect())
}
