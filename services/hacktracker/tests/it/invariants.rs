//! The invariants after any operations, however many are concurrent, and wherever the process was
//! killed: computed from the stored rows, and reported in one line for each violation.

#[path = "invariants/rosters.rs"]
mod rosters;
#[path = "invariants/rows.rs"]
mod rows;

use std::collections::BTreeMap;

use monotable_hacktracker::table::{
    GameId, GameStatus, HackTrackerReads as _, Invite, Membership, Role, ScoreMode,
};
use monotable_testkit::service::oracle;

pub(crate) use self::rows::Everything;
use crate::world::World;

/// Returns what does not hold when all work is done.
pub(crate) async fn quiet(world: &World) -> Vec<String> {
    let everything = Everything::read(world).await;
    let mut wrong = oracle::index_differences(world);
    everything.owners(&mut wrong);
    everything.team_counts(&mut wrong);
    everything.active_games(&mut wrong);
    everything.scores(&mut wrong);
    everything.games_are_whole(&mut wrong);
    everything.numbers(&mut wrong);
    everything.plate_appearances(&mut wrong);
    everything.lineups(&mut wrong);
    everything.links(&mut wrong);
    everything.erased_users(&mut wrong);
    everything.belongs_to_teams(&mut wrong);
    everything.indexes(world, &mut wrong).await;
    everything.derived(world, &mut wrong).await;
    wrong
}

impl Everything {
    /// Every team has one owner, and its row contains that owner.
    fn owners(&self, wrong: &mut Vec<String>) {
        for team in self.teams.values() {
            let is_owner = |row: &&Membership| {
                row.team_id == team.team_id && row.role == Role::Owner && row.is_active()
            };
            let owners: Vec<_> =
                self.memberships.iter().filter(is_owner).map(|row| &row.user_id).collect();
            let is_right = match owners.as_slice() {
                [owner] => **owner == team.owner_id,
                [] => !team.is_active(),
                _ => false,
            };
            if !is_right {
                wrong.push(format!("{} says {}, has {owners:?}", team.team_id, team.owner_id));
            }
        }
    }

    /// The counts of a team equal its members and open invitations.
    fn team_counts(&self, wrong: &mut Vec<String>) {
        for counts in self.counts.iter().filter(|counts| counts.members_counted == Some(true)) {
            let is_member = |row: &&Membership| row.team_id == counts.team_id && row.is_active();
            let members = self.memberships.iter().filter(is_member).count();
            let is_open = |row: &&Invite| row.team_id == counts.team_id && row.is_open();
            let invites = self.invites.iter().filter(is_open).count();
            if (counts.members, counts.open_invites) != (members as i64, invites as i64) {
                wrong.push(format!("{counts:?}, but {members} and {invites}"));
            }
        }
    }

    /// A game is in progress if and only if it is the active game of its team.
    fn active_games(&self, wrong: &mut Vec<String>) {
        for team_id in self.teams.keys() {
            let playing: Vec<&GameId> = self
                .games
                .values()
                .filter(|game| game.team_id == *team_id && game.status == GameStatus::InProgress)
                .map(|game| &game.game_id)
                .collect();
            let guarded: Vec<&GameId> =
                self.active_games.get(team_id).map(|guard| &guard.game_id).into_iter().collect();
            if playing != guarded {
                wrong.push(format!("{team_id} plays {playing:?}, the guard has {guarded:?}"));
            }
        }
    }

    /// A final score equals the number of runs. In a purged team the plays of players without a
    /// user are gone, too.
    fn scores(&self, wrong: &mut Vec<String>) {
        for game in self.games.values().filter(|game| game.score_mode == ScoreMode::Auto) {
            let of_game = self.at_bats.iter().filter(|at_bat| at_bat.game_id == game.game_id);
            let runs: usize =
                of_game.map(|at_bat| at_bat.runs_scored.as_ref().map_or(0, Vec::len)).sum();
            let counts = !game.is_deleting() && self.teams.contains_key(&game.team_id);
            if counts && runs != usize::from(game.team_score) {
                wrong.push(format!("{} has {runs} runs, says {}", game.game_id, game.team_score));
            }
        }
    }

    /// Nothing of a game is left without the game, and no game is half deleted.
    fn games_are_whole(&self, wrong: &mut Vec<String>) {
        let orphans = self.of_games.iter().filter(|(_, game_id)| !self.games.contains_key(game_id));
        wrong.extend(orphans.map(|(row, game_id)| format!("{row} is left of {game_id}")));
        let deleting = self.games.values().filter(|game| game.is_deleting());
        wrong.extend(deleting.map(|game| format!("{} is half deleted", game.game_id)));
    }

    /// Whoever has gone is nowhere any more.
    fn erased_users(&self, wrong: &mut Vec<String>) {
        for user in self.users.values().filter(|user| !user.is_active()) {
            let user_id = &user.user_id;
            let is_member = |row: &Membership| row.user_id == *user_id && row.is_active();
            if self.memberships.iter().any(is_member) {
                wrong.push(format!("{user_id} has gone and is a member"));
            }
            if self.players.iter().any(|player| player.user_id.as_ref() == Some(user_id)) {
                wrong.push(format!("{user_id} has gone and has a player"));
            }
        }
    }

    /// Nothing is left of a purged team but the games that belong to a user's career.
    fn belongs_to_teams(&self, wrong: &mut Vec<String>) {
        let members = self.memberships.iter().map(|row| (&row.team_id, "a member"));
        let players = self.players.iter().map(|row| (&row.team_id, "a player"));
        let numbers = self.numbers.iter().map(|row| (&row.team_id, "a number"));
        let invites = self.invites.iter().map(|row| (&row.team_id, "an invitation"));
        let guards = self.active_games.keys().map(|team_id| (team_id, "a game in progress"));
        let all = members.chain(players).chain(numbers).chain(invites).chain(guards);
        let left = all.filter(|(team_id, _)| !self.teams.contains_key(team_id));
        wrong.extend(left.map(|(team_id, what)| format!("{what} is left of {team_id}")));
    }

    /// Indexes contain exactly the rows that a scan finds.
    async fn indexes(&self, world: &World, wrong: &mut Vec<String>) {
        let db = &world.app.db;
        let mut differ = |what: String, found: BTreeMap<String, u64>, is: BTreeMap<String, u64>| {
            if found != is {
                wrong.push(format!("{what}: the index has {found:?}, the table {is:?}"));
            }
        };
        for team_id in self.teams.keys() {
            let found = db.games_of(team_id).page().await.unwrap().rows;
            let found =
                found.iter().map(|row| (row.game_id.to_string(), row.stamps.version)).collect();
            let is = self.games.values().filter(|row| row.team_id == *team_id);
            let is = is.map(|row| (row.game_id.to_string(), row.stamps.version)).collect();
            differ(format!("games of {team_id}"), found, is);
            let found = db.members(team_id).page().await.unwrap().rows;
            let found =
                found.iter().map(|row| (row.user_id.to_string(), row.stamps.version)).collect();
            let is = self.memberships.iter().filter(|row| row.team_id == *team_id);
            let is = is.map(|row| (row.user_id.to_string(), row.stamps.version)).collect();
            differ(format!("members of {team_id}"), found, is);
        }
        for player in &self.players {
            let player_id = &player.player_id;
            let found = db.at_bats_of(player_id).page().await.unwrap().rows;
            let found =
                found.iter().map(|row| (row.at_bat_id.to_string(), row.stamps.version)).collect();
            let is = self.at_bats.iter().filter(|row| row.player_id == *player_id);
            let is = is.map(|row| (row.at_bat_id.to_string(), row.stamps.version)).collect();
            differ(format!("at-bats of {player_id}"), found, is);
        }
        for user_id in self.users.keys() {
            let found = db.players_of(user_id).page().await.unwrap().rows;
            let found =
                found.iter().map(|row| (row.player_id.to_string(), row.stamps.version)).collect();
            let is = self.players.iter().filter(|row| row.user_id.as_ref() == Some(user_id));
            let is = is.map(|row| (row.player_id.to_string(), row.stamps.version)).collect();
            differ(format!("players of {user_id}"), found, is);
        }
    }

    /// What is derived from rows is as it follows from them.
    async fn derived(&self, world: &World, wrong: &mut Vec<String>) {
        let db = &world.app.db;
        for game in self.games.values() {
            let drift = db.verify(game).await.unwrap();
            wrong.extend(drift.iter().map(|drift| format!("{}: {drift:?}", game.game_id)));
        }
        for player in &self.players {
            let drift = db.verify(player).await.unwrap();
            wrong.extend(drift.iter().map(|drift| format!("{}: {drift:?}", player.player_id)));
        }
        for member in &self.memberships {
            let drift = db.verify(member).await.unwrap();
            wrong.extend(drift.iter().map(|drift| format!("{}: {drift:?}", member.user_id)));
        }
        for at_bat in &self.at_bats {
            let drift = db.verify(at_bat).await.unwrap();
            wrong.extend(drift.iter().map(|drift| format!("{}: {drift:?}", at_bat.at_bat_id)));
        }
    }
}
