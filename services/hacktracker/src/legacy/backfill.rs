//! Updates rows of older programs: adds missing index keys, guards, counts and links, and replaces
//! older words.

mod counts;
mod guards;

use std::collections::{BTreeMap, BTreeSet};

use monotable::model::{Entity as _, Error, Result, Store, create, edit};
use monotable_kit::BoxFuture;
use monotable_kit::backfill::{Backfill, BackfillReport, Look};
use serde::Serialize;

use crate::api::teams;
use crate::table::{
    Game, GameId, GameStatus, HackTracker, HackTrackerReads as _, LegacyRow, Membership, Player,
    PlayerId, TeamId, UserId, game, membership,
};

/// The counters of a backfill: index keys that were missing or had an older form, roles and
/// statuses with older names, guards of games in progress and of numbers, players whose plate
/// appearances were not counted, teams whose members were not, and users without the link to a
/// player in their career.
const COUNTS: [&str; 7] = [
    INDEX_KEYS,
    "words",
    "activeGames",
    "numbers",
    "countedPlayers",
    "countedTeams",
    "playerLinks",
];
const INDEX_KEYS: &str = "indexKeys";

/// The results of a backfill.
pub type Report = BackfillReport<Conflict>;

/// A conflict that needs a decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[allow(missing_docs, reason = "fields are named after what they are of")]
pub enum Conflict {
    /// Another game of the team than the guarded one is in progress, too.
    SecondGameInProgress { team_id: TeamId, game_id: GameId, active: GameId },
    /// The guard of a team's game in progress is for a game that is not in progress.
    IdleGuard { team_id: TeamId, game_id: GameId },
    /// Several players of a team have the same number.
    NumberTwice { team_id: TeamId, number: u8, players: Vec<PlayerId> },
    /// The user of a linked player had the slot before, but not now.
    LinkClosed { user_id: UserId, player_id: PlayerId },
    /// The team of a linked player does not exist.
    TeamMissing { team_id: TeamId, player_id: PlayerId },
    /// A player has a user and is marked as a ghost, or vice versa.
    GhostMismatch { team_id: TeamId, player_id: PlayerId },
}

/// A run of the backfill: the table, the results, and the rows that need a closer check.
struct Run<'a> {
    db: &'a Store<HackTracker>,
    backfill: Backfill<Conflict>,
    games_in_progress: BTreeMap<TeamId, BTreeSet<GameId>>,
    teams: BTreeSet<TeamId>,
    numbers: BTreeMap<(TeamId, u8), BTreeSet<PlayerId>>,
    linked: BTreeSet<(TeamId, PlayerId)>,
    uncounted: BTreeSet<(TeamId, PlayerId)>,
}

/// Updates the whole table.
///
/// # Errors
///
/// Returns the errors of reading and writing the table; completed changes stay.
pub fn backfill(db: &Store<HackTracker>) -> BoxFuture<'_, Report, Error> {
    Box::pin(async move {
        let mut run = Run {
            db,
            backfill: Backfill::new(&COUNTS),
            games_in_progress: BTreeMap::new(),
            teams: BTreeSet::new(),
            numbers: BTreeMap::new(),
            linked: BTreeSet::new(),
            uncounted: BTreeSet::new(),
        };
        run.walk().await?;
        // Guards come before words: correcting a word is a change, and the most recently changed
        // game gets the guard.
        run.guard_games().await?;
        run.guard_numbers().await?;
        for (team_id, player_id) in &run.linked {
            let row = format!("TEAM#{team_id} / PLAYER#{player_id}");
            run.backfill.settle(row, || run.link(team_id, player_id)).await?;
        }
        run.backfill.settle("COUNTS of teams".to_owned(), || run.count_members()).await?;
        run.backfill.settle("paCount of players".to_owned(), || run.count_appearances()).await?;
        run.correct_words().await?;
        Ok(run.backfill.finish())
    })
}

impl Run<'_> {
    /// Reads every row, and corrects its index keys.
    async fn walk(&mut self) -> Result<()> {
        let db = self.db;
        let mut rows = db.legacy_rows().stream();
        while let Some(row) = self.backfill.next(&mut rows).await? {
            match row {
                LegacyRow::User(row) => self.backfill.derive(db, &row, INDEX_KEYS).await?,
                LegacyRow::Membership(row) => self.backfill.derive(db, &row, INDEX_KEYS).await?,
                LegacyRow::AtBat(row) => self.backfill.derive(db, &row, INDEX_KEYS).await?,
                LegacyRow::Team(row) => {
                    self.teams.insert(row.team_id.clone());
                    self.backfill.derive(db, &row, INDEX_KEYS).await?;
                }
                LegacyRow::Player(row) => {
                    self.find_player(&row);
                    self.backfill.derive(db, &row, INDEX_KEYS).await?;
                }
                LegacyRow::Game(row) => {
                    if is_played(&row) {
                        self.teams.insert(row.team_id.clone());
                        let games = self.games_in_progress.entry(row.team_id.clone());
                        games.or_default().insert(row.game_id.clone());
                    }
                    self.backfill.derive(db, &row, INDEX_KEYS).await?;
                }
            }
        }
        Ok(())
    }

    fn find_player(&mut self, player: &Player) {
        let slot = (player.team_id.clone(), player.player_id.clone());
        if player.is_ghost == player.user_id.is_some() {
            let (team_id, player_id) = slot.clone();
            self.backfill.needs_decision(Conflict::GhostMismatch { team_id, player_id });
        }
        if let Some(number) = player.wears_number() {
            let wearers = self.numbers.entry((player.team_id.clone(), number));
            wearers.or_default().insert(player.player_id.clone());
        }
        if player.pa_count.is_none() {
            self.uncounted.insert(slot.clone());
        }
        if player.user_id.is_some() {
            self.linked.insert(slot);
        }
    }

    /// Adds the career link for the user of a linked player.
    async fn link(&self, team_id: &TeamId, player_id: &PlayerId) -> Result<Look> {
        let db = self.db;
        let Some(player) = db.player(team_id, player_id).consistent().await? else {
            return Ok(Look::Settled);
        };
        let Some(user_id) = player.user_id.clone() else { return Ok(Look::Settled) };
        let (team_id, player_id) = (team_id.clone(), player_id.clone());
        if let Some(link) = db.player_link(&user_id, &player_id).consistent().await? {
            if link.periods.iter().all(|period| period.to.is_some()) {
                self.backfill.needs_decision(Conflict::LinkClosed { user_id, player_id });
            }
            return Ok(Look::Settled);
        }
        let Some(team) = db.team(&team_id).consistent().await? else {
            self.backfill.needs_decision(Conflict::TeamMissing { team_id, player_id });
            return Ok(Look::Settled);
        };
        let link = teams::link(&user_id, &team, &player);
        db.transact().with(create(link)).with(edit(&player, |_| {})).await?;
        self.backfill.repaired("playerLinks", 1);
        Ok(Look::Settled)
    }

    /// Replaces older names by the current ones, which conditions of writes require. A row that is
    /// changed in the meantime already has them, or is found by the next run.
    async fn correct_words(&self) -> Result<()> {
        let mut rows = self.db.legacy_rows().skip_unreadable().stream();
        while let Some(row) = rows.next().await {
            let written = match row? {
                LegacyRow::Membership(row) => {
                    let is_other = membership::role().ne(row.role);
                    let is_same = !membership::version().gt(row.stamps.version);
                    let update = Membership::update(&row.key()).role(row.role);
                    self.db.update(update.when(is_other).when(is_same)).await.map(drop)
                }
                LegacyRow::Game(row) => {
                    let is_other = game::status().ne(row.status);
                    let is_same = !game::version().gt(row.stamps.version);
                    let update = Game::update(&row.key()).status(row.status);
                    self.db.update(update.when(is_other).when(is_same)).await.map(drop)
                }
                LegacyRow::User(_)
                | LegacyRow::Team(_)
                | LegacyRow::Player(_)
                | LegacyRow::AtBat(_) => continue,
            };
            match written {
                Ok(()) => self.backfill.repaired("words", 1),
                Err(Error::ConditionFailed { .. } | Error::NotFound { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

/// Returns whether a game is in progress.
fn is_played(game: &Game) -> bool {
    game.status == GameStatus::InProgress && !game.is_deleting()
}
