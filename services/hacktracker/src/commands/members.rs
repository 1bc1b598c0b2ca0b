//! Members of a team: who they are, what they are, and how they go.

use monotable::model::{create, edit};
use monotable_kit::{PageRequest, Problem, Reply, Request};
use serde::Deserialize;
use serde_json::Value;

use super::counts::count_members;
use super::links::{slot_of, unlink_player};
use super::{paging, users};
use crate::app::App;
use crate::entities::{Membership, MembershipStatus, Role, TeamType, User, UserKey};
use crate::ids::{TeamId, UserId};
use crate::patterns::HackTrackerReads as _;
use crate::policy::{self, Action};
use crate::{announce, audit, show};

/// `GET /teams/{teamId}/members`, with their names.
pub(crate) async fn list(app: &App, call: &Request) -> Result<Reply, Problem> {
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
async fn member_of(app: &App, call: &Request, team_id: &TeamId) -> Result<Membership, Problem> {
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
pub(crate) async fn change_role(app: &App, call: &Request) -> Result<Reply, Problem> {
    let NewRole { role } = call.read()?;
    let team_id: TeamId = call.id("teamId")?;
    let granted = policy::authorize(app, call, &team_id, Action::ChangeRoles).await?;
    let member = member_of(app, call, &team_id).await?;
    call.check_version(member.stamps.version)?;
    let own = granted.membership.role;
    if !rules_over(own, member.role) || !rules_over(own, role) {
        return Err(role_ceiling());
    }
    let entity = format!("MEMBER#{}", member.user_id);
    let entry = audit::entry(app, call, &team_id, "changeRole", entity)?
        .was("role", member.role.word())
        .is("role", role.word());
    let mut tx = app.db.transact();
    let active = tx.add(policy::check_active(&team_id));
    let changed = tx.add(edit(&member, |member| member.role = role));
    tx.add(create(entry));
    call.commit(tx)
        .refuse(active, policy::team_deleted())
        .or_retry()
        .reply(move |done| {
            let member = &done[changed];
            Reply::ok(&show::membership(member)).version(member.stamps.version)
        })
        .await
}

/// `DELETE /teams/{teamId}/members/{userId}`: removes a member, or leaves.
pub(crate) async fn remove(app: &App, call: &Request) -> Result<Reply, Problem> {
    let team_id: TeamId = call.id("teamId")?;
    let granted = policy::member(app, call, &team_id).await?;
    let leaves = call.id::<UserId>("userId")? == *granted.user_id();
    if !leaves {
        granted.allow(Action::RemoveMembers)?;
    }
    let member = member_of(app, call, &team_id).await?;
    call.check_version(member.stamps.version)?;
    let (status, action) = match leaves {
        true if member.role == Role::Owner => {
            let text = match granted.team.kind() {
                TeamType::Managed => "The owner can't leave; make somebody else the owner first.",
                TeamType::Personal => {
                    "A personal team has no other members; it stays until you delete your account."
                }
            };
            return Err(Problem::conflict("OWNER_CANNOT_LEAVE", text));
        }
        true => (MembershipStatus::Left, "leaveTeam"),
        false if !rules_over(granted.membership.role, member.role) => return Err(role_ceiling()),
        false => (MembershipStatus::Removed, "removeMember"),
    };
    let entity = format!("MEMBER#{}", member.user_id);
    let entry = audit::entry(app, call, &team_id, action, entity)?.was("role", member.role.word());
    let (team, user_id) = (Some(&granted.team), &member.user_id);
    let mut tx = app.db.transact();
    let active = tx.add(policy::check_active(&team_id));
    tx.add(edit(&member, |member| member.status = status));
    tx.add(create(entry));
    if let Some(player) = slot_of(app, &team_id, user_id).await? {
        unlink_player(&app.db, &mut tx, team, &player, user_id, |_| {}).await?;
    }
    let counting = count_members(&app.db, &mut tx, &team_id, -1).await?;
    let reply = call
        .commit(tx)
        .refuse(active, policy::team_deleted())
        .refusing(|refusals| counting.retry(refusals))
        .or_retry()
        .reply(|_| Reply::no_content())
        .await?;
    announce::ask_again(app, &team_id).await;
    Ok(reply)
}
