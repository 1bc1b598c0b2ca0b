//! Teams: created with their owner and the owner's player, seen by members, renamed, listed.

use monotable_kit::{Call, PageRequest, Patch, Problem, Reply};
use serde::Deserialize;
use serde_json::Value;

use super::fields::{Fields, set};
use super::receipt::{outrun, shown};
use super::{paging, users};
use crate::app::App;
use crate::entities::{
    Membership, MembershipStatus, Period, Player, PlayerLink, PlayerStatus, Role, Team, TeamKey,
    TeamType, User,
};
use crate::ids::{TeamId, UserId};
use crate::patterns::HackTrackerReads as _;
use crate::policy::{self, Action};
use crate::{names, show};

#[derive(Deserialize)]
struct NewTeam {
    name: String,
    description: Option<String>,
    team_type: TeamType,
}

/// `POST /teams`: the team, its owner's membership, and the owner's player.
pub async fn create(app: &App, call: &Call) -> Result<Reply, Problem> {
    let new: NewTeam = call.read()?;
    let name = names::team(&new.name).map_err(|error| Problem::field("name", error))?;
    let user = users::current(app, call).await?;
    let joining = users::joining(app, &user).await?;
    let team = Team {
        team_id: app.new_id()?,
        name,
        description: new.description.filter(|text| !text.is_empty()),
        owner_id: user.user_id.clone(),
        team_type: Some(new.team_type),
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
    let link = link(app, &user.user_id, &team, &player);
    let created = app.db.transact().update(joining).create(&team).create(&membership);
    let created = created.create(&player).create(&link);
    let reply =
        move |team: &Team| Reply::created(&show::team_of(team, &membership)).version(team.ver);
    let known = |operation, error: &_| (operation == 0).then(|| outrun(error)).flatten();
    call.commit(&app.db, created, move |receipt| shown(receipt, 1, &reply), known).await
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
        linked_at: Some(now),
        last_unlinked_at: None,
        pa_count: Some(0),
        created_at: now,
        updated_at: now,
        ver: 0,
    })
}

/// A user's first link to a player: what the slot did since its last user, or ever, counts.
pub(crate) fn link(app: &App, user_id: &UserId, team: &Team, player: &Player) -> PlayerLink {
    let now = app.db.now();
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
pub async fn get(app: &App, call: &Call) -> Result<Reply, Problem> {
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
pub async fn update(app: &App, call: &Call) -> Result<Reply, Problem> {
    let Changes { name, description } = call.read()?;
    let mut fields = Fields::default();
    let name = fields.read("name", name, |name: &String| names::team(name));
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

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Wanted {
    user_id: Option<UserId>,
    owner_id: Option<UserId>,
    team_type: Option<TeamType>,
}

impl Wanted {
    fn takes(&self, team: &Team) -> bool {
        team.is_active()
            && self.owner_id.as_ref().is_none_or(|owner| *owner == team.owner_id)
            && self.team_type.is_none_or(|kind| kind == team.kind())
    }
}

/// `GET /teams`: those of the caller; for administrators those of any user, or all.
pub async fn list(app: &App, call: &Call) -> Result<Reply, Problem> {
    let (caller, wanted) = (policy::caller(call)?, call.parameters::<Wanted>()?);
    let is_administrator = policy::is_administrator(call.principal()?);
    // An owner is a member, so that the teams of an owner are among those of the user.
    let of = match (&wanted.user_id, &wanted.owner_id) {
        (Some(user), _) if *user != caller && !is_administrator => return Err(policy::not_self()),
        (Some(user), _) => user,
        (None, Some(owner)) if is_administrator => owner,
        (None, None) if is_administrator => return list_all(app, call, &wanted).await,
        (None, _) => &caller,
    };
    let PageRequest { limit, next_token: mut cursor } = call.page();
    let mut items = Vec::new();
    for _ in 0..paging::PAGES_MAX {
        let rows = app.db.memberships(of).consistent().take(limit - items.len());
        let page = paging::from(cursor.as_ref(), rows).page().await?;
        items.extend(shown_teams(app, &wanted, page.rows).await?);
        cursor = page.next;
        if cursor.is_none() || items.len() == limit {
            break;
        }
    }
    Ok(Reply::page("teams", &items, cursor.as_ref()))
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

async fn list_all(app: &App, call: &Call, wanted: &Wanted) -> Result<Reply, Problem> {
    let PageRequest { limit, next_token: mut cursor } = call.page();
    let mut items = Vec::new();
    for _ in 0..paging::PAGES_MAX {
        let rows = app.db.teams().take(limit - items.len());
        let page = paging::from(cursor.as_ref(), rows).page().await?;
        items.extend(page.rows.iter().filter(|team| wanted.takes(team)).map(show::team));
        cursor = page.next;
        if cursor.is_none() || items.len() == limit {
            break;
        }
    }
    Ok(Reply::page("teams", &items, cursor.as_ref()))
}
