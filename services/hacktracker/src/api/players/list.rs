//! `GET /teams/{teamId}/players`: lists the roster of a team.

use std::collections::HashMap;

use super::{PlayerView, STATUSES};
use crate::api::prelude::*;

/// Which players are listed.
#[derive(Debug, Body)]
pub(crate) struct Roster {
    #[body(words = STATUSES)]
    status: Option<PlayerStatus>,
    is_ghost: Option<bool>,
    /// Adds the roles of the players' users in the team.
    include_roles: Option<bool>,
}

/// A player of a roster.
#[derive(View)]
#[view(list = "players")]
pub(crate) struct RosterView {
    #[view(flatten)]
    player: PlayerView,
    /// The role of the player's user in the team, with includeRoles.
    role: Option<Role>,
}

/// Lists the roster by number, then by last and first name.
#[operation(GET "/teams/{teamId}/players", refuses(refusal::VIEWING))]
async fn list_players(app: &App, call: &Call<TeamPath, (), Roster>) -> Answer<Page<RosterView>> {
    let team_id = &call.path.team_id;
    policy::authorize(app, call, team_id, Action::View).await?;
    let Roster { status, is_ghost, include_roles } = call.query;
    let mut players = app.db.roster(team_id).consistent().skip_unreadable().all().await?;
    players.retain(|player| {
        status.is_none_or(|status| status == player.status)
            && is_ghost.is_none_or(|is_ghost| is_ghost == player.user_id.is_none())
    });
    players.sort_by_cached_key(|player| {
        let last_name = player.last_name.as_deref().unwrap_or_default().to_lowercase();
        let number = player.player_number.map_or(u16::MAX, u16::from);
        (number, last_name, player.first_name.to_lowercase(), player.player_id.clone())
    });
    let mut roles: HashMap<UserId, Role> = HashMap::new();
    if include_roles == Some(true) {
        let members = app.db.members(team_id).skip_unreadable().all().await?;
        let active = members.into_iter().filter(|member| member.is_active());
        roles.extend(active.map(|member| (member.user_id, member.role)));
    }
    let role_of = |player: &Player| roles.get(player.user_id.as_ref()?).copied();
    let shown =
        |player: &Player| RosterView { player: PlayerView::of(player), role: role_of(player) };
    Ok(Page::all(&players, shown).into())
}
