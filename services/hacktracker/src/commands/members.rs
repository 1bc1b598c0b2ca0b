//! Members of a team: who they are, what they are, and how they go.

use monotable::model::Entity as _;
use monotable_kit::{Call, PageRequest, Problem, Reply};
use serde::Deserialize;
use serde_json::Value;

use super::counts::{count_members, outcounted};
use super::links::{slot_of, unlinking};
use super::receipt::shown;
use super::scope::overtaken;
use super::{paging, users};
use crate::app::App;
use crate::entities::{Membership, MembershipStatus, Role, User, UserKey};
use crate::ids::{TeamId, UserId};
use crate::patterns::HackTrackerReads as _;
use crate::policy::{self, Action};
use crate::{announce, audit, show};

/// `GET /teams/{teamId}/members`, with their names.
pub(crate) async fn list(app: &App, call: &Call) -> Result<Reply, Problem> {
    let team_id: TeamId = call.id("teamId")?;
    policy::authorize(app, call, &team_id, Action::View).await?;
    let PageRequest { limit, next_token: mut cursor } = call.page();
    let mut items = Vec::new();
    for _ in 0..paging::PAGES_MAX {
        let rows = app.db.members(&team_id).take(limit - items.len());
        let page = paging::from(cursor.as_ref(), rows).page().await?;
        items.extend(named(app, page.rows).await?);
        cursor = page.next;
        if cursor.is_none() || items.len() == limit {
            break;
        }
    }
    Ok(Reply::page("members", items, cursor.as_ref()))
}

async fn named(app: &App, mut members: Vec<Membership>) -> Result<Vec<Value>, Problem> {
    members.retain(Membership::is_active);
    let keys: Vec<UserKey> =
        members.iter().map(|member| UserKey::new(member.user_id.clone())).collect();
    let accounts = app.db.users_by_key(&keys).await?;
    let pairs = members.iter().zip(&accounts);
    let account = |account: &Option<User>| account.clone().filter(User::is_active);
    Ok(pairs.map(|(member, found)| show::member(member, account(found).as_ref())).collect())
}

/// The member of a path, who is in the team.
async fn member_of(app: &App, call: &Call, team_id: &TeamId) -> Result<Membership, Problem> {
    let user_id: UserId = call.id("userId")?;
    let member = app.db.membership(&user_id, team_id).await?.filter(Membership::is_active);
    member.ok_or_else(users::not_found)
}

/// 403 for a role that the caller can't give or take: the owner's goes to somebody else by transfer
/// only, and managers are made and unmade by the owner.
pub(crate) fn role_ceiling() -> Problem {
    let text =
        "Only the owner gives and takes the role of manager, and the owner's own is handed over.";
    Problem::forbidden("ROLE_CEILING", text)
}

/// Whether a member of one role may bring others into another, and out of it.
pub(crate) fn rules_over(own: Role, role: Role) -> bool {
    match (own, role) {
        (_, Role::Owner) => false,
        (Role::Owner, Role::Manager | Role::Player | Role::Scorekeeper) => true,
        (Role::Manager, Role::Player | Role::Scorekeeper) => true,
        (Role::Manager, Role::Manager) | (Role::Player | Role::Scorekeeper, _) => false,
    }
}

#[derive(Deserialize)]
struct NewRole {
    role: Role,
}

/// `PUT /teams/{teamId}/members/{userId}`: another role.
pub(crate) async fn change_role(app: &App, call: &Call) -> Result<Reply, Problem> {
    let NewRole { role } = call.read()?;
    let team_id: TeamId = call.id("teamId")?;
    let granted = policy::authorize(app, call, &team_id, Action::ChangeRoles).await?;
    let member = member_of(app, call, &team_id).await?;
    call.check_version(member.ver)?;
    let own = granted.membership.role;
    if !rules_over(own, member.role) || !rules_over(own, role) {
        return Err(role_ceiling());
    }
    let entity = format!("MEMBER#{}", member.user_id);
    let entry = audit::entry(app, call, &team_id, "changeRole", entity)?
        .was("role", member.role.word())
        .is("role", role.word());
    let changed = app
        .db
        .transact()
        .check(&granted.team.key(), policy::is_active())
        .edit(&member, |member| member.role = role)
        .create(&entry);
    let reply = |member: &Membership| Reply::ok(&show::membership(member)).version(member.ver);
    call.commit(&app.db, changed, move |receipt| shown(receipt, 1, reply), overtaken).await
}

/// `DELETE /teams/{teamId}/members/{userId}`: removes a member, or leaves.
pub(crate) async fn remove(app: &App, call: &Call) -> Result<Reply, Problem> {
    let team_id: TeamId = call.id("teamId")?;
    let granted = policy::member(app, call, &team_id).await?;
    let leaves = call.id::<UserId>("userId")? == *granted.user_id();
    if !leaves {
        granted.allow(Action::RemoveMembers)?;
    }
    let member = member_of(app, call, &team_id).await?;
    call.check_version(member.ver)?;
    let (status, action) = match leaves {
        true if member.role == Role::Owner => {
            let text = "The owner can't leave; make somebody else the owner first.";
            return Err(Problem::conflict("OWNER_CANNOT_LEAVE", text));
        }
        true => (MembershipStatus::Left, "leaveTeam"),
        false if !rules_over(granted.membership.role, member.role) => return Err(role_ceiling()),
        false => (MembershipStatus::Removed, "removeMember"),
    };
    let entity = format!("MEMBER#{}", member.user_id);
    let entry = audit::entry(app, call, &team_id, action, entity)?.was("role", member.role.word());
    let removed = app
        .db
        .transact()
        .check(&granted.team.key(), policy::is_active())
        .edit(&member, |member| member.status = status)
        .create(&entry);
    let removed = match slot_of(app, &team_id, &member.user_id).await? {
        Some(player) => unlinking(&app.db, removed, Some(&granted.team), &player, |_| {}).await?,
        None => removed,
    };
    let removed = count_members(&app.db, removed, &team_id, -1).await?;
    let reply = call.commit(&app.db, removed, |_| Reply::no_content(), outcounted).await?;
    announce::ask_again(app, &team_id).await;
    Ok(reply)
}
