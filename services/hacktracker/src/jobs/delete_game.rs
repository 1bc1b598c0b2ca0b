//! Deletes the rows of a game that `deleteGame` has marked.
//!
//! Once marked, the game counts as missing, and its at-bats count nowhere. Every step deletes some
//! rows and subtracts their plate appearances from the players' counts in the same transaction; the
//! game's own row is deleted last.

use std::collections::BTreeMap;

use monotable::model::time::Timestamp;
use monotable::model::{self, Entity as _, Store, delete_by_key};
use monotable_kit::Problem;
use monotable_kit::jobs::{JobStep, JobTicket};
use serde::{Deserialize, Serialize};

use crate::api::games::active;
use crate::table::{
    Game, GameId, GameKey, GameRows, HackTracker, HackTrackerReads as _, PlayerId, TeamId,
};

/// The kind of the job.
pub(super) const KIND: &str = "delete-game";
/// Rows that a step deletes at most. With a player each they fit into one transaction.
const ROWS_MAX: usize = 40;

/// The argument of the job.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Deletion {
    team_id: TeamId,
    game_id: GameId,
}

/// Returns the ticket of a job that deletes the rows of a game.
///
/// # Errors
/// Returns 500 if the ids can't be written.
pub(crate) fn ticket(game: &Game, now: Timestamp) -> Result<JobTicket, Problem> {
    let (team_id, game_id) = (game.team_id.clone(), game.game_id.clone());
    let deletion = Deletion { team_id, game_id };
    JobTicket::new(KIND, deletion.game_id.as_str(), &deletion, now)
}

/// Deletes some rows of a game; its own row is deleted last.
pub(super) async fn step(
    db: Store<HackTracker>,
    deletion: Deletion,
    _: Option<()>,
) -> Result<JobStep<HackTracker, ()>, Problem> {
    // An unreadable row does not block a deletion.
    let rows = db.game_rows(&deletion.game_id).skip_unreadable();
    let page = rows.take(ROWS_MAX).page().await?;
    let mut tx = db.transact();
    let mut counts: BTreeMap<PlayerId, i64> = BTreeMap::new();
    let mut is_empty = true;
    for row in &page.rows {
        match row {
            GameRows::Game(_) => continue,
            GameRows::AtBat(at_bat) => {
                *counts.entry(at_bat.player_id.clone()).or_default() += 1;
                tx.add(model::delete(at_bat))
            }
            GameRows::Availability(row) => tx.add(delete_by_key(&row.key())),
            GameRows::Share(row) => tx.add(delete_by_key(&row.key())),
        };
        is_empty = false;
    }
    if is_empty {
        let (team_id, game_id) = (&deletion.team_id, &deletion.game_id);
        tx.add(delete_by_key(&GameKey::new(game_id.clone())));
        if let Some(released) = active::release(&db, team_id, game_id).await? {
            tx.add(released);
        }
        return Ok(JobStep::done(tx));
    }
    for (player_id, count) in counts {
        // A player who was removed in the meantime is not counted any more.
        if let Some(player) = db.player(&deletion.team_id, &player_id).consistent().await? {
            tx.add(player.count_plate_appearances(-count));
        }
    }
    Ok(JobStep::next(tx, ()))
}
