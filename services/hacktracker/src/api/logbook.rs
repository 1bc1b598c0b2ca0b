//! The plate appearances of games that are being played or looked at, kept in memory beside the version
//! of the game that they belong to.
//!
//! Every change of a plate appearance changes the version of its game in the same transaction. So what
//! was complete at a version is complete for as long as the game has it, in whichever process the next
//! change is made, and need not be read again. Nothing is decided by it alone: writes are conditioned
//! on that version.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::api::prelude::*;
use crate::rules::results::{order, sort_by_time};

/// Games that are kept at most.
const GAMES_MAX: usize = 512;

/// How long what was read is kept. Older programs, imports and repairs write at-bats and leave the
/// version of the game as it is: so long they may not be seen.
const AGE_MAX: Duration = Duration::from_secs(5);

/// What is kept.
#[derive(Default)]
pub(crate) struct Logbook {
    pages: Mutex<Pages>,
}

#[derive(Default)]
struct Pages {
    games: HashMap<GameId, Page>,
    /// Counts uses, so that the game that was not used for longest goes first.
    uses: u64,
}

struct Page {
    version: u64,
    read_at: Timestamp,
    at_bats: Arc<Vec<AtBat>>,
    used: u64,
}

/// The plate appearances of a game, in the order in which they were recorded.
///
/// The game must have been read before. Then a transaction that finds the game unchanged has seen all
/// of them: whatever came between the two reads has changed the game.
pub(crate) async fn at_bats(app: &App, game: &Game) -> Result<Arc<Vec<AtBat>>, Problem> {
    if let Some(known) = app.logbook.find(game, app.db.now()) {
        return Ok(known);
    }
    let read_at = app.db.now();
    let rows = app.db.at_bats(&game.game_id).consistent().skip_unreadable();
    let mut read = rows.all().await?;
    sort_by_time(&mut read);
    let read = Arc::new(read);
    let now = app.db.game(&game.game_id).consistent().await?;
    // Rows of older programs have no version, and say nothing when they change.
    if game.stamps.version > 0 && now.is_some_and(|now| now.stamps.version == game.stamps.version) {
        app.logbook.keep(game, Arc::clone(&read), read_at);
    }
    Ok(read)
}

impl Logbook {
    /// Adds what a transaction recorded that has found the game as it is here.
    pub(crate) fn add(&self, game: &Game, at_bat: AtBat) {
        let mut pages = self.lock();
        let Some(page) = pages.games.get_mut(&game.game_id) else { return };
        if page.version != game.stamps.version {
            return;
        }
        page.version += 1;
        // Whoever is reading keeps what was before.
        let at_bats = Arc::make_mut(&mut page.at_bats);
        at_bats.push(at_bat);
        if !at_bats.is_sorted_by(|one, other| order(one) <= order(other)) {
            sort_by_time(at_bats);
        }
    }

    fn find(&self, game: &Game, now: Timestamp) -> Option<Arc<Vec<AtBat>>> {
        let mut pages = self.lock();
        pages.uses += 1;
        let used = pages.uses;
        let page = pages.games.get_mut(&game.game_id)?;
        page.used = used;
        let is_fresh = now < page.read_at + AGE_MAX;
        (is_fresh && page.version == game.stamps.version).then(|| Arc::clone(&page.at_bats))
    }

    fn keep(&self, game: &Game, at_bats: Arc<Vec<AtBat>>, read_at: Timestamp) {
        let mut pages = self.lock();
        // What another request knows already may be newer.
        if pages.games.get(&game.game_id).is_some_and(|page| page.version > game.stamps.version) {
            return;
        }
        if pages.games.len() >= GAMES_MAX && !pages.games.contains_key(&game.game_id) {
            let oldest = pages.games.iter().min_by_key(|(_, page)| page.used);
            if let Some(oldest) = oldest.map(|(game_id, _)| game_id.clone()) {
                pages.games.remove(&oldest);
            }
        }
        let page = Page { version: game.stamps.version, read_at, at_bats, used: pages.uses };
        pages.games.insert(game.game_id.clone(), page);
    }

    fn lock(&self) -> MutexGuard<'_, Pages> {
        self.pages.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
