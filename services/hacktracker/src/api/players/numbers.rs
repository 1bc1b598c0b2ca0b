//! The numbers of players: a row for each, so that two players of a team can't have the same.

use crate::api::prelude::*;

/// Reserves a number for a player in a transaction, which is refused if another player has taken it
/// in the meantime.
pub(super) fn take(tx: &mut Change<'_>, player: &Player, number: u8) {
    let (team_id, player_id) = (player.team_id.clone(), player.player_id.clone());
    tx.require(create(JerseyNumber { team_id, number, player_id }), taken(number));
}

/// Creates the 409 for a number that another player of the team has.
pub(super) fn taken(number: u8) -> Problem {
    let text = format!("Another player of the team has the number {number}.");
    Refusal::NumberTaken.text(text).with("playerNumber", number)
}

/// Releases one number and reserves another, if they differ. A number of older programs has no row,
/// and two players may have it until one of them gets another.
///
/// # Errors
/// Returns 409 `NUMBER_TAKEN`.
pub(super) async fn change(
    app: &App,
    tx: &mut Change<'_>,
    before: &Player,
    after: &Player,
) -> Result<(), Problem> {
    let (old, new) = (before.wears_number(), after.wears_number());
    if old == new {
        return Ok(());
    }
    release(app, tx, before).await?;
    let Some(number) = new else { return Ok(()) };
    let roster = app.db.roster(&after.team_id).consistent().all().await?;
    let mut others = roster.iter().filter(|player| player.player_id != after.player_id);
    if others.any(|player| player.wears_number() == new) {
        return Err(taken(number));
    }
    take(tx, after, number);
    Ok(())
}

/// Releases the number of a player. The row can't belong to another player as long as the player is
/// unchanged, which the transaction checks.
pub(super) async fn release(
    app: &App,
    tx: &mut Change<'_>,
    player: &Player,
) -> Result<(), Problem> {
    let Some(number) = player.wears_number() else { return Ok(()) };
    let worn = app.db.number(&player.team_id, number).await?;
    if let Some(worn) = worn.filter(|worn| worn.player_id == player.player_id) {
        tx.add(delete(&worn));
    }
    Ok(())
}
