//! `GET /teams/{teamId}/members`: lists the members of a team with their names.

use monotable_kit::{Answer, Call, Page, PageRequest, Paged, Problem, View, operation};

use super::MembershipView;
use crate::api::{TeamPath, paging};
use crate::app::App;
use crate::policy::{self, Action};
use crate::refusal;
use crate::table::{HackTrackerReads as _, Membership, User, UserKey};

/// A member of a team, with the names as long as the account exists.
#[derive(View)]
#[view(list = "members")]
pub(crate) struct MemberView {
    #[view(flatten)]
    membership: MembershipView,
    #[view(example = "Bob")]
    first_name: Option<String>,
    #[view(example = "Jones")]
    last_name: Option<String>,
}

/// Lists the members of a team.
#[operation(GET "/teams/{teamId}/members", refuses(refusal::VIEWING))]
pub(crate) async fn list_members(
    app: &App,
    call: &Call<TeamPath, (), Paged>,
) -> Answer<Page<MemberView>> {
    let team_id = &call.path.team_id;
    policy::authorize(app, call, team_id, Action::View).await?;
    let PageRequest { limit, next_token: mut next } = call.page();
    let mut rows = Vec::new();
    for _ in 0..paging::PAGES_MAX {
        let members = app.db.members(team_id).take(limit - rows.len());
        let page = paging::from(next.as_ref(), members).page().await?;
        rows.extend(named(app, page.rows).await?);
        next = page.next;
        if next.is_none() || rows.len() == limit {
            break;
        }
    }
    Ok(Page { rows, next }.into())
}

async fn named(app: &App, mut members: Vec<Membership>) -> Result<Vec<MemberView>, Problem> {
    members.retain(Membership::is_active);
    let keys: Vec<UserKey> =
        members.iter().map(|member| UserKey::new(member.user_id.clone())).collect();
    let accounts = app.db.users_by_key(&keys).await?;
    let members = members.iter().zip(accounts).map(|(member, account)| {
        let account = account.filter(User::is_active);
        let names = account.map(|account| (account.first_name, account.last_name));
        let (first_name, last_name) = names.unzip();
        MemberView { membership: MembershipView::of(member), first_name, last_name }
    });
    Ok(members.collect())
}
