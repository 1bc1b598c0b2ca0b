//! `POST /teams`: makes a team, its owner's membership, and the owner's player.

use monotable::model::create;
use monotable_kit::{Answer, Body, Call, Created, Patch, Problem, operation};

use super::{TYPES, TeamView, link, membership};
use crate::api::users;
use crate::app::App;
use crate::names;
use crate::refusal::Refusal;
use crate::table::{Player, PlayerStatus, Role, Stamps, Team, TeamCounts, TeamId, TeamType, User};

/// A team to make.
#[derive(Debug, Body)]
#[body(read_only(
    "teamId",
    "ownerId",
    "status",
    "deletedAt",
    "purgeAfter",
    "createdAt",
    "updatedAt",
    "ver",
    "role"
))]
pub(crate) struct NewTeam {
    /// Letters and digits of any script, spaces and -'.&.
    #[body(length = 3..=50, example = "Seattle Sluggers")]
    name: String,
    #[body(length = 0..=500, example = "Fridays")]
    description: Patch<String>,
    /// MANAGED by default.
    #[body(name = "team_type", alias("teamType"), words = TYPES, example = "MANAGED")]
    team_type: Option<TeamType>,
}

/// Makes a team. You are its owner and its first player.
#[operation(POST "/teams", once, refuses(LimitReached))]
pub(crate) async fn create_team(app: &App, call: &Call<(), NewTeam>) -> Answer<Created<TeamView>> {
    let NewTeam { name, description, team_type } = &call.body;
    let name = names::team(name).map_err(|error| Problem::field("name", error))?;
    let user = users::current(app, call).await?;
    let mut tx = app.db.transact();
    let joined = users::join(app, &mut tx, &user).await?;
    let team_id: TeamId = app.new_id()?;
    let team = Team {
        list_shard: app.lists.of(&team_id),
        team_id,
        name,
        description: description.value().filter(|text| !text.is_empty()).cloned(),
        owner_id: user.user_id.clone(),
        team_type: Some(team_type.unwrap_or(TeamType::Managed)),
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
    let team = tx.add(create(team));
    let membership = tx.add(create(membership));
    tx.add(create(player));
    tx.add(create(link));
    tx.add(create(counts));
    call.commit(tx)
        .retry(joined)
        .or_retry()
        .respond(move |done| Created(TeamView::of_member(&done[team], &done[membership])))
        .await
}

/// Makes the owner's player of a new team, with the owner's names.
fn player_of(app: &App, user: &User, team: &Team) -> Result<Player, Problem> {
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
        linked_at: Some(app.db.now()),
        last_unlinked_at: None,
        pa_count: Some(0),
        lineups: 0,
        stamps: Stamps::default(),
    })
}
