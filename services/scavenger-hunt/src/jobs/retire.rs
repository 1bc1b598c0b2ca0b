//! Removes personal data some days after the end of a game: messages, photos, positions and users. The game, its levels, its
//! teams and what they add up to stay.

use std::time::Duration;

use monotable::model::{Store, create, delete_by_key, edit};
use monotable_kit::Problem;
use monotable_kit::blobs::Blobs;
use monotable_kit::jobs::{JobStep, JobTicket};
use serde::{Deserialize, Serialize};

use super::delete_blobs;
use super::erase_user::erase;
use crate::api::play::ping::{DAY, RETENTION_DAYS};
use crate::table::{
    AccessTokenKey, Game, GameId, GameStatus, ScavengerHunt, ScavengerHuntReads as _, TeamId,
};

/// The kind of the work that is promised.
pub(crate) const KIND: &str = "retire-game";

/// Returns how long personal data of a game is kept.
fn retention(game: &Game) -> Duration {
    DAY * game.retention_days.unwrap_or(RETENTION_DAYS)
}

/// Returns the ticket that promises to remove personal data of a game that has ended.
///
/// # Errors
/// Returns 500 if the id can't be written, or the game has not ended.
pub(crate) fn ticket(game: &Game) -> Result<JobTicket, Problem> {
    let ended_at = game.ended_at.ok_or_else(|| Problem::internal("the game has not ended"))?;
    let job_id = format!("{}.{}", game.id, game.stamps.version);
    JobTicket::new(KIND, &job_id, &game.id, ended_at + retention(game))
}

/// Where the work has come to: the team, and the photos whose rows are gone.
#[derive(Serialize, Deserialize)]
pub(super) struct Place {
    team_id: TeamId,
    photos: Vec<String>,
}

/// Removes some rows of the next user of a game; behind the last one, the game is archived.
pub(super) async fn step(
    db: Store<ScavengerHunt>,
    blobs: Blobs,
    game_id: GameId,
    at: Option<Place>,
) -> Result<JobStep<ScavengerHunt, Place>, Problem> {
    if let Some(at) = &at {
        delete_blobs(&blobs, &at.photos).await?;
    }
    let mut tx = db.transact();
    let Some(game) = db.game(&game_id).await? else { return Ok(JobStep::done(tx)) };
    let due_at = game.ended_at.map(|end| end + retention(&game));
    if due_at.is_some_and(|due_at| due_at > db.now()) {
        // The days were changed meanwhile.
        tx.add(create(ticket(&game)?));
        return Ok(JobStep::done(tx));
    }
    let now = Some(db.now().epoch_seconds());
    for team in db.teams(&game_id).skip_unreadable().all().await? {
        if at.as_ref().is_some_and(|at| team.id < at.team_id) {
            continue;
        }
        if let Some(user) = db.users(&team.id).skip_unreadable().first().await? {
            let (count, photos) = erase(&db, &mut tx, &user.id).await?;
            if count == 0 {
                tx.add(edit(&user, |user| user.stamps.expires = now));
                if let Some(token) = &user.token_hash {
                    tx.add(delete_by_key(&AccessTokenKey::new(token.clone())));
                }
            }
            return Ok(JobStep::next(tx, Place { team_id: team.id, photos }));
        }
    }
    if game.status != Some(GameStatus::Archived) {
        tx.add(edit(&game, |game| game.status = Some(GameStatus::Archived)));
    }
    Ok(JobStep::done(tx))
}
