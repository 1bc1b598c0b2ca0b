//! Deletes the rows of a game that `deleteGame` has marked, and its match day if that has no games then.
//!
//! From the mark on the game is missing and counts nowhere. Its own row is deleted last.

use std::collections::BTreeSet;

use monotable::model::time::Timestamp;
use monotable::model::{Entity as _, Store, Transact, delete, delete_by_key, edit};
use monotable_kit::Problem;
use monotable_kit::jobs::{JobStep, JobTicket};
use serde::{Deserialize, Serialize};

use crate::api::counts;
use crate::legacy::whole;
use crate::table::{
    EventId, Game, GameId, GameKey, GameRows, SessionId, ThreeFc, ThreeFcReads as _,
};

/// The kind of the work that is promised.
pub(crate) const KIND: &str = "delete-game";
/// Steps that the request does itself: all of them for a usual game.
pub(crate) const STEPS_AT_ONCE: usize = 20;
/// Rows that a step deletes at most. With a pointer or a slot each they fit into one transaction.
const ROWS_MAX: usize = 40;

/// What the work is about.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Deletion {
    game_id: GameId,
    session_id: SessionId,
    cascade_empty_session: bool,
}

/// Returns the ticket that promises to delete the rows of a game.
///
/// # Errors
/// Returns 500 if the ids can't be written.
pub(crate) fn ticket(
    game: &Game,
    cascade_empty_session: bool,
    now: Timestamp,
) -> Result<JobTicket, Problem> {
    let (game_id, session_id) = (game.game_id.clone(), game.session_id.clone());
    let deletion = Deletion { game_id, session_id, cascade_empty_session };
    JobTicket::new(KIND, deletion.game_id.as_str(), &deletion, now)
}

/// Deletes some rows of a game; when only its own is left, that.
pub(super) async fn step(
    db: Store<ThreeFc>,
    deletion: Deletion,
    _: Option<()>,
) -> Result<JobStep<ThreeFc, ()>, Problem> {
    let rows = db.game_rows(&deletion.game_id).skip_unreadable().take(ROWS_MAX).page().await?.rows;
    let mut tx = db.transact();
    // A goal goes with its pointer, and goals come before pointers.
    let mut goals: BTreeSet<&EventId> = BTreeSet::new();
    let mut is_empty = true;
    for row in &rows {
        match row {
            GameRows::Game(_) => continue,
            GameRows::GoalPointer(row) if goals.contains(&row.event_id) => continue,
            GameRows::Goal(row) => {
                goals.insert(&row.event_id);
                tx.add(delete(row))
            }
            GameRows::RosterEntry(row) => tx.add(delete(row)),
            GameRows::GoalPointer(row) => tx.add(delete_by_key(&row.key())),
            GameRows::GameTeam(row) => tx.add(delete_by_key(&row.key())),
            GameRows::Audit(row) => tx.add(delete_by_key(&row.key())),
        };
        is_empty = false;
    }
    if !is_empty {
        return Ok(JobStep::next(tx, ()));
    }
    tx.add(delete_by_key(&GameKey::new(deletion.game_id.clone())));
    leave_session(&db, &mut tx, &deletion).await?;
    Ok(JobStep::done(tx))
}

/// Takes a game out of the count of its match day, and deletes a match day without games. A game that is added
/// meanwhile changes the match day, so that the step fails and is done again.
async fn leave_session(
    db: &Store<ThreeFc>,
    tx: &mut Transact<ThreeFc>,
    deletion: &Deletion,
) -> Result<(), Problem> {
    let Some(session) = whole::session(db, &deletion.session_id).await? else { return Ok(()) };
    let games = db.games_of(&deletion.session_id).consistent().count().await?;
    if games > 0 || !deletion.cascade_empty_session {
        let count = u32::try_from(games).unwrap_or(u32::MAX);
        tx.add(edit(&session, |session| session.game_count = Some(count)));
        return Ok(());
    }
    if let Some(season) = whole::season(db, &session.season_id).await? {
        let count = counts::sessions(db, &season).await?.saturating_sub(1);
        tx.add(edit(&season, |season| season.session_count = Some(count)));
    }
    tx.add(delete(&session));
    Ok(())
}
