//! `GET /users/{userId}`: the whole account for the user, the names for members of the same teams.

use std::collections::BTreeSet;

use super::{AccountView, UserName, memberships_of, teams_of};
use crate::api::prelude::*;

/// A user, with the fields that the caller may see.
#[derive(View)]
pub(crate) struct VisibleUser {
    #[view(flatten)]
    name: UserName,
    #[view(flatten)]
    account: Option<AccountView>,
}

/// Returns a user: everything for the user, the names for other members of a team.
#[operation(GET "/users/{userId}", refuses(UserNotFound))]
async fn get_user(app: &App, call: &Call<UserPath>) -> Answer<Json<VisibleUser>> {
    let (caller, user_id) = (policy::present(app, call).await?, &call.path.user_id);
    let user = app.db.user(user_id).consistent().await?.filter(User::is_active);
    let user = user.ok_or(Refusal::UserNotFound)?;
    let name = UserName::of(&user);
    if caller == *user_id || policy::is_administrator(call.principal()?) {
        return Ok(Json(VisibleUser { name, account: Some(AccountView::of(&user)) }).into());
    }
    if share_a_team(app, &caller, user_id).await? {
        Ok(Json(VisibleUser { name, account: None }).into())
    } else {
        Err(Refusal::UserNotFound.into())
    }
}

async fn share_a_team(app: &App, one: &UserId, other: &UserId) -> Result<bool, Problem> {
    let theirs = memberships_of(app, other).await?;
    let theirs: BTreeSet<_> = theirs.iter().map(|membership| &membership.team_id).collect();
    let teams = teams_of(app, one).await?;
    Ok(teams.iter().any(|(team, _)| theirs.contains(&team.team_id)))
}
