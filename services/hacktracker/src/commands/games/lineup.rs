//! Lineups: player ids in batting order, or objects with an order each, of players who can play.

use std::collections::BTreeSet;

use monotable::model::{self, Transact};
use monotable_kit::Problem;
use serde::Deserialize;

use crate::app::App;
use crate::commands::scope::{all, not_on_team};
use crate::entities::{Game, GameStatus, Player, PlayerKey, PlayerStatus, player};
use crate::ids::{PlayerId, TeamId};
use crate::patterns::{HackTracker, HackTrackerReads as _};

/// Players of a lineup at most.
pub(crate) const PLAYERS_MAX: usize = 30;

/// A lineup as a request says it.
#[derive(Clone, Debug, Deserialize)]
#[serde(transparent)]
pub(crate) struct Lineup(Vec<Entry>);

#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum Entry {
    Id(PlayerId),
    #[serde(rename_all = "camelCase")]
    Place {
        player_id: PlayerId,
        batting_order: u32,
    },
}

impl Lineup {
    /// The players in batting order.
    ///
    /// # Errors
    /// 400 if a player or an order is there twice, or if only some have an order.
    pub(crate) fn read(self) -> Result<Vec<PlayerId>, Problem> {
        let wrong = |message: &str| Err(Problem::field("lineup", message));
        let ordered = self.0.iter().filter(|entry| matches!(entry, Entry::Place { .. })).count();
        if ordered != 0 && ordered != self.0.len() {
            return wrong("has ids and objects; take one form for all");
        }
        let mut places: Vec<(u32, PlayerId)> = self
            .0
            .into_iter()
            .zip(1..)
            .map(|(entry, position)| match entry {
                Entry::Id(id) => (position, id),
                Entry::Place { player_id, batting_order } => (batting_order, player_id),
            })
            .collect();
        places.sort_by_key(|(order, _)| *order);
        if places.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            return wrong("has a battingOrder twice");
        }
        let distinct: BTreeSet<&PlayerId> = places.iter().map(|(_, id)| id).collect();
        if distinct.len() != places.len() {
            return wrong("has a player twice");
        }
        Ok(places.into_iter().map(|(_, id)| id).collect())
    }
}

/// Those of a lineup who can't play for a team: strangers, and players who are inactive.
///
/// # Errors
/// What the table says.
pub(crate) async fn strangers(
    app: &App,
    team_id: &TeamId,
    lineup: &[PlayerId],
) -> Result<Vec<PlayerId>, Problem> {
    without(app, team_id, lineup, |player| player.status != PlayerStatus::Inactive).await
}

/// Those of a lineup who are not on the team any more.
///
/// # Errors
/// What the table says.
pub(crate) async fn gone(
    app: &App,
    team_id: &TeamId,
    lineup: &[PlayerId],
) -> Result<Vec<PlayerId>, Problem> {
    without(app, team_id, lineup, |_| true).await
}

/// Those of a lineup who are none of some players of a team.
async fn without(
    app: &App,
    team_id: &TeamId,
    lineup: &[PlayerId],
    is_meant: impl Fn(&Player) -> bool,
) -> Result<Vec<PlayerId>, Problem> {
    if lineup.is_empty() {
        return Ok(Vec::new());
    }
    let roster = all(app.db.roster(team_id).consistent()).await?;
    let known: BTreeSet<&PlayerId> =
        roster.iter().filter(|player| is_meant(player)).map(|player| &player.player_id).collect();
    Ok(lineup.iter().filter(|id| !known.contains(id)).cloned().collect())
}

/// Holds a lineup against the roster.
///
/// # Errors
/// 400 `PLAYER_NOT_ON_TEAM` with those who can't play.
pub(crate) async fn check(app: &App, team_id: &TeamId, lineup: &[PlayerId]) -> Result<(), Problem> {
    match strangers(app, team_id, lineup).await?.as_slice() {
        [] => Ok(()),
        strangers => Err(not_on_team(strangers)),
    }
}

/// The players who are kept for a game: they can't be removed from the team before it is over.
pub(crate) fn kept(game: &Game) -> &[PlayerId] {
    match game.status {
        GameStatus::Scheduled | GameStatus::InProgress | GameStatus::Postponed => &game.lineup,
        GameStatus::Final => &[],
    }
}

/// The players in whose rows it is counted that they are kept for a game.
pub(crate) fn counted(game: &Game) -> &[PlayerId] {
    match game.lineup_counted {
        Some(true) => kept(game),
        Some(false) | None => &[],
    }
}

/// What a change of a game means for the rows of players.
pub(crate) struct Change<'a> {
    /// Who was counted.
    pub(crate) before: &'a [PlayerId],
    /// Who is to be counted.
    pub(crate) after: &'a [PlayerId],
    /// Who must be able to play when the change happens.
    pub(crate) playing: &'a [PlayerId],
}

impl Change<'_> {
    /// Adds the change to a transaction. A player who is counted is changed, so that whoever is
    /// removing the player sees it.
    pub(crate) fn add_to(&self, tx: &mut Transact<HackTracker>, team_id: &TeamId) {
        let players: BTreeSet<&PlayerId> =
            [self.before, self.after, self.playing].into_iter().flatten().collect();
        for player_id in players {
            let key = PlayerKey::new(team_id.clone(), player_id.clone());
            let plays = || player::status().ne(PlayerStatus::Inactive);
            let must_play = self.playing.contains(player_id);
            let by = i64::from(self.after.contains(player_id))
                - i64::from(self.before.contains(player_id));
            match (by, must_play) {
                (0, false) => continue,
                (0, true) => tx.add(model::check(&key, plays())),
                (by, false) => tx.add(Player::update(&key).add_lineups(by)),
                (by, true) => tx.add(Player::update(&key).add_lineups(by).when(plays())),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(text: &str, expected: Expect) {
        let lineup: Lineup = serde_json::from_str(text).unwrap();
        let told = match lineup.read() {
            Ok(players) => players.iter().map(PlayerId::as_str).collect::<Vec<_>>().join(" "),
            Err(problem) => problem.message,
        };
        expected.assert_eq(&told);
    }

    #[test]
    fn ht_d10_both_forms_of_a_lineup_are_read() {
        check(r#"["b", "a"]"#, expect!["b a"]);
        check(
            r#"[{"playerId": "a", "battingOrder": 9}, {"playerId": "b", "battingOrder": 2}]"#,
            expect!["b a"],
        );
        check("[]", expect![""]);
    }

    #[test]
    fn nobody_bats_twice_and_no_place_is_taken_twice() {
        check(r#"["a", "b", "a"]"#, expect!["lineup: has a player twice"]);
        check(
            r#"[{"playerId": "a", "battingOrder": 1}, {"playerId": "b", "battingOrder": 1}]"#,
            expect!["lineup: has a battingOrder twice"],
        );
        check(
            r#"["a", {"playerId": "b", "battingOrder": 1}]"#,
            expect!["lineup: has ids and objects; take one form for all"],
        );
    }
}
