//! The goals and line-ups of games that are being played or looked at, kept in memory by the version of their
//! game: every change of them changes it in the same transaction.

use std::sync::Arc;
use std::time::Duration;

use monotable_kit::VersionCache;

use crate::api::prelude::*;
use crate::rules::timeline;

/// Games that are kept at most.
const GAMES_MAX: usize = 512;

/// How long what was read is kept. Changes need no more: their transactions check the version. What lists show is
/// read again each time, because other programs write goals and leave the version of the game as it is.
const AGE_MAX: Duration = Duration::from_secs(5);

/// The goals and line-ups of games.
pub(crate) type Sheets = VersionCache<GameId, Sheet>;

/// Starts with none.
pub(crate) fn none() -> Sheets {
    VersionCache::new(GAMES_MAX, AGE_MAX)
}

/// The goals and line-ups of a game.
#[derive(Clone)]
pub(crate) struct Sheet {
    /// In the order of the timeline.
    pub(crate) goals: Vec<Goal>,
    pub(crate) roster: Vec<RosterEntry>,
}

impl Sheet {
    /// Returns the team of a player.
    ///
    /// # Errors
    /// 400 `not_rostered`.
    pub(crate) fn team_of(&self, player_id: &PlayerId) -> Result<TeamId, Problem> {
        let entry = self.roster.iter().find(|entry| entry.player_id == *player_id);
        Ok(entry.ok_or(Refusal::NotRostered)?.team_id.clone())
    }
}

/// Returns the goals and line-ups of a game.
///
/// The game must have been read before. Then a transaction that finds the game unchanged has seen all of them.
pub(crate) async fn of(app: &App, game: &Game) -> Result<Arc<Sheet>, Problem> {
    let (game_id, version) = (&game.game_id, game.stamps.version);
    let version_after = async { Ok(app.db.game(game_id).await?.map(|game| game.stamps.version)) };
    let sheet = read(&app.db, game_id);
    app.sheets.read(game_id, version, app.db.now(), sheet, version_after).await
}

/// Reads the goals and line-ups of a game.
pub(crate) async fn read(db: &Store<ThreeFc>, game_id: &GameId) -> Result<Sheet, Problem> {
    let goals = db.goals(game_id).skip_unreadable();
    let roster = db.roster(game_id).skip_unreadable();
    let (mut goals, roster) = tokio::try_join!(goals.all(), roster.all())?;
    timeline::sort(&mut goals);
    Ok(Sheet { goals, roster })
}
