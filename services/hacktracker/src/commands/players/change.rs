//! Changes of players: everything by managers, the own names and positions by the player's user.

use monotable::model::{Entity as _, Error, Transact};
use monotable_kit::{Call, Patch, Problem, Reply};
use serde::Deserialize;

use super::{number_taken, player_of, positions};
use crate::app::App;
use crate::commands::fields::{Fields, set};
use crate::commands::receipt::shown;
use crate::commands::scope::{all, overtaken};
use crate::entities::{JerseyNumber, Player, PlayerStatus};
use crate::ids::TeamId;
use crate::patterns::{HackTracker, HackTrackerReads as _};
use crate::policy::{self, Action, Granted};
use crate::{names, show};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Changes {
    first_name: Option<String>,
    #[serde(default)]
    last_name: Patch<String>,
    #[serde(default)]
    player_number: Patch<u8>,
    #[serde(default)]
    positions: Patch<Vec<String>>,
    status: Option<PlayerStatus>,
}

impl Changes {
    fn read(call: &Call) -> Result<Self, Problem> {
        let changes: Self = call.read()?;
        let mut fields = Fields::default();
        let changes = Self {
            first_name: fields.read("firstName", changes.first_name, names::player),
            last_name: fields.read_patch("lastName", changes.last_name, names::player),
            positions: fields.read_patch("positions", changes.positions, positions),
            ..changes
        };
        fields.check()?;
        Ok(changes)
    }

    /// Whether they are of a profile, which is the user's own.
    fn are_of_profile(&self) -> bool {
        self.player_number == Patch::Keep && self.status.is_none()
    }

    fn apply(self, player: &mut Player, granted: &Granted) {
        let is_own = player.user_id.as_ref() == Some(granted.user_id());
        if self.first_name.is_some() {
            player.named_by_manager = match player.user_id {
                None => Some(true),
                Some(_) if is_own => Some(false),
                Some(_) => player.named_by_manager,
            };
        }
        if self.first_name.is_some() || self.last_name != Patch::Keep {
            player.named_by = is_own.then(|| granted.user_id().clone());
        }
        set(&mut player.first_name, self.first_name);
        self.last_name.apply(&mut player.last_name);
        self.player_number.apply(&mut player.player_number);
        match self.positions {
            Patch::Keep => {}
            Patch::Remove => player.positions.clear(),
            Patch::Set(positions) => player.positions = positions,
        }
        set(&mut player.status, self.status);
    }
}

/// `PUT /teams/{teamId}/players/{playerId}`.
pub(crate) async fn change(app: &App, call: &Call) -> Result<Reply, Problem> {
    let changes = Changes::read(call)?;
    let team_id: TeamId = call.id("teamId")?;
    let granted = policy::member(app, call, &team_id).await?;
    let player = player_of(app, call, &team_id).await?;
    let is_own = player.user_id.as_ref() == Some(granted.user_id());
    if !(is_own && changes.are_of_profile()) {
        granted.allow(Action::ManageRoster)?;
    }
    call.check_version(player.ver)?;
    let mut changed = player.clone();
    changes.apply(&mut changed, &granted);
    let number = changed.wears_number();
    let transaction = app.db.transact().check(&granted.team.key(), policy::is_active());
    let transaction = transaction.edit(&player, |player| *player = changed.clone());
    let transaction = exchange(app, transaction, &player, &changed).await?;
    let known = |operation, error: &Error| match (error, number) {
        (Error::Exists { entity: "JerseyNumber" }, Some(number)) => Some(number_taken(number)),
        (error, _) => overtaken(operation, error),
    };
    let reply = |player: &Player| Reply::ok(&show::player(player)).version(player.ver);
    call.commit(&app.db, transaction, move |receipt| shown(receipt, 1, reply), known).await
}

/// Gives one number up and takes another, as far as they differ. A number that older programs gave out
/// has no row, and may be worn by two until one of them gets another.
async fn exchange(
    app: &App,
    mut transaction: Transact<HackTracker>,
    before: &Player,
    after: &Player,
) -> Result<Transact<HackTracker>, Problem> {
    let (old, new) = (before.wears_number(), after.wears_number());
    if old == new {
        return Ok(transaction);
    }
    transaction = give_up(app, transaction, before).await?;
    let Some(number) = new else { return Ok(transaction) };
    let roster = all(app.db.roster(&after.team_id).consistent()).await?;
    let mut others = roster.iter().filter(|player| player.player_id != after.player_id);
    if others.any(|player| player.wears_number() == new) {
        return Err(number_taken(number));
    }
    Ok(transaction.create(&JerseyNumber {
        team_id: after.team_id.clone(),
        number,
        player_id: after.player_id.clone(),
    }))
}

/// Gives the number of a player up. The row can't become another one's as long as the player is as it
/// was read, which the transaction sees to.
pub(super) async fn give_up(
    app: &App,
    transaction: Transact<HackTracker>,
    player: &Player,
) -> Result<Transact<HackTracker>, Problem> {
    let Some(number) = player.wears_number() else { return Ok(transaction) };
    let worn = app.db.number(&player.team_id, number).await?;
    Ok(match worn.filter(|worn| worn.player_id == player.player_id) {
        Some(worn) => transaction.delete(&worn),
        None => transaction,
    })
}
