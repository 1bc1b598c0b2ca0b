//! The plate appearances of games that are played or viewed, cached in memory by the version of
//! their game: every change of a plate appearance increases that version in the same transaction.

use std::sync::Arc;
use std::time::Duration;

use monotable_kit::VersionCache;

use crate::api::prelude::*;
use crate::rules::results::{order, sort_by_time};

/// The maximum number of cached games.
const GAMES_MAX: usize = 512;

/// How long a cache entry is used. Older programs, imports and repairs write at-bats without
/// changing the version of the game, so their changes may be invisible for this long.
const AGE_MAX: Duration = Duration::from_secs(5);

/// The plate appearances of games.
pub(crate) struct Logbook(VersionCache<GameId, Vec<AtBat>>);

impl Default for Logbook {
    fn default() -> Self {
        Self(VersionCache::new(GAMES_MAX, AGE_MAX))
    }
}

/// Returns the plate appearances of a game, in the order in which they were recorded.
///
/// The game must have been read before. Then a transaction that finds the game unchanged has seen
/// all of them: any change between the two reads has changed the game.
pub(crate) async fn at_bats(app: &App, game: &Game) -> Result<Arc<Vec<AtBat>>, Problem> {
    let (game_id, version) = (&game.game_id, game.stamps.version);
    let read = async {
        let rows = app.db.at_bats(game_id).consistent().skip_unreadable();
        let mut at_bats = rows.all().await?;
        sort_by_time(&mut at_bats);
        Ok(at_bats)
    };
    let version_after = async {
        let game = app.db.game(game_id).consistent().await?;
        Ok(game.map(|game| game.stamps.version))
    };
    app.logbook.0.read(game_id, version, app.db.now(), read, version_after).await
}

impl Logbook {
    /// Adds the at-bat of a transaction that found the game unchanged.
    pub(crate) fn add(&self, game: &Game, at_bat: AtBat) {
        self.0.advance(&game.game_id, game.stamps.version, |at_bats| {
            at_bats.push(at_bat);
            if !at_bats.is_sorted_by(|one, other| order(one) <= order(other)) {
                sort_by_time(at_bats);
            }
        });
    }
}
