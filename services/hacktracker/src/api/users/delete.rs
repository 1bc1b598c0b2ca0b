//! `DELETE /users/{userId}`: deletes the caller's account.
//!
//! One transaction blocks the account, removes its names, and deletes the teams that go with it. The rest
//! is done by [`erase_user`], at once as far as possible; a job ensures that it is completed.

use super::{end_joins, memberships_of, teams_of};
use crate::api::counts::{end_counts, has_other_members};
use crate::api::prelude::*;
use crate::api::teams::{GRACE, mark_deleted};
use crate::jobs::{erase_user, purge};

/// The most teams whose members the transaction requires to be unchanged. A transaction has no
/// space for more.
const GUARDED_MAX: usize = 44;

/// Deletes your account, and the teams of which you are the only member. Your at-bats stay, without
/// your name. Other data is deleted after 30 days.
#[operation(
    DELETE "/users/{userId}", once, if_match,
    refuses(NotSelf, UserNotFound, OwnsTeams, TeamDeleted)
)]
async fn delete_user(app: &App, call: &Call<UserPath>) -> Answer<NoContent> {
    let user_id = &call.path.user_id;
    policy::must_be_self(call, user_id)?;
    let user = app.db.user(user_id).consistent().await?.ok_or(Refusal::UserNotFound)?;
    if !user.is_active() {
        return Err(policy::account_deleted());
    }
    call.check_version(user.stamps.version)?;
    let now = app.db.now();
    let mut tx = call.transact(&app.db).or_retry();
    tx.add(edit(&user, |user| forget(user, now)));
    tx.add(create(purge::erasure_of(user_id, now)?));
    tx.add(create(purge::of_user(user_id, now + GRACE)?));
    let joins = app.db.user_joins(user_id).await?;
    end_joins(&mut tx, user_id, joins.as_ref());
    let (owned, mut in_the_way) = (owned_by(app, user_id).await?, Vec::new());
    let mut guarded = 0;
    for team in &owned {
        let deleted = edit(team, |team| mark_deleted(team, now, None));
        tx.require(deleted, Refusal::TeamDeleted);
        if team.kind() == TeamType::Personal {
            continue;
        }
        let counts = app.db.team_counts(&team.team_id).await?;
        if has_other_members(&app.db, team, counts.as_ref()).await? {
            in_the_way.push(&team.team_id);
        } else if guarded < GUARDED_MAX {
            end_counts(&mut tx, &team.team_id, counts.as_ref());
            guarded += 1;
        }
    }
    if !in_the_way.is_empty() {
        return Err(Refusal::OwnsTeams.with("teamIds", json!(in_the_way)));
    }
    let teams = memberships_of(app, user_id).await?;
    tx.afterwards(leave(app, user_id, teams)).respond(|_| NoContent).await
}

/// Removes the user from everything. The job does what can't be done now.
async fn leave(app: &App, user_id: &UserId, teams: Vec<Membership>) {
    while let Ok(Some(rest)) = erase_user::rest_of(&app.db, user_id).await {
        if rest.await.is_err() {
            break;
        }
    }
    for membership in teams {
        announce::ask_again(app, &membership.team_id).await;
    }
}

/// Blocks the account and removes the names. The address is kept until the purge, which looks for
/// invitations to it.
fn forget(user: &mut User, now: Timestamp) {
    user.status = Some(Liveness::Deleted);
    (user.deleted_at, user.purge_after) = (Some(now), Some(now + GRACE));
    user.first_name.clear();
    user.last_name.clear();
    user.phone_number = None;
}

/// Returns the active teams that a user owns.
async fn owned_by(app: &App, user_id: &UserId) -> Result<Vec<Team>, Problem> {
    let teams = teams_of(app, user_id).await?.into_iter().map(|(team, _)| team);
    Ok(teams.filter(|team| team.owner_id == *user_id).collect())
}
