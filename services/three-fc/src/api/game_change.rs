//! A change of a game: its row and every row that follows from it, in one transaction.
//!
//! Every change of goals and line-ups also makes a new version of their game. So two of them never happen in
//! the same state of a game, and tallies, results and appearances are right.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::sheets::{self, Sheet};
use crate::api::prelude::*;
use crate::api::public::announce;
use crate::legacy::games::with_teams;
use crate::rules::result::tallies;

/// The transaction of a change.
pub(crate) type Change<'a> = Commit<'a, ThreeFc>;

/// A game with its goals and line-ups, for a caller who can change it.
pub(crate) struct GameChange<'a> {
    pub(crate) app: &'a App,
    pub(crate) call: &'a Request,
    pub(crate) granted: Granted,
    /// As its row is.
    stored: Game,
    /// With the teams that older programs did not write.
    pub(crate) game: Game,
    pub(crate) sheet: Arc<Sheet>,
}

impl<'a> GameChange<'a> {
    /// Reads a game that the caller can change: scorekeepers until it is finished, admins also afterwards.
    ///
    /// # Errors
    /// Returns 404 if there is no such game, or 403 if the caller does not have the permission.
    pub(crate) async fn read(
        app: &'a App,
        call: &'a Request,
        game_id: &GameId,
    ) -> Result<Self, Problem> {
        Self::of(app, call, policy::open_game(app, call, game_id).await?).await
    }

    /// Reads a game that the caller can change, in the version that the caller means.
    ///
    /// # Errors
    /// Fails like [`read`](Self::read), and 412 if the precondition names another version.
    pub(crate) async fn read_version(
        app: &'a App,
        call: &'a Request,
        game_id: &GameId,
    ) -> Result<Self, Problem> {
        let read = policy::open_game(app, call, game_id).await?;
        call.check_version(read.0.stamps.version)?;
        Self::of(app, call, read).await
    }

    /// Reads a game for an admin.
    ///
    /// # Errors
    /// Returns 404 if there is no such game, or 403 if the caller is not an admin, or 412 if the precondition names
    /// another version.
    pub(crate) async fn administer(
        app: &'a App,
        call: &'a Request,
        game_id: &GameId,
    ) -> Result<Self, Problem> {
        let read = policy::game(app, call, game_id, Action::Administer).await?;
        call.check_version(read.0.stamps.version)?;
        Self::of(app, call, read).await
    }

    async fn of(
        app: &'a App,
        call: &'a Request,
        (stored, granted): (Game, Granted),
    ) -> Result<Self, Problem> {
        let sheet = sheets::of(app, &stored).await?;
        let game = with_teams(&app.db, stored.clone(), &sheet).await?;
        Ok(Self { app, call, granted, stored, game, sheet })
    }

    /// Requires that the game is played now.
    ///
    /// # Errors
    /// Returns 409 `invalid_transition`.
    pub(crate) fn require_live(&self) -> Result<(), Problem> {
        match self.game.status {
            GameStatus::Live => Ok(()),
            status => Err(not_so(status, "Only a live game allows this")),
        }
    }

    /// Requires that the game is not finished.
    ///
    /// # Errors
    /// Returns 409 `invalid_transition`.
    pub(crate) fn require_unfinished(&self) -> Result<(), Problem> {
        match self.game.status {
            GameStatus::Scheduled | GameStatus::Live => Ok(()),
            status => Err(not_so(status, "Reopen the game first")),
        }
    }

    /// Starts the transaction that makes the game this one; its goals and line-ups stay as they are. Those who follow
    /// the game hear of every change.
    pub(crate) fn write(&self, new: Game) -> (Change<'a>, Handle<Game>) {
        self.write_all(new, &self.goals(), &self.sheet.roster)
    }

    /// Starts the transaction of a change of goals.
    pub(crate) fn write_goals(&self, goals: &[&Goal]) -> Change<'a> {
        self.write_all(self.game.clone(), goals, &self.sheet.roster).0
    }

    /// Starts the transaction of a change of line-ups.
    pub(crate) fn write_roster(&self, roster: &[RosterEntry]) -> Change<'a> {
        self.write_all(self.game.clone(), &self.goals(), roster).0
    }

    fn goals(&self) -> Vec<&Goal> {
        self.sheet.goals.iter().collect()
    }

    fn write_all(
        &self,
        new: Game,
        goals: &[&Goal],
        roster: &[RosterEntry],
    ) -> (Change<'a>, Handle<Game>) {
        let (app, game_id) = (self.app, new.game_id.clone());
        let tx = self.call.transact(&app.db).or_retry();
        let mut tx = tx.afterwards(async move { announce::game(app, &game_id).await });
        let game = write_game(&mut tx, &self.stored, new, goals, roster);
        (tx, game)
    }

    /// Returns a line of the game's audit, to be created in the transaction of what it records: `action` is the
    /// operation, `entity` the row, such as `GOAL#1#0012#e1`.
    ///
    /// # Errors
    /// Returns 500 if it can't get an id.
    pub(crate) fn audited(&self, action: &str, entity: String) -> Result<Audit, Problem> {
        let (app, game_id) = (self.app, self.game.game_id.clone());
        let actor = self.granted.user_id.clone();
        Ok(Audit::of(game_id, app.db.now(), app.new_id()?, actor, self.call, action, entity))
    }
}

/// Writes a game with these goals and line-ups in a transaction: its tallies, its result and the appearances of
/// its players follow.
pub(crate) fn write_game(
    tx: &mut Transact<ThreeFc>,
    old: &Game,
    mut new: Game,
    goals: &[&Goal],
    roster: &[RosterEntry],
) -> Handle<Game> {
    let goals = goals.iter().copied();
    new.tallies = tallies(&new.team_ids, goals.clone());
    new.changes += 1;
    new.result = (new.status == GameStatus::Finished).then(|| {
        let start = match &old.result {
            Some(GameResult { listed_start: Some(start), .. }) => start,
            _ => &new.game_start_ts,
        };
        let result = GameResult::of(&new.team_ids, roster, goals);
        GameResult { listed_start: Some(start.clone()), ..result }
    });
    let (mut before, after) = (appearances(old), appearances(&new));
    for (player_id, appearance) in after {
        if before.remove(&player_id).as_ref() != Some(&appearance) {
            tx.add(put(appearance));
        }
    }
    for appearance in before.values() {
        tx.add(delete_by_key(&appearance.key()));
    }
    tx.add(edit(old, |game| *game = new))
}

fn not_so(status: GameStatus, text: &str) -> Problem {
    Refusal::InvalidTransition.text(format!("{text}; this one is {}.", status.word()))
}

/// Returns the appearances that a finished game makes, by player.
fn appearances(game: &Game) -> BTreeMap<PlayerId, Appearance> {
    // Older programs wrote results without them.
    let result = game.result.as_ref();
    let Some((result, start)) =
        result.and_then(|result| Some((result, result.listed_start.as_ref()?)))
    else {
        return BTreeMap::new();
    };
    let appearance = |line: &PlayerLine| {
        let team_id = line.team_id.clone()?;
        let appearance = Appearance {
            player_id: line.player_id.clone(),
            season_id: game.season_id.clone(),
            game_start_ts: start.clone(),
            game_id: game.game_id.clone(),
            outcome: result.outcome(&team_id),
            team_id: Some(team_id),
            goals: line.goals,
            own_goals: line.own_goals,
            assists: line.assists,
            stamps: Stamps::default(),
        };
        Some((line.player_id.clone(), appearance))
    };
    result.players.iter().filter_map(appearance).collect()
}
