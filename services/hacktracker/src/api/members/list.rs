//! `GET /teams/{teamId}/members`: lists the members of a team with their names.

use super::MembershipView;
use crate::api::prelude::*;

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
async fn list_members(app: &App, call: &Call<TeamPath, (), Paged>) -> Answer<Page<MemberView>> {
    let team_id = &call.path.team_id;
    policy::authorize(app, call, team_id, Action::View).await?;
    let show = |members| named(app, members);
    Ok(call.page().fill(|| app.db.members(team_id), show).await?.into())
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
