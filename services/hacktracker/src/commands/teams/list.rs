//! Lists of teams: a user's own, and all for administrators.

use monotable::model::Cursor;
use monotable_kit::{Problem, Reply, Request};
use serde::Deserialize;
use serde_json::Value;

use crate::app::App;
use crate::commands::everything::Everything;
use crate::commands::paging;
use crate::entities::{Membership, Team, TeamKey, TeamType};
use crate::ids::UserId;
use crate::patterns::HackTrackerReads as _;
use crate::{policy, show};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Wanted {
    user_id: Option<UserId>,
    owner_id: Option<UserId>,
    team_type: Option<TeamType>,
}

impl Wanted {
    /// Everything that the list depends on; a cursor is good for the same list only.
    fn list(&self, of: &str) -> String {
        let owner = self.owner_id.as_ref().map_or("", UserId::as_str);
        format!("teams of {of}, owner {owner}, type {:?}", self.team_type)
    }

    fn takes(&self, team: &Team) -> bool {
        team.is_active()
            && self.owner_id.as_ref().is_none_or(|owner| *owner == team.owner_id)
            && self.team_type.is_none_or(|kind| kind == team.kind())
    }
}

/// `GET /teams`: those of the caller; for administrators those of any user, or all.
pub(crate) async fn list(app: &App, call: &Request) -> Result<Reply, Problem> {
    let (caller, wanted) = (policy::present(app, call).await?, call.parameters::<Wanted>()?);
    let is_administrator = policy::is_administrator(call.principal()?);
    // An owner is a member, so that the teams of an owner are among those of the user.
    let of = match (&wanted.user_id, &wanted.owner_id) {
        (Some(user), _) if *user != caller && !is_administrator => return Err(policy::not_self()),
        (Some(user), _) => user,
        (None, Some(owner)) if is_administrator => owner,
        (None, None) if is_administrator => return list_all(app, call, &wanted).await,
        (None, _) => &caller,
    };
    let (limit, list) = (call.page().limit, wanted.list(of.as_str()));
    let (mut cursor, mut items) = (opened(app, call, &list)?, Vec::new());
    for _ in 0..paging::PAGES_MAX {
        let rows = app.db.memberships(of).consistent().take(limit - items.len());
        let page = paging::from(cursor.as_ref(), rows).page().await?;
        items.extend(shown_teams(app, &wanted, page.rows).await?);
        cursor = page.next;
        if cursor.is_none() || items.len() == limit {
            break;
        }
    }
    Ok(Reply::page("teams", items, sealed(app, &list, cursor).as_ref()))
}

/// The teams of memberships that count, as far as they are wanted.
async fn shown_teams(
    app: &App,
    wanted: &Wanted,
    mut memberships: Vec<Membership>,
) -> Result<Vec<Value>, Problem> {
    memberships.retain(Membership::is_active);
    let keys: Vec<TeamKey> =
        memberships.iter().map(|membership| TeamKey::new(membership.team_id.clone())).collect();
    let teams = app.db.teams_by_key(&keys).await?;
    let pairs =
        teams.iter().zip(&memberships).filter_map(|(team, member)| Some((team.as_ref()?, member)));
    let pairs = pairs.filter(|(team, _)| wanted.takes(team));
    Ok(pairs.map(|(team, membership)| show::team_of(team, membership)).collect())
}

async fn list_all(app: &App, call: &Request, wanted: &Wanted) -> Result<Reply, Problem> {
    Everything {
        name: "teams",
        list: &wanted.list(""),
        show: |team: &Team| wanted.takes(team).then(|| show::team(team)),
    }
    .page(app, call)
    .await
}

/// Where the page before it ended.
fn opened(app: &App, call: &Request, list: &str) -> Result<Option<Cursor>, Problem> {
    let Some(text) = call.page().next_token else { return Ok(None) };
    let inside: String = app.bookmarks.open(list, &text.to_string(), app.db.now())?;
    Ok(inside.parse().ok())
}

/// Where the page ends, as it is told.
fn sealed(app: &App, list: &str, cursor: Option<Cursor>) -> Option<Cursor> {
    app.bookmarks.seal(list, &cursor?.to_string(), app.db.now()).parse().ok()
}
