//! Teams: created with their owner and the owner's player, seen by members, renamed.

mod life;
mod list;

use monotable::model::{self, edit};
use monotable_kit::{Patch, Problem, Reply, Request};
use serde::Deserialize;

pub(crate) use self::life::{GRACE, delete, mark_deleted, restore, transfer};
pub(crate) use self::list::list;
use super::fields::{Fields, set};
use super::users;
use crate::app::App;
use crate::entities::{
    Membership, MembershipStatus, Period, Player, PlayerLink, PlayerStatus, Role, Stamps, Team,
    TeamCounts, TeamType, User,
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
pub(crate) async fn create(app: &App, call: &Request) -> Result<Reply, Problem> {
    let new: NewTeam = call.read()?;
    let name = names::team(&new.name).map_err(|error| Problem::field("name", error))?;
    let user = users::current(app, call).await?;
    let mut tx = app.db.transact();
    let joined = users::join(app, &mut tx, &user).await?;
    let team_id: TeamId = app.new_id()?;
    let team = Team {
        list_shard: app.lists.of(&team_id),
        team_id,
        name,
        description: new.description.filter(|text| !text.is_empty()),
        owner_id: user.user_id.clone(),
        team_type: Some(new.team_type.unwrap_or(TeamType::Managed)),
        is_personal: None,
        status: None,
        deleted_at: None,
        purge_after: None,
        recovery_token: None,
        stamps: Stamps::default(),
    };
    let membership = membership(app, &user.user_id, &team.team_id, Role::Owner, None);
    let player = player_of(app, &user, &team)?;
    let link = link(&user.user_id, &team, &player);
    let counts = TeamCounts::of_new_team(team.team_id.clone());
    let team = tx.add(model::create(team));
    let membership = tx.add(model::create(membership));
    tx.add(model::create(player));
    tx.add(model::create(link));
    tx.add(model::create(counts));
    call.commit(tx)
        .retry(joined)
        .or_retry()
        .reply(move |done| {
            let team = &done[team];
            Reply::created(&show::team_of(team, &done[membership])).version(team.stamps.version)
        })
        .await
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
        stamps: Stamps::default(),
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
        stamps: Stamps::default(),
    })
}

/// A user's first link to a player: what the slot did since its last user, or ever, counts.
pub(crate) fn link(user_id: &UserId, team: &Team, player: &Player) -> PlayerLink {
    PlayerLink {
        user_id: user_id.clone(),
        player_id: player.player_id.clone(),
        team_id: team.team_id.clone(),
        team_name: team.name.clone(),
        team_type: Some(team.kind()),
        periods: vec![Period { from: player.last_unlinked_at, to: None }],
        stamps: Stamps::default(),
    }
}

/// `GET /teams/{teamId}`.
pub(crate) async fn get(app: &App, call: &Request) -> Result<Reply, Problem> {
    let granted = policy::authorize(app, call, &call.id("teamId")?, Action::View).await?;
    let shown = show::team_of(&granted.team, &granted.membership);
    Ok(Reply::ok(&shown).version(granted.team.stamps.version).differs_by_viewer())
}

#[derive(Deserialize)]
struct Changes {
    name: Option<String>,
    #[serde(default)]
    description: Patch<String>,
}

/// `PUT /teams/{teamId}`: another name or description.
pub(crate) async fn update(app: &App, call: &Request) -> Result<Reply, Problem> {
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
    call.check_version(granted.team.stamps.version)?;
    // A blank description is none.
    let description = match description {
        Patch::Set(text) if text.is_empty() => Patch::Remove,
        description => description,
    };
    let mut tx = app.db.transact();
    let team = tx.add(edit(&granted.team, |team| {
        set(&mut team.name, name);
        description.apply(&mut team.description);
    }));
    let membership = granted.membership;
    call.commit(tx)
        .reply(move |done| {
            let team = &done[team];
            Reply::ok(&show::team_of(team, &membership)).version(team.stamps.version)
        })
        .await
}
