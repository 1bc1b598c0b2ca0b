//! The roster of a team: who plays, with which number.

mod add;
mod change;
mod remove;

use std::collections::HashMap;

use monotable::model::{Handle, Transact, create};
use monotable_kit::{Problem, Refusals, Reply, Request};
use serde::Deserialize;
use serde_json::json;

pub(crate) use self::add::{BULK_MAX, add, add_several};
pub(crate) use self::change::change;
pub(crate) use self::remove::remove;
use super::scope::all;
use crate::app::App;
use crate::entities::{JerseyNumber, Player, PlayerStatus};
use crate::ids::{PlayerId, TeamId, UserId};
use crate::patterns::{HackTracker, HackTrackerReads as _};
use crate::policy::{self, Action};
use crate::show;

/// The player of a path.
///
/// # Errors
/// 404.
pub(crate) async fn player_of(
    app: &App,
    call: &Request,
    team_id: &TeamId,
) -> Result<Player, Problem> {
    let player_id: PlayerId = call.id("playerId")?;
    app.db.player(team_id, &player_id).consistent().await?.ok_or_else(not_found)
}

/// 404 for a player who is not there.
pub(crate) fn not_found() -> Problem {
    Problem::not_found("PLAYER_NOT_FOUND", "There is no such player.")
}

/// The operation of a transaction by which a player gets a number.
#[derive(Clone, Copy)]
struct NumberTaking {
    number: u8,
    row: Handle<JerseyNumber>,
}

impl NumberTaking {
    fn add(tx: &mut Transact<HackTracker>, player: &Player, number: u8) -> Self {
        let (team_id, player_id) = (player.team_id.clone(), player.player_id.clone());
        Self { number, row: tx.add(create(JerseyNumber { team_id, number, player_id })) }
    }

    /// Refuses with [`number_taken`] if another player has got it meanwhile.
    fn refusals(self, refusals: Refusals<'_>) -> Refusals<'_> {
        refusals.refuse(self.row, number_taken(self.number))
    }
}

/// 409 for a number that another player of the team wears.
fn number_taken(number: u8) -> Problem {
    let text = format!("Another player of the team wears the number {number}.");
    Problem::conflict("NUMBER_TAKEN", text).with("playerNumber", number)
}

/// Positions, each once and two at most.
fn positions(positions: &[String]) -> Result<Vec<String>, String> {
    let mut distinct: Vec<String> = Vec::new();
    for position in positions {
        if !distinct.contains(position) {
            distinct.push(position.clone());
        }
    }
    match distinct.len() <= 2 {
        true => Ok(distinct),
        false => Err("may be two at most".to_owned()),
    }
}

/// `GET /teams/{teamId}/players/{playerId}`.
pub(crate) async fn get(app: &App, call: &Request) -> Result<Reply, Problem> {
    let team_id: TeamId = call.id("teamId")?;
    policy::authorize(app, call, &team_id, Action::View).await?;
    let player = player_of(app, call, &team_id).await?;
    Ok(shown(&player))
}

/// Returns the reply that shows a player.
pub(crate) fn shown(player: &Player) -> Reply {
    Reply::ok(&show::player(player)).version(player.stamps.version)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Wanted {
    status: Option<PlayerStatus>,
    is_ghost: Option<bool>,
    include_roles: Option<bool>,
}

/// `GET /teams/{teamId}/players`: by number, those without one last, then by last and first name.
pub(crate) async fn list(app: &App, call: &Request) -> Result<Reply, Problem> {
    let team_id: TeamId = call.id("teamId")?;
    policy::authorize(app, call, &team_id, Action::View).await?;
    let wanted: Wanted = call.parameters()?;
    let mut players = all(app.db.roster(&team_id).consistent().skip_unreadable()).await?;
    players.retain(|player| {
        wanted.status.is_none_or(|status| status == player.status)
            && wanted.is_ghost.is_none_or(|is_ghost| is_ghost == player.user_id.is_none())
    });
    players.sort_by_cached_key(|player| {
        let last_name = player.last_name.as_deref().unwrap_or_default().to_lowercase();
        let number = player.player_number.map_or(u16::MAX, u16::from);
        (number, last_name, player.first_name.to_lowercase(), player.player_id.clone())
    });
    let mut roles = HashMap::new();
    if wanted.include_roles == Some(true) {
        let members = all(app.db.members(&team_id).skip_unreadable()).await?;
        let active = members.into_iter().filter(|member| member.is_active());
        roles.extend(active.map(|member| (member.user_id, member.role)));
    }
    let shown = players.iter().map(|player| {
        let mut shown = show::player(player);
        let role = player.user_id.as_ref().and_then(|user: &UserId| roles.get(user));
        if let Some(role) = role {
            shown["role"] = json!(role);
        }
        shown
    });
    Ok(Reply::page("players", shown, None))
}
