//! How many seasons a league has, how many teams and sessions a season, and how many games a session. The
//! numbers are in the row above them: a transaction that adds or removes one changes that row, so that limits
//! and deletions of empty things hold whatever happens at the same time. What older programs wrote is counted.

use crate::api::prelude::*;

/// The teams of a season at most.
pub(crate) const TEAMS_MAX: u32 = 20;
/// The sessions of a season at most.
pub(crate) const SESSIONS_MAX: u32 = 500;

/// Returns the number of seasons of a league.
pub(crate) async fn seasons(app: &App, league: &League) -> Result<u32, Problem> {
    counted(league.season_count, || app.db.seasons(&league.league_id)).await
}

/// Returns the number of teams of a season.
pub(crate) async fn teams(app: &App, season: &Season) -> Result<u32, Problem> {
    counted(season.team_count, || app.db.teams(&season.season_id)).await
}

/// Returns the number of sessions of a season.
pub(crate) async fn sessions(db: &Store<ThreeFc>, season: &Season) -> Result<u32, Problem> {
    counted(season.session_count, || db.sessions(&season.season_id)).await
}

/// Returns the number of games of a session.
pub(crate) async fn games(db: &Store<ThreeFc>, session: &Session) -> Result<u32, Problem> {
    counted(session.game_count, || db.games_of(&session.session_id)).await
}

async fn counted<R: RowSet>(
    known: Option<u32>,
    rows: impl FnOnce() -> Rows<R>,
) -> Result<u32, Problem> {
    match known {
        Some(count) => Ok(count),
        None => {
            let count = rows().consistent().count().await?;
            u32::try_from(count).map_err(|_| Problem::internal("more rows than can be counted"))
        }
    }
}

/// Returns whether there are no rows, also none that can't be read. The numbers do not count what other programs
/// wrote.
pub(crate) async fn is_empty<R: RowSet>(rows: Rows<R>) -> Result<bool, Problem> {
    match rows.consistent().take(1).page().await {
        Ok(page) => Ok(page.rows.is_empty()),
        Err(Error::Decode { .. } | Error::Key { .. }) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Refuses one more of something that is limited.
///
/// # Errors
/// Returns 409 if the limit is reached.
pub(crate) fn limit(count: u32, max: u32, what: &str) -> Result<(), Problem> {
    if count < max {
        return Ok(());
    }
    Err(Refusal::Conflict.text(format!("There are at most {max} {what}.")))
}
