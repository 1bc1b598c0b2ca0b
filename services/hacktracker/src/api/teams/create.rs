//! `POST /teams`: creates a team, its owner's membership, and the owner's player.

use super::{TYPES, TeamView, link, membership};
use crate::api::prelude::*;
use crate::api::users;

/// A team to create.
#[derive(Debug, Body)]
#[body(read_only_of = TeamView)]
pub(crate) struct NewTeam {
    /// Letters and digits of any script, spaces and -'.&.
    #[body(length = 3..=50, check = names::team, example = "Seattle Sluggers")]
    name: String,
    #[body(length = 0..=500, check = names::description, example = "Fridays")]
    description: Patch<String>,
    /// MANAGED by default.
    #[body(name = "team_type", alias("teamType"), words = TYPES, example = "MANAGED")]
    team_type: Option<TeamType>,
}

/// Creates a team. You are its owner and its first player.
#[operation(POST "/teams", once, refuses(LimitReached))]
pub(crate) async fn create_team(app: &App, call: &Call<(), NewTeam>) -> Answer<Created<TeamView>> {
    let NewTeam { name, description, team_type } = &call.body;
    let user = users::current(app, call).await?;
    let mut tx = call.transact(&app.db).or_retry();
    users::join(app, &mut tx, &user).await?;
    let team_id: TeamId = app.new_id()?;
    let team = Team {
        list_shard: app.lists.of(&team_id),
        team_id,
        name: name.clone(),
        description: description.value().cloned(),
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
    tx.respond(move |done| Created(TeamView::of_member(&done[team], &done[membership]))).await
}

/// Creates the owner's player of a new team, with the owner's names.
fn player_of(app: &App, user: &User, team: &Team) -> Result<Player, Problem> {
    Ok(Player {
        user_id: Some(user.user_id.clone()),
        first_name: user.first_name.clone(),
        last_name: Some(user.last_name.clone()),
        is_ghost: false,
        named_by_manager: None,
        named_by: Some(user.user_id.clone()),
        linked_at: Some(app.db.now()),
        ..Player::ghost(team.team_id.clone(), app.new_id()?)
    })
}
