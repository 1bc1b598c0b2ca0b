//! Seasons and match days have two rows each: one in what they belong to, which is right about the content,
//! and one under their own id, which is right about what they belong to. Older programs wrote the two
//! separately, so that one can be missing or out of date. Reading creates the missing one.

use std::cmp::Reverse;

use monotable::model::{Entity, Error, Holds, One, Rows, Store};
use monotable_kit::Problem;
use monotable_kit::backfill::LostRace as _;

use crate::table::{Season, SeasonId, Session, SessionId, ThreeFc, ThreeFcReads as _};

/// What has two rows.
pub(crate) trait TwoRows: Entity {
    /// Reads the row in what it belongs to.
    fn own(&self, db: &Store<ThreeFc>) -> One<Self>;

    /// Reads the row under its own id.
    fn mirror(&self, db: &Store<ThreeFc>) -> One<Self>;
}

impl TwoRows for Season {
    fn own(&self, db: &Store<ThreeFc>) -> One<Self> {
        db.season_in(&self.league_id, &self.season_id)
    }

    fn mirror(&self, db: &Store<ThreeFc>) -> One<Self> {
        db.season(&self.season_id)
    }
}

impl TwoRows for Session {
    fn own(&self, db: &Store<ThreeFc>) -> One<Self> {
        db.session_in(&self.season_id, &self.session_id)
    }

    fn mirror(&self, db: &Store<ThreeFc>) -> One<Self> {
        db.session(&self.session_id)
    }
}

/// Returns a season by its own id.
pub(crate) async fn season(
    db: &Store<ThreeFc>,
    season_id: &SeasonId,
) -> Result<Option<Season>, Problem> {
    whole(db, db.season(season_id)).await
}

/// Returns a session by its own id.
pub(crate) async fn session(
    db: &Store<ThreeFc>,
    session_id: &SessionId,
) -> Result<Option<Session>, Problem> {
    whole(db, db.session(session_id)).await
}

async fn whole<E: TwoRows>(db: &Store<ThreeFc>, mirror: One<E>) -> Result<Option<E>, Problem>
where
    ThreeFc: Holds<E>,
{
    let Some(mirror) = mirror.await? else { return Ok(None) };
    if let Some(own) = mirror.own(db).await? {
        return Ok(Some(own));
    }
    restored(db.restore(&mirror).await)?;
    restored(db.repair(&mirror).await)?;
    // What was deleted meanwhile has neither row.
    Ok(mirror.own(db).await?)
}

/// Ignores that another request was faster, and that another season has the slug.
fn restored<T>(written: Result<T, Error>) -> Result<(), Error> {
    match written {
        Ok(_) | Err(Error::UniqueTaken { .. }) => Ok(()),
        Err(error) if error.is_lost_race() => Ok(()),
        Err(error) => Err(error),
    }
}

/// Creates the rows under own ids that are missing, if nothing else has the id.
pub(crate) async fn with_mirrors<E: TwoRows>(db: &Store<ThreeFc>, rows: &[E]) -> Result<(), Problem>
where
    ThreeFc: Holds<E>,
{
    for row in rows {
        if row.mirror(db).await?.is_none() {
            restored(db.repair(row).await)?;
        }
    }
    Ok(())
}

/// Returns a list, the latest day first. What can't be read is left out.
pub(crate) async fn latest_first<E: TwoRows, D: Ord>(
    db: &Store<ThreeFc>,
    rows: Rows<E>,
    day: impl Fn(&E) -> D,
) -> Result<Vec<E>, Problem>
where
    ThreeFc: Holds<E>,
{
    let mut rows = rows.skip_unreadable().all().await?;
    rows.sort_by_key(|row| Reverse(day(row)));
    // Rows with a version are written together.
    if rows.iter().any(|row| row.version() == Some(0)) {
        with_mirrors(db, &rows).await?;
    }
    Ok(rows)
}
