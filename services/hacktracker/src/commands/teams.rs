//! Teams: created with their owner and the owner's player, seen by members, renamed.

mod life;
mod list;

use monotable::model::time::Timestamp;
use monotable_kit::{Call, Patch, Problem, Reply};
use serde::Deserialize;

pub(crate) use self::life::{GRACE, delete, mark_deleted, restore, transfer};
pub(crate) use self::list::list;
use super::fields::{Fields, set};
use super::receipt::shown;
use super::scope::overtaken;
use super::users;
use crate::app::App;
use crate::entities::{
    Membership, MembershipStatus, Period, Player, PlayerLink, PlayerStatus, Role, Team, TeamCounts,
    TeamType, User,
};
use crate::ids::{TeamId, UserId};
use crate::policy::{self, Action};
use crate::{names, show};

#[derive(Deserialize)]
struct NewTeam {
    name: String,
    description: Option<String>,
    team_type: Option<TeamType>,
}

/// `POST /teams`: the team, its owner's membership, and the owner's player.
pub(crate) async fn create(app: &App, call: &Call) -> Result<Reply, Problem> {
    let new: NewTeam = call.read()?;
    let name = names::team(&new.name).map_err(|error| Problem::field("name", error))?;
    let user = users::current(app, call).await?;
    let joining = users::joining(app, &user).await?;
    let team = Team {
        team_id: app.new_id()?,
        name,
        description: new.description.filter(|text| !text.is_empty()),
        owner_id: user.user_id.clone(),
        team_type: Some(new.team_type.unwrap_or(TeamType::Managed)),
        is_personal: None,
        status: None,
        deleted_at: None,
        purge_after: None,
        recovery_token: None,
        created_at: app.db.now(),
        updated_at: app.db.now(),
        ver: 0,
    };
    let membership = membership(app, &user.user_id, &team.team_id, Role::Owner, None);
    let player = player_of(app, &user, &team)?;
    let link = link(app.db.now(), &user.user_id, &team, &player);
    let created = app.db.transact().update(joining).create(&team).create(&membership);
    let counts = TeamCounts::of_new_team(team.team_id.clone());
    let created = created.create(&player).create(&link).create(&counts);
    let reply =
        move |team: &Team| Reply::created(&show::team_of(team, &membership)).version(team.ver);
    call.commit(&app.db, created, move |receipt| shown(receipt, 1, &reply), overtaken).await
}

/// A new membership that counts.
pub(crate) fn membership(
    app: &App,
    user_id: &UserId,
    team_id: &TeamId,
    role: Role,
    invited_by: Option<UserId>,
) -> Membership {
    let now = app.db.now();
    Membership {
        user_id: user_id.clone(),
        team_id: team_id.clone(),
        role,
        status: MembershipStatus::Active,
        joined_at: now,
        invited_by,
        created_at: now,
        updated_at: now,
        ver: 0,
    }
}

/// The owner's player of a new team, with the owner's names.
fn player_of(app: &App, user: &User, team: &Team) -> Result<Player, Problem> {
    let now = app.db.now();
    Ok(Player {
        team_id: team.team_id.clone(),
        player_id: app.new_id()?,
        user_id: Some(user.user_id.clone()),
        first_name: user.first_name.clone(),
        last_name: Some(user.last_name.clone()),
        player_number: None,
        positions: Vec::new(),
        status: PlayerStatus::Active,
        is_ghost: false,
        named_by_manager: None,
        named_by: Some(user.user_id.clone()),
        linked_at: Some(now),
        last_unlinked_at: None,
        pa_count: Some(0),
        lineups: 0,
        created_at: now,
        updated_at: now,
        ver: 0,
    })
}

/// A user's first link to a player: what the slot did since its last user, or ever, counts.
pub(crate) fn link(now: Timestamp, user_id: &UserId, team: &Team, player: &Player) -> PlayerLink {
    PlayerLink {
        user_id: user_id.clone(),
        player_id: player.player_id.clone(),
        team_id: team.team_id.clone(),
        team_name: team.name.clone(),
        team_type: Some(team.kind()),
        periods: vec![Period { from: player.last_unlinked_at, to: None }],
        created_at: now,
        updated_at: now,
        ver: 0,
    }
}

/// `GET /teams/{teamId}`.
pub(crate) async fn get(app: &App, call: &Call) -> Result<Reply, Problem> {
    let granted = policy::authorize(app, call, &call.id("teamId")?, Action::View).await?;
    let version = granted.team.ver;
    Ok(Reply::ok(&show::team_of(&granted.team, &granted.membership)).version(version))
}

#[derive(Deserialize)]
struct Changes {
    name: Option<String>,
    #[serde(default)]
    description: Patch<String>,
}

/// `PUT /teams/{teamId}`: another name or description.
pub(crate) async fn update(app: &App, call: &Call) -> Result<Reply, Problem> {
    let Changes { name, description } = call.read()?;
    let mut fields = Fields::default();
    let name = fields.read("name", name, names::team);
    fields.check()?;
    let granted = policy::member(app, call, &call.id("teamId")?).await?;
    if name.is_some() {
        granted.allow(Action::RenameTeam)?;
    }
    if description != Patch::Keep {
        granted.allow(Action::DescribeTeam)?;
    }
    call.check_version(granted.team.ver)?;
    // A blank description is none.
    let description = match description {
        Patch::Set(text) if text.is_empty() => Patch::Remove,
        description => description,
    };
    let changed = app.db.transact().edit(&granted.team, |team| {
        set(&mut team.name, name);
        description.apply(&mut team.description);
    });
    let membership = granted.membership;
    let reply = move |team: &Team| Reply::ok(&show::team_of(team, &membership)).version(team.ver);
    call.commit(&app.db, changed, move |receipt| shown(receipt, 0, &reply), |_, _| None).await
}
