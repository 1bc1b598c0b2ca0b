//! Brings rows of older programs up to date: index keys, guards, counts and links that they did not
//! write, and words that they wrote otherwise.
//!
//! It can run as often as one likes, and while the service is in use: every write of it holds only if
//! the rows that it follows from are still the ones that were read. What needs a decision is reported
//! and left as it is.

mod counts;
mod guards;
mod links;
mod members;
mod words;

use std::collections::{BTreeMap, BTreeSet};

use monotable::codegen::Holds;
use monotable::model::{Entity, Error, Result, Store};
use monotable_kit::BoxFuture;
use serde::Serialize;

use crate::table::{
    AtBat, Game, GameId, GameStatus, HackTracker, HackTrackerReads, LegacyRow, Player, PlayerId,
    TeamId, UserId,
};

/// How often a row that somebody changes meanwhile is looked at again.
const ATTEMPTS_MAX: usize = 5;

/// What was done, and what was not.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Rows that were looked at.
    pub rows: u64,
    /// Rows whose index keys were missing or of an older form.
    pub index_keys: u64,
    /// Roles and statuses that were written in older words.
    pub words: u64,
    /// Teams whose game in progress is guarded now.
    pub active_games: u64,
    /// Numbers that are guarded now.
    pub numbers: u64,
    /// Players whose plate appearances are counted now.
    pub counted_players: u64,
    /// Teams whose members are counted now.
    pub counted_teams: u64,
    /// Linked players whose user has the link in the career now.
    pub player_links: u64,
    /// What needs a decision, or another run.
    pub conflicts: Vec<Conflict>,
}

/// What is left as it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Conflict {
    /// A team plays another game, too.
    SecondGameInProgress {
        /// The team.
        team_id: TeamId,
        /// The game that is not guarded.
        game_id: GameId,
        /// The one that is.
        active: GameId,
    },
    /// The guard of a team's game in progress is for a game that is not.
    IdleGuard {
        /// The team.
        team_id: TeamId,
        /// The game.
        game_id: GameId,
    },
    /// Several players of a team wear a number.
    NumberTwice {
        /// The team.
        team_id: TeamId,
        /// The number.
        number: u8,
        /// Who wears it.
        players: Vec<PlayerId>,
    },
    /// A linked player's user has had the slot before, but not now.
    LinkClosed {
        /// The user.
        user_id: UserId,
        /// The slot.
        player_id: PlayerId,
    },
    /// A linked player's team is gone.
    TeamMissing {
        /// The team.
        team_id: TeamId,
        /// The slot.
        player_id: PlayerId,
    },
    /// A player has a user and is said to have none, or the other way round.
    GhostMismatch {
        /// The team.
        team_id: TeamId,
        /// The slot.
        player_id: PlayerId,
    },
    /// A row can't be read.
    Unreadable {
        /// Why.
        reason: String,
    },
    /// A row was changed by others as often as it was looked at.
    Busy {
        /// The row.
        row: String,
    },
}

/// What of the table is looked at more closely, found in one pass over it.
#[derive(Default)]
struct Found {
    games_in_progress: BTreeMap<TeamId, BTreeSet<GameId>>,
    teams: BTreeSet<TeamId>,
    numbers: BTreeMap<(TeamId, u8), BTreeSet<PlayerId>>,
    linked: BTreeSet<(TeamId, PlayerId)>,
    uncounted: BTreeSet<(TeamId, PlayerId)>,
}

/// Brings the whole table up to date.
///
/// # Errors
/// What the table says when it can't be read or written; what was done until then is done.
pub fn backfill(db: &Store<HackTracker>) -> BoxFuture<'_, Report, Error> {
    Box::pin(async move {
        let mut report = Report::default();
        let found = look(db, &mut report).await?;
        // Guards come before words: a corrected word is a change, and the game that was changed last is
        // the one that gets the guard.
        guards::active_games(db, &found, &mut report).await?;
        guards::numbers(db, &found, &mut report).await?;
        links::links(db, &found, &mut report).await?;
        members::members(db, found.teams.clone(), &mut report).await?;
        counts::counts(db, found.uncounted, &mut report).await?;
        words::words(db, &mut report).await?;
        Ok(report)
    })
}

/// Looks at every row, and makes its index keys right.
async fn look(db: &Store<HackTracker>, report: &mut Report) -> Result<Found> {
    let mut found = Found::default();
    let mut rows = db.legacy_rows().stream();
    while let Some(row) = rows.next().await {
        report.rows += 1;
        match row {
            Ok(LegacyRow::User(user)) => index(db, &user, report).await?,
            Ok(LegacyRow::Membership(membership)) => index(db, &membership, report).await?,
            Ok(LegacyRow::Team(team)) => {
                found.teams.insert(team.team_id.clone());
                index(db, &team, report).await?;
            }
            Ok(LegacyRow::Player(player)) => {
                found.player(&player, report);
                index(db, &player, report).await?;
            }
            Ok(LegacyRow::Game(game)) => {
                found.game(&game);
                index(db, &game, report).await?;
            }
            Ok(LegacyRow::AtBat(at_bat)) => index::<AtBat>(db, &at_bat, report).await?,
            Err(error) => report.conflicts.push(unreadable(error)?),
        }
    }
    Ok(found)
}

impl Found {
    fn game(&mut self, game: &Game) {
        if game.status == GameStatus::InProgress && !game.is_deleting() {
            self.teams.insert(game.team_id.clone());
            let games = self.games_in_progress.entry(game.team_id.clone()).or_default();
            games.insert(game.game_id.clone());
        }
    }

    fn player(&mut self, player: &Player, report: &mut Report) {
        let Player { team_id, player_id, .. } = player;
        let slot = (team_id.clone(), player_id.clone());
        if player.is_ghost == player.user_id.is_some() {
            let (team_id, player_id) = slot.clone();
            report.conflicts.push(Conflict::GhostMismatch { team_id, player_id });
        }
        if let Some(number) = player.wears_number() {
            let wearers = self.numbers.entry((team_id.clone(), number)).or_default();
            wearers.insert(player_id.clone());
        }
        if player.pa_count.is_none() {
            self.uncounted.insert(slot.clone());
        }
        if player.user_id.is_some() {
            self.linked.insert(slot);
        }
    }
}

/// Makes the index keys of a row those of its fields.
async fn index<E: Entity>(db: &Store<HackTracker>, row: &E, report: &mut Report) -> Result<()>
where
    HackTracker: Holds<E>,
{
    let mut changed = String::new();
    for _ in 0..ATTEMPTS_MAX {
        match db.repair(row).await {
            Ok(repaired) => {
                report.index_keys += repaired.len() as u64;
                return Ok(());
            }
            // Deleted meanwhile: there is nothing left to make right.
            Err(Error::NotFound { .. }) => return Ok(()),
            // Changed meanwhile: `repair` looks at it anew.
            Err(Error::VersionConflict { key, .. }) => changed = key,
            Err(error) => return Err(error),
        }
    }
    report.conflicts.push(Conflict::Busy { row: changed });
    Ok(())
}

/// A row that can't be read is told; that the table can't be read is an error.
fn unreadable(error: Error) -> Result<Conflict> {
    match error {
        Error::Decode { .. } | Error::Key { .. } => {
            Ok(Conflict::Unreadable { reason: error.to_string() })
        }
        error => Err(error),
    }
}

/// Whether a write did not happen because what it follows from was changed meanwhile.
fn was_changed(error: &Error) -> bool {
    match error {
        Error::Exists { .. }
        | Error::NotFound { .. }
        | Error::VersionConflict { .. }
        | Error::ConditionFailed { .. } => true,
        Error::Transaction { failures } => {
            failures.iter().all(|failure| was_changed(&failure.error))
        }
        _ => false,
    }
}
