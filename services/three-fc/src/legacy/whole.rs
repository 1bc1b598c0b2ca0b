//! Seasons and match days have two rows each: one in what they belong to, which is right about the content,
//! and one under their own id, which is right about what they belong to. Older programs wrote the two
//! separately, so that one can be missing or out of date. Reading creates the missing one.

use monotable::model::{Error, Store};
use monotable_kit::Problem;
use monotable_kit::backfill::LostRace as _;

use crate::table::{Season, SeasonId, Session, SessionId, ThreeFc, ThreeFcReads as _};

/// Returns a season by its own id.
///
/// # Errors
/// What the table reports.
pub(crate) async fn season(
    db: &Store<ThreeFc>,
    season_id: &SeasonId,
) -> Result<Option<Season>, Problem> {
    let Some(mirror) = db.season(season_id).await? else { return Ok(None) };
    if let Some(season) = db.season_in(&mirror.league_id, season_id).await? {
        return Ok(Some(season));
    }
    restored(db.restore(&mirror).await)?;
    restored(db.repair(&mirror).await)?;
    // A season that was deleted meanwhile has neither row.
    Ok(db.season_in(&mirror.league_id, season_id).await?)
}

/// Returns a session by its own id.
///
/// # Errors
/// What the table reports.
pub(crate) async fn session(
    db: &Store<ThreeFc>,
    session_id: &SessionId,
) -> Result<Option<Session>, Problem> {
    let Some(mirror) = db.session(session_id).await? else { return Ok(None) };
    if let Some(session) = db.session_in(&mirror.season_id, session_id).await? {
        return Ok(Some(session));
    }
    restored(db.restore(&mirror).await)?;
    restored(db.repair(&mirror).await)?;
    Ok(db.session_in(&mirror.season_id, session_id).await?)
}

/// Ignores that another request was faster, and that another season has the slug.
fn restored<T>(written: Result<T, Error>) -> Result<(), Error> {
    match written {
        Ok(_) => Ok(()),
        Err(Error::UniqueTaken { .. }) => Ok(()),
        Err(error) if error.is_lost_race() => Ok(()),
        Err(error) => Err(error),
    }
}

/// Creates the row of a season under its own id if it is missing and no other season has the id.
///
/// # Errors
/// What the table reports.
pub(crate) async fn with_season_mirror(
    db: &Store<ThreeFc>,
    season: &Season,
) -> Result<(), Problem> {
    if db.season(&season.season_id).await?.is_none() {
        restored(db.repair(season).await)?;
    }
    Ok(())
}

/// Creates the row of a session under its own id if it is missing and no other session has the id.
///
/// # Errors
/// What the table reports.
pub(crate) async fn with_session_mirror(
    db: &Store<ThreeFc>,
    session: &Session,
) -> Result<(), Problem> {
    if db.session(&session.session_id).await?.is_none() {
        restored(db.repair(session).await)?;
    }
    Ok(())
}
