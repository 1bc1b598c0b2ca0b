//! Changes of players: everything by managers, the own names and positions by the player's user.

use monotable::model::{Transact, delete, edit};
use monotable_kit::{Patch, Problem, Reply, Request};
use serde::Deserialize;

use super::{NumberTaking, number_taken, player_of, positions, shown};
use crate::app::App;
use crate::commands::fields::{Fields, set};
use crate::commands::scope::all;
use crate::entities::{Player, PlayerStatus};
use crate::ids::TeamId;
use crate::names;
use crate::patterns::{HackTracker, HackTrackerReads as _};
use crate::policy::{self, Action, Granted};

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
    fn read(call: &Request) -> Result<Self, Problem> {
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
pub(crate) async fn change(app: &App, call: &Request) -> Result<Reply, Problem> {
    let changes = Changes::read(call)?;
    let team_id: TeamId = call.id("teamId")?;
    let granted = policy::member(app, call, &team_id).await?;
    let player = player_of(app, call, &team_id).await?;
    let is_own = player.user_id.as_ref() == Some(granted.user_id());
    if !(is_own && changes.are_of_profile()) {
        granted.allow(Action::ManageRoster)?;
    }
    call.check_version(player.stamps.version)?;
    let mut changed = player.clone();
    changes.apply(&mut changed, &granted);
    let mut tx = app.db.transact();
    let active = tx.add(policy::check_active(&team_id));
    let edited = tx.add(edit(&player, |player| player.clone_from(&changed)));
    let taken = change_number(app, &mut tx, &player, &changed).await?;
    call.commit(tx)
        .refuse(active, policy::team_deleted())
        .refusing(|refusals| taken.iter().fold(refusals, |all, number| number.refusals(all)))
        .or_retry()
        .reply(move |done| shown(&done[edited]))
        .await
}

/// Gives one number up and takes another, as far as they differ. A number that older programs gave out
/// has no row, and may be worn by two until one of them gets another.
async fn change_number(
    app: &App,
    tx: &mut Transact<HackTracker>,
    before: &Player,
    after: &Player,
) -> Result<Option<NumberTaking>, Problem> {
    let (old, new) = (before.wears_number(), after.wears_number());
    if old == new {
        return Ok(None);
    }
    give_up_number(app, tx, before).await?;
    let Some(number) = new else { return Ok(None) };
    let roster = all(app.db.roster(&after.team_id).consistent()).await?;
    let mut others = roster.iter().filter(|player| player.player_id != after.player_id);
    if others.any(|player| player.wears_number() == new) {
        return Err(number_taken(number));
    }
    Ok(Some(NumberTaking::add(tx, after, number)))
}

/// Gives the number of a player up. The row can't become another one's as long as the player is as it
/// was read, which the transaction sees to.
pub(super) async fn give_up_number(
    app: &App,
    tx: &mut Transact<HackTracker>,
    player: &Player,
) -> Result<(), Problem> {
    let Some(number) = player.wears_number() else { return Ok(()) };
    let worn = app.db.number(&player.team_id, number).await?;
    if let Some(worn) = worn.filter(|worn| worn.player_id == player.player_id) {
        tx.add(delete(&worn));
    }
    Ok(())
}
