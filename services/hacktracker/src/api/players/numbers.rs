//! The numbers that players wear: a row for each, so that no two players of a team wear the same.

use monotable::model::{Handle, Transact, create, delete};
use monotable_kit::{Problem, Refusals, Refuse as _};

use crate::app::App;
use crate::refusal::Refusal;
use crate::table::{HackTracker, HackTrackerReads as _, JerseyNumber, Player};

/// The operation of a transaction by which a player gets a number.
#[derive(Clone, Copy)]
pub(super) struct NumberTaking {
    number: u8,
    row: Handle<JerseyNumber>,
}

impl NumberTaking {
    pub(super) fn add(tx: &mut Transact<HackTracker>, player: &Player, number: u8) -> Self {
        let (team_id, player_id) = (player.team_id.clone(), player.player_id.clone());
        Self { number, row: tx.add(create(JerseyNumber { team_id, number, player_id })) }
    }

    /// Refuses with `NUMBER_TAKEN` if another player has got it meanwhile.
    pub(super) fn refusals(self, refusals: Refusals<'_>) -> Refusals<'_> {
        refusals.refuse(self.row, number_taken(self.number))
    }
}

/// 409 for a number that another player of the team wears.
pub(super) fn number_taken(number: u8) -> Problem {
    let text = format!("Another player of the team wears the number {number}.");
    Refusal::NumberTaken.text(text).with("playerNumber", number)
}

/// Gives one number up and takes another, if they differ. A number of older programs has no row, and
/// two players may wear it until one of them gets another.
///
/// # Errors
/// 409 `NUMBER_TAKEN`.
pub(super) async fn change_number(
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
    let roster = app.db.roster(&after.team_id).consistent().all().await?;
    let mut others = roster.iter().filter(|player| player.player_id != after.player_id);
    if others.any(|player| player.wears_number() == new) {
        return Err(number_taken(number));
    }
    Ok(Some(NumberTaking::add(tx, after, number)))
}

/// Gives the number of a player up. The row can't become another player's as long as the player is as it
/// was read, which the transaction checks.
///
/// # Errors
/// What the table says.
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
