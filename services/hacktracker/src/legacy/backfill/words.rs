//! Roles and statuses in older words, which conditions of writes would not know.

use monotable::model::{Entity as _, Error, Result, Store};

use super::{Report, unreadable};
use crate::table::{Game, HackTracker, HackTrackerReads, LegacyRow, Membership, game, membership};

/// Writes today's words where a row has others. A row that somebody changes meanwhile has them already,
/// or is found by the next run.
pub(super) async fn words(db: &Store<HackTracker>, report: &mut Report) -> Result<()> {
    let mut rows = db.legacy_rows().stream();
    while let Some(row) = rows.next().await {
        let written = match row {
            Ok(LegacyRow::Membership(row)) => role(db, row).await,
            Ok(LegacyRow::Game(row)) => status(db, row).await,
            Ok(
                LegacyRow::User(_)
                | LegacyRow::Team(_)
                | LegacyRow::Player(_)
                | LegacyRow::AtBat(_),
            ) => continue,
            // It was told before.
            Err(error) => {
                unreadable(error)?;
                continue;
            }
        };
        match written {
            Ok(()) => report.words += 1,
            Err(Error::ConditionFailed { .. } | Error::NotFound { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Fails if the role is written in today's word, or the row was changed since it was read.
async fn role(db: &Store<HackTracker>, row: Membership) -> Result<()> {
    let is_other = membership::role().ne(row.role);
    let is_same = !membership::version().gt(row.stamps.version);
    let update = Membership::update(&row.key()).role(row.role).when(is_other).when(is_same);
    db.update(update).await.map(drop)
}

/// Fails if the status is written in today's word, or the row was changed since it was read.
async fn status(db: &Store<HackTracker>, row: Game) -> Result<()> {
    let is_other = game::status().ne(row.status);
    let is_same = !game::version().gt(row.stamps.version);
    let update = Game::update(&row.key()).status(row.status).when(is_other).when(is_same);
    db.update(update).await.map(drop)
}
