//! Seasons and match days have two rows each: one in what they belong to, which is right about the content,
//! and one under their own id, which is right about what they belong to. Older programs wrote the two
//! separately, so that one can be missing or out of date. Reading creates the missing one.

use monotable::model::{Entity, Error, Holds, Store};
use monotable_kit::Problem;
use monotable_kit::backfill::LostRace as _;

use crate::table::{LeagueId, Season, SeasonId, Session, SessionId, ThreeFc, ThreeFcReads as _};

/// Returns a season by its own id.
pub(crate) async fn season(
    db: &Store<ThreeFc>,
    season_id: &SeasonId,
) -> Result<Option<Season>, Problem> {
    let Some(mirror) = db.season(season_id).await? else { return Ok(None) };
    if let Some(season) = db.season_in(&mirror.league_id, season_id).await? {
        return Ok(Some(season));
    }
    restore(db, &mirror).await?;
    // A season that was deleted meanwhile has neither row.
    Ok(db.season_in(&mirror.league_id, season_id).await?)
}

/// Returns a session by its own id.
pub(crate) async fn session(
    db: &Store<ThreeFc>,
    session_id: &SessionId,
) -> Result<Option<Session>, Problem> {
    let Some(mirror) = db.session(session_id).await? else { return Ok(None) };
    if let Some(session) = db.session_in(&mirror.season_id, session_id).await? {
        return Ok(Some(session));
    }
    restore(db, &mirror).await?;
    Ok(db.session_in(&mirror.season_id, session_id).await?)
}

/// Writes the row again whose mirror this is.
async fn restore<E: Entity>(db: &Store<ThreeFc>, mirror: &E) -> Result<(), Error>
where
    ThreeFc: Holds<E>,
{
    restored(db.restore(mirror).await)?;
    restored(db.repair(mirror).await)
}

/// Ignores that another request was faster, and that another season has the slug.
fn restored<T>(written: Result<T, Error>) -> Result<(), Error> {
    match written {
        Ok(_) | Err(Error::UniqueTaken { .. }) => Ok(()),
        Err(error) if error.is_lost_race() => Ok(()),
        Err(error) => Err(error),
    }
}

/// Creates the rows of seasons under their own ids that are missing, if no other season has the id.
pub(crate) async fn with_season_mirrors(
    db: &Store<ThreeFc>,
    seasons: &[Season],
) -> Result<(), Problem> {
    for season in seasons {
        if db.season(&season.season_id).await?.is_none() {
            restored(db.repair(season).await)?;
        }
    }
    Ok(())
}

/// Creates the rows of sessions under their own ids that are missing, if no other session has the id.
pub(crate) async fn with_session_mirrors(
    db: &Store<ThreeFc>,
    sessions: &[Session],
) -> Result<(), Problem> {
    for session in sessions {
        if db.session(&session.session_id).await?.is_none() {
            restored(db.repair(session).await)?;
        }
    }
    Ok(())
}

/// Returns the seasons of a league, the latest first. Those that can't be read are left out.
pub(crate) async fn seasons(
    db: &Store<ThreeFc>,
    league_id: &LeagueId,
) -> Result<Vec<Season>, Problem> {
    let mut seasons = db.seasons(league_id).skip_unreadable().all().await?;
    seasons.sort_by_key(|season| std::cmp::Reverse(season.starts_on));
    // Rows with a version are written together.
    for season in seasons.iter().filter(|season| season.stamps.version == 0) {
        with_season_mirrors(db, std::slice::from_ref(season)).await?;
    }
    Ok(seasons)
}

/// Returns the sessions of a season, the latest first. Those that can't be read are left out.
pub(crate) async fn sessions(
    db: &Store<ThreeFc>,
    season_id: &SeasonId,
) -> Result<Vec<Session>, Problem> {
    let mut sessions = db.sessions(season_id).skip_unreadable().all().await?;
    sessions.sort_by_key(|session| std::cmp::Reverse(session.session_date));
    for session in sessions.iter().filter(|session| session.stamps.version == 0) {
        with_session_mirrors(db, std::slice::from_ref(session)).await?;
    }
    Ok(sessions)
}
