//! Every row of the table, by what it is.

use std::collections::{BTreeMap, BTreeSet};

use monotable::AttributeValue;
use monotable::model::{RowSet, Rows};
use monotable_hacktracker::table::{
    ActiveGame, AtBat, Game, GameId, GameRows, HackTrackerReads as _, Invite, JerseyNumber,
    Membership, Player, PlayerLink, Team, TeamCounts, TeamId, TeamRows, User, UserId, UserRows,
};

use crate::world::{World, id};

/// Everything that is stored.
#[derive(Default)]
pub(crate) struct Everything {
    pub(crate) users: BTreeMap<UserId, User>,
    pub(crate) memberships: Vec<Membership>,
    pub(crate) player_links: Vec<PlayerLink>,
    pub(crate) teams: BTreeMap<TeamId, Team>,
    pub(crate) counts: Vec<TeamCounts>,
    pub(crate) players: Vec<Player>,
    pub(crate) numbers: Vec<JerseyNumber>,
    pub(crate) active_games: BTreeMap<TeamId, ActiveGame>,
    pub(crate) games: BTreeMap<GameId, Game>,
    pub(crate) at_bats: Vec<AtBat>,
    pub(crate) invites: Vec<Invite>,
    /// What hangs on a game, in words, and the game.
    pub(crate) of_games: Vec<(String, GameId)>,
}

impl Everything {
    /// Reads the table: which partitions there are from the stored rows, and what is in them as the
    /// service reads it.
    pub(crate) async fn read(world: &World) -> Self {
        let db = &world.app.db;
        let mut all = Self::default();
        for partition in partitions(world) {
            let Some((kind, name)) = partition.split_once('#') else { continue };
            match kind {
                "USER" => all.user(rows(db.user_rows(&id(name))).await),
                "TEAM" => all.team(rows(db.team_rows(&id(name))).await),
                "GAME" => all.game(rows(db.game_rows(&id(name))).await),
                "INVITE" => all.invites.extend(db.invite(&id(name)).await.unwrap()),
                _ => {}
            }
        }
        all
    }

    fn user(&mut self, rows: Vec<UserRows>) {
        for row in rows {
            match row {
                UserRows::User(user) => drop(self.users.insert(user.user_id.clone(), user)),
                UserRows::Membership(membership) => self.memberships.push(membership),
                UserRows::PlayerLink(link) => self.player_links.push(link),
                UserRows::UserJoins(_) => {}
            }
        }
    }

    fn team(&mut self, rows: Vec<TeamRows>) {
        for row in rows {
            match row {
                TeamRows::Team(team) => drop(self.teams.insert(team.team_id.clone(), team)),
                TeamRows::Player(player) => self.players.push(player),
                TeamRows::JerseyNumber(number) => self.numbers.push(number),
                TeamRows::ActiveGame(guard) => {
                    self.active_games.insert(guard.team_id.clone(), guard);
                }
                TeamRows::TeamCounts(counts) => self.counts.push(counts),
                TeamRows::Season(_) | TeamRows::Audit(_) | TeamRows::SeasonPlaces(_) => {}
            }
        }
    }

    fn game(&mut self, rows: Vec<GameRows>) {
        for row in rows {
            match row {
                GameRows::Game(game) => drop(self.games.insert(game.game_id.clone(), game)),
                GameRows::AtBat(at_bat) => {
                    let name = format!("at-bat {}", at_bat.at_bat_id);
                    self.of_games.push((name, at_bat.game_id.clone()));
                    self.at_bats.push(at_bat);
                }
                GameRows::Availability(answer) => {
                    let name = format!("answer of {}", answer.player_id);
                    self.of_games.push((name, answer.game_id));
                }
                GameRows::Share(share) => {
                    self.of_games.push((format!("link {}", share.share_id), share.game_id));
                }
            }
        }
    }
}

/// Returns the partitions that have rows.
fn partitions(world: &World) -> BTreeSet<String> {
    let rows = world.rows();
    let partitions = rows.iter().filter_map(|row| row.get("PK").and_then(AttributeValue::as_s));
    partitions.map(str::to_owned).collect()
}

/// Returns all rows of a query.
async fn rows<S: RowSet>(rows: Rows<S>) -> Vec<S> {
    let (mut stream, mut all) = (rows.stream(), Vec::new());
    while let Some(row) = stream.next().await {
        all.push(row.unwrap());
    }
    all
}
