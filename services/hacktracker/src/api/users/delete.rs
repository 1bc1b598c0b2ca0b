//! `DELETE /users/{userId}`: deletes the caller's account.
//!
//! One transaction blocks the account, removes its names, and deletes the teams that go with it. The rest
//! is done by [`erase_user`], at once as far as possible; a job ensures that it is completed.

use monotable::model::time::Timestamp;
use monotable::model::{create, edit};
use monotable_kit::{Answer, Call, NoContent, Problem, Refuse as _, operation};
use serde_json::json;

use super::{UserPath, end_joins, memberships_of, teams_of};
use crate::api::announce;
use crate::api::counts::{end_counts, has_other_members};
use crate::api::teams::{GRACE, mark_deleted};
use crate::app::App;
use crate::jobs::{erase_user, purge};
use crate::policy;
use crate::refusal::Refusal;
use crate::table::{HackTrackerReads as _, Liveness, Team, TeamType, User, UserId};

/// Teams whose members the transaction requires to be unchanged. There is no space in it for those of
/// further teams.
const GUARDED_MAX: usize = 44;

/// Deletes your account. Teams that only you are in go with it; your at-bats stay, without your name. What
/// is left goes after 30 days.
#[operation(
    DELETE "/users/{userId}", once, if_match,
    refuses(NotSelf, UserNotFound, OwnsTeams, TeamDeleted)
)]
pub(crate) async fn delete_user(app: &App, call: &Call<UserPath>) -> Answer<NoContent> {
    let user_id = &call.path.user_id;
    policy::must_be_self(call, user_id)?;
    let user = app.db.user(user_id).consistent().await?.ok_or(Refusal::UserNotFound)?;
    if !user.is_active() {
        return Err(policy::account_deleted());
    }
    call.check_version(user.stamps.version)?;
    let now = app.db.now();
    let mut tx = app.db.transact();
    tx.add(edit(&user, |user| forget(user, now)));
    tx.add(create(purge::erasure_of(user_id, now)?));
    tx.add(create(purge::of_user(user_id, now + GRACE)?));
    let joins = app.db.user_joins(user_id).await?;
    let joins = end_joins(&mut tx, user_id, joins.as_ref());
    let (owned, mut in_the_way) = (owned_by(app, user_id).await?, Vec::new());
    let (mut deleted, mut guarded) = (Vec::new(), Vec::new());
    for team in &owned {
        deleted.push(tx.add(edit(team, |team| mark_deleted(team, now, None))));
        if team.kind() == TeamType::Personal {
            continue;
        }
        let counts = app.db.team_counts(&team.team_id).await?;
        if has_other_members(&app.db, team, counts.as_ref()).await? {
            in_the_way.push(&team.team_id);
        } else if guarded.len() < GUARDED_MAX {
            guarded.push(end_counts(&mut tx, &team.team_id, counts.as_ref()));
        }
    }
    if !in_the_way.is_empty() {
        return Err(Refusal::OwnsTeams.with("teamIds", json!(in_the_way)));
    }
    let teams = memberships_of(app, user_id).await?;
    let mut commit = call.commit(tx).retry(joins);
    for team in deleted {
        commit = commit.refuse(team, Refusal::TeamDeleted);
    }
    for counts in guarded {
        commit = commit.retry(counts);
    }
    let answer = commit.or_retry().respond(|_| NoContent).await?;
    // What can't be done now is done by the job.
    while let Ok(Some(rest)) = erase_user::rest_of(&app.db, user_id).await {
        if rest.await.is_err() {
            break;
        }
    }
    for membership in teams {
        announce::ask_again(app, &membership.team_id).await;
    }
    Ok(answer)
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
