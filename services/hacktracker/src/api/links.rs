//! Links between players and users, and their history, which outlives the player and the team.

use crate::api::prelude::*;
use crate::api::teams;

/// Links a ghost to a user in a transaction. Its plate appearances since its last user count for
/// the new one.
pub(crate) async fn link_player(
    db: &Store<HackTracker>,
    tx: &mut Transact<HackTracker>,
    team: &Team,
    player: &Player,
    user_id: &UserId,
) -> Result<Handle<Player>, Problem> {
    let now = db.now();
    let linked = tx.add(edit(player, |player| {
        player.user_id = Some(user_id.clone());
        player.is_ghost = false;
        player.linked_at = Some(now);
    }));
    match db.player_link(user_id, &player.player_id).consistent().await? {
        Some(history) => tx.add(edit(&history, |history| {
            history.periods.push(Period { from: player.last_unlinked_at, to: None });
        })),
        None => tx.add(create(teams::link(user_id, team, player))),
    };
    Ok(linked)
}

/// Makes the slot of a user a ghost again in a transaction, and applies further changes to it. A
/// link that older programs created without a history gets one.
pub(crate) async fn unlink_player(
    db: &Store<HackTracker>,
    tx: &mut Transact<HackTracker>,
    team: Option<&Team>,
    player: &Player,
    user_id: &UserId,
    change: impl FnOnce(&mut Player),
) -> Result<Handle<Player>, Problem> {
    let now = db.now();
    let unlinked = tx.add(edit(player, |player| {
        (player.user_id, player.is_ghost, player.linked_at) = (None, true, None);
        player.last_unlinked_at = Some(now);
        change(player);
    }));
    let history = db.player_link(user_id, &player.player_id).consistent().await?;
    match (history, team) {
        (Some(history), _) => {
            tx.add(edit(&history, |history| close(history, now)));
        }
        (None, Some(team)) => {
            let mut history = teams::link(user_id, team, player);
            close(&mut history, now);
            tx.add(create(history));
        }
        (None, None) => {}
    }
    Ok(unlinked)
}

/// Ends the open period.
pub(crate) fn close(history: &mut PlayerLink, now: Timestamp) {
    for period in history.periods.iter_mut().filter(|period| period.to.is_none()) {
        period.to = Some(now);
    }
}

/// Returns the slot of a user in a team; there is at most one.
pub(crate) async fn slot_of(
    app: &App,
    team_id: &TeamId,
    user_id: &UserId,
) -> Result<Option<Player>, Problem> {
    let roster = app.db.roster(team_id).consistent().all().await?;
    Ok(roster.into_iter().find(|player| player.user_id.as_ref() == Some(user_id)))
}

/// Creates the 409 for a slot that is linked, or a user who has another slot.
pub(crate) fn already_linked(player: &Player) -> Problem {
    Refusal::PlayerAlreadyLinked.with("playerId", player.player_id.as_str())
}
