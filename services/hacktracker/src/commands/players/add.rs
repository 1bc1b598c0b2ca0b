//! New players: ghosts, until somebody claims them.

use std::collections::BTreeSet;

use monotable::model::{Entity as _, Handle, Outcome, Transact, create};
use monotable_kit::{Problem, Reply, Request};
use serde::Deserialize;

use super::{NumberTaking, number_taken, positions};
use crate::app::App;
use crate::commands::fields::Fields;
use crate::commands::scope::all;
use crate::entities::{Player, PlayerStatus, Stamps, Team};
use crate::ids::TeamId;
use crate::patterns::{HackTracker, HackTrackerReads as _};
use crate::policy::{self, Action};
use crate::{names, show};

/// Players that one request adds at most.
pub(crate) const BULK_MAX: usize = 25;
/// Players of a team.
const PLAYERS_MAX: usize = 100;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct NewPlayer {
    first_name: String,
    last_name: Option<String>,
    player_number: Option<u8>,
    positions: Option<Vec<String>>,
    status: Option<PlayerStatus>,
}

#[derive(Deserialize)]
struct NewPlayers {
    players: Vec<NewPlayer>,
}

/// `POST /teams/{teamId}/players`.
pub(crate) async fn add(app: &App, call: &Request) -> Result<Reply, Problem> {
    let new: NewPlayer = call.read()?;
    let team_id: TeamId = call.id("teamId")?;
    let team = policy::authorize(app, call, &team_id, Action::ManageRoster).await?.team;
    let mut fields = Fields::default();
    let player = player(app, &team_id, new, "", &mut fields)?;
    fields.check()?;
    let mut addition = Addition::start(app, &team, 1).await?;
    let player = addition.add(&player)?;
    let reply = move |done: &Outcome| {
        let player = &done[player];
        Reply::created(&show::player(player)).version(player.stamps.version)
    };
    addition.commit(call, reply).await
}

/// `POST /teams/{teamId}/players/bulk`: all of them, or none.
pub(crate) async fn add_several(app: &App, call: &Request) -> Result<Reply, Problem> {
    let NewPlayers { players } = call.read()?;
    let team_id: TeamId = call.id("teamId")?;
    let team = policy::authorize(app, call, &team_id, Action::ManageRoster).await?.team;
    let mut fields = Fields::default();
    let players = players.into_iter().enumerate().map(|(position, new)| {
        let place = format!("players[{position}].");
        player(app, &team_id, new, &place, &mut fields)
    });
    let players = players.collect::<Result<Vec<Player>, Problem>>()?;
    fields.check()?;
    let mut addition = Addition::start(app, &team, players.len()).await?;
    let players = players.iter().map(|player| addition.add(player));
    let players = players.collect::<Result<Vec<Handle<Player>>, Problem>>()?;
    let reply = move |done: &Outcome| {
        let players = players.iter().map(|player| show::player(&done[*player]));
        let mut reply = Reply::page("players", players, None);
        reply.status = 201;
        reply
    };
    addition.commit(call, reply).await
}

/// The transaction that adds players to a team.
struct Addition {
    tx: Transact<HackTracker>,
    /// The team must not be deleted.
    active: Handle<()>,
    /// Whether the team must be unchanged as well.
    is_near_limit: bool,
    /// The numbers of the team, those of the new players included.
    worn: BTreeSet<u8>,
    /// The operations that take numbers.
    taken: Vec<NumberTaking>,
}

impl Addition {
    /// Starts it for so many players.
    ///
    /// # Errors
    /// 409 `LIMIT_REACHED`.
    async fn start(app: &App, team: &Team, count: usize) -> Result<Self, Problem> {
        let roster = all(app.db.roster(&team.team_id).consistent()).await?;
        let size = roster.len() + count;
        if size > PLAYERS_MAX {
            let text = format!("A team can have {PLAYERS_MAX} players.");
            return Err(Problem::conflict("LIMIT_REACHED", text).with("limit", PLAYERS_MAX));
        }
        // Near the limit the team is changed as well, so that of two requests which both have room one
        // is tried again.
        let is_near_limit = size * 2 > PLAYERS_MAX;
        let mut tx = app.db.transact();
        let active = if is_near_limit {
            let is_same = team.unchanged().and(policy::is_active());
            tx.add(Team::update(&team.key()).when(is_same))
        } else {
            tx.add(policy::check_active(&team.team_id))
        };
        let worn = roster.iter().filter_map(Player::wears_number).collect();
        Ok(Self { tx, active, is_near_limit, worn, taken: Vec::new() })
    }

    /// Adds a player.
    ///
    /// # Errors
    /// 409 `NUMBER_TAKEN`.
    fn add(&mut self, player: &Player) -> Result<Handle<Player>, Problem> {
        let added = self.tx.add(create(player.clone()));
        if let Some(number) = player.wears_number() {
            if !self.worn.insert(number) {
                return Err(number_taken(number));
            }
            self.taken.push(NumberTaking::add(&mut self.tx, player, number));
        }
        Ok(added)
    }

    async fn commit(
        self,
        call: &Request,
        reply: impl Fn(&Outcome) -> Reply + Send + Sync + 'static,
    ) -> Result<Reply, Problem> {
        let Self { tx, active, is_near_limit, taken, .. } = self;
        call.commit(tx)
            .refusing(|refusals| taken.iter().fold(refusals, |all, number| number.refusals(all)))
            .refusing(|refusals| {
                if is_near_limit {
                    refusals.retry(active)
                } else {
                    refusals.refuse(active, policy::team_deleted())
                }
            })
            .or_retry()
            .reply(reply)
            .await
    }
}

fn player(
    app: &App,
    team_id: &TeamId,
    new: NewPlayer,
    place: &str,
    fields: &mut Fields,
) -> Result<Player, Problem> {
    let field = |field: &str| format!("{place}{field}");
    let first_name = fields.read(&field("firstName"), Some(new.first_name), names::player);
    Ok(Player {
        team_id: team_id.clone(),
        player_id: app.new_id()?,
        user_id: None,
        first_name: first_name.unwrap_or_default(),
        last_name: fields.read(&field("lastName"), new.last_name, names::player),
        player_number: new.player_number,
        positions: fields.read(&field("positions"), new.positions, positions).unwrap_or_default(),
        status: new.status.unwrap_or_default(),
        is_ghost: true,
        named_by_manager: Some(true),
        named_by: None,
        linked_at: None,
        last_unlinked_at: None,
        pa_count: Some(0),
        lineups: 0,
        stamps: Stamps::default(),
    })
}
