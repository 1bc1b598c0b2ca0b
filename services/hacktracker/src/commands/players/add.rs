//! New players: ghosts, until somebody claims them.

use std::collections::BTreeSet;

use monotable::model::{Entity as _, Error, Receipt, Transact};
use monotable_kit::{Call, Problem, Reply};
use serde::Deserialize;

use super::{number_taken, positions};
use crate::app::App;
use crate::commands::fields::Fields;
use crate::commands::receipt::{outrun, shown};
use crate::commands::scope::{all, overtaken};
use crate::entities::{JerseyNumber, Player, PlayerStatus, Team};
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
pub(crate) async fn add(app: &App, call: &Call) -> Result<Reply, Problem> {
    let added = create(app, call, vec![call.read()?], |_| String::new()).await?;
    let reply = |receipt: &Receipt| {
        shown(receipt, 1, |player: &Player| {
            Reply::created(&show::player(player)).version(player.ver)
        })
    };
    added.commit(app, call, reply).await
}

/// `POST /teams/{teamId}/players/bulk`: all of them, or none.
pub(crate) async fn add_several(app: &App, call: &Call) -> Result<Reply, Problem> {
    let NewPlayers { players } = call.read()?;
    let added = create(app, call, players, |position| format!("players[{position}].")).await?;
    let operations = added.operations.len();
    let reply = move |receipt: &Receipt| {
        let players = (0..operations).filter_map(|operation| receipt.get::<Player>(operation));
        let mut reply = Reply::page("players", players.map(show::player), None);
        reply.status = 201;
        reply
    };
    added.commit(app, call, reply).await
}

/// Players to be added.
struct Added {
    transaction: Transact<HackTracker>,
    /// The number that each operation takes.
    operations: Vec<Option<u8>>,
    is_near_limit: bool,
}

impl Added {
    async fn commit(
        self,
        app: &App,
        call: &Call,
        reply: impl Fn(&Receipt) -> Reply + Clone + Send + 'static,
    ) -> Result<Reply, Problem> {
        let known = |operation: usize, error: &Error| match error {
            Error::Exists { .. } => self.operations.get(operation)?.map(number_taken),
            error if self.is_near_limit => outrun(operation, error),
            error => overtaken(operation, error),
        };
        call.commit(&app.db, self.transaction, reply, known).await
    }
}

/// The transaction that adds players; `place` says where the fields of each are.
async fn create(
    app: &App,
    call: &Call,
    players: Vec<NewPlayer>,
    place: impl Fn(usize) -> String,
) -> Result<Added, Problem> {
    let team_id: TeamId = call.id("teamId")?;
    let team = policy::authorize(app, call, &team_id, Action::ManageRoster).await?.team;
    let mut fields = Fields::default();
    let players = players.into_iter().enumerate().map(|(position, new)| {
        let place = place(position);
        player(app, &team_id, new, &place, &mut fields)
    });
    let players = players.collect::<Result<Vec<Player>, Problem>>()?;
    fields.check()?;
    let roster = all(app.db.roster(&team_id).consistent()).await?;
    let size = roster.len() + players.len();
    if size > PLAYERS_MAX {
        let text = format!("A team can have {PLAYERS_MAX} players.");
        return Err(Problem::conflict("LIMIT_REACHED", text).with("limit", PLAYERS_MAX));
    }
    let mut worn: BTreeSet<u8> = roster.iter().filter_map(Player::wears_number).collect();
    // Near the limit the team is changed as well, so that of two requests which both have room one is
    // tried again.
    let is_near_limit = size * 2 > PLAYERS_MAX;
    let mut transaction = match is_near_limit {
        false => app.db.transact().check(&team.key(), policy::is_active()),
        true => {
            let touched = Team::update(&team.key()).when(policy::is_active_still(&team));
            app.db.transact().update(touched)
        }
    };
    let mut operations = vec![None];
    for player in &players {
        transaction = transaction.create(player);
        operations.push(None);
        let Some(number) = player.wears_number() else { continue };
        if !worn.insert(number) {
            return Err(number_taken(number));
        }
        transaction = transaction.create(&JerseyNumber {
            team_id: team_id.clone(),
            number,
            player_id: player.player_id.clone(),
        });
        operations.push(Some(number));
    }
    Ok(Added { transaction, operations, is_near_limit })
}

fn player(
    app: &App,
    team_id: &TeamId,
    new: NewPlayer,
    place: &str,
    fields: &mut Fields,
) -> Result<Player, Problem> {
    let now = app.db.now();
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
        created_at: now,
        updated_at: now,
        ver: 0,
    })
}
