//! Ends games whose time is over.

use monotable::model::{Store, create, edit};
use monotable_kit::Problem;
use monotable_kit::jobs::{JobStep, JobTicket};

use super::retire;
use crate::table::{Game, GameId, GameStatus, ScavengerHunt, ScavengerHuntReads as _};

/// The kind of the work that is promised.
pub(crate) const KIND: &str = "end-game";

/// Returns the ticket that promises to end a game at its time, if it has one.
///
/// # Errors
/// Returns 500 if the id can't be written.
pub(crate) fn ticket(game: &Game) -> Result<Option<JobTicket>, Problem> {
    let Some(ends_at) = game.ends_at else { return Ok(None) };
    // An end that is changed and changed back is promised twice, by different versions.
    let job_id = format!("{}.{}.{}", game.id, ends_at.as_ms(), game.stamps.version);
    JobTicket::new(KIND, &job_id, &game.id, ends_at).map(Some)
}

/// Ends a game, unless its time was changed or it has ended.
pub(super) async fn step(
    db: Store<ScavengerHunt>,
    game_id: GameId,
    _: Option<()>,
) -> Result<JobStep<ScavengerHunt, ()>, Problem> {
    let mut tx = db.transact();
    let Some(game) = db.game(&game_id).await? else { return Ok(JobStep::done(tx)) };
    let is_open = matches!(game.status, Some(GameStatus::Ready) | None);
    let is_over = game.ends_at.is_some_and(|end| end <= db.now());
    if is_open && is_over {
        let mut after = game.clone();
        after.status = Some(GameStatus::Ended);
        after.ended_at = after.ends_at;
        tx.add(create(retire::ticket(&after)?));
        tx.add(edit(&game, |game| *game = after));
    }
    Ok(JobStep::done(tx))
}
