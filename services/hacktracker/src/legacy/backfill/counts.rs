//! Plate appearances of players who were never counted.

use std::collections::{BTreeMap, BTreeSet};

use monotable::model::{Result, Store};

use super::{ATTEMPTS_MAX, Conflict, Report, was_changed};
use crate::table::{HackTracker, HackTrackerReads, Player, PlayerId, TeamId};

/// Counts the plate appearances of every player who was never counted.
///
/// The players are read first and the plate appearances after them. Whoever records or deletes one
/// meanwhile moves the version of the player's row, so that a count that is out of date is not written;
/// then it is counted again.
pub(super) async fn counts(
    db: &Store<HackTracker>,
    mut slots: BTreeSet<(TeamId, PlayerId)>,
    report: &mut Report,
) -> Result<()> {
    for _ in 0..ATTEMPTS_MAX {
        let players = uncounted(db, &slots).await?;
        if players.is_empty() {
            return Ok(());
        }
        let counts = appearances(db, &players).await?;
        slots.clear();
        for player in players {
            let slot = (player.team_id.clone(), player.player_id.clone());
            let count = counts.get(&player.player_id).copied().unwrap_or(0);
            match db.edit(player, |player| player.pa_count = Some(count)).await {
                Ok(_) => report.counted_players += 1,
                Err(error) if was_changed(&error) => {
                    slots.insert(slot);
                }
                Err(error) => return Err(error),
            }
        }
    }
    for (team_id, player_id) in slots {
        let row = format!("TEAM#{team_id} / PLAYER#{player_id}");
        report.conflicts.push(Conflict::Busy { row });
    }
    Ok(())
}

/// Those of the players who are still there and not counted.
async fn uncounted(
    db: &Store<HackTracker>,
    slots: &BTreeSet<(TeamId, PlayerId)>,
) -> Result<Vec<Player>> {
    let mut players = Vec::with_capacity(slots.len());
    for (team_id, player_id) in slots {
        let player = db.player(team_id, player_id).consistent().await?;
        players.extend(player.filter(|player| player.pa_count.is_none()));
    }
    Ok(players)
}

/// The plate appearances of players. What can't be read was told before.
async fn appearances(
    db: &Store<HackTracker>,
    players: &[Player],
) -> Result<BTreeMap<PlayerId, u64>> {
    let zero = players.iter().map(|player| (player.player_id.clone(), 0));
    let mut counts: BTreeMap<PlayerId, u64> = zero.collect();
    let mut at_bats = db.every_at_bat().stream();
    while let Some(at_bat) = at_bats.next().await {
        let at_bat = match at_bat {
            Ok(at_bat) => at_bat,
            Err(error) => {
                super::unreadable(error)?;
                continue;
            }
        };
        if let Some(count) = counts.get_mut(&at_bat.player_id) {
            *count += 1;
        }
    }
    Ok(counts)
}
