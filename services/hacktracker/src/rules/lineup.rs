//! Lineups: player ids in batting order, or objects with an order each.

use std::collections::BTreeSet;

use monotable_kit::{Body, FieldType as _, Kind};
use serde::Deserialize;

use crate::table::{Game, GameStatus, PlayerId};

/// The maximum number of players in a lineup.
pub(crate) const PLAYERS_MAX: usize = 30;

/// A player of a lineup in a request.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Entry {
    Id(PlayerId),
    Place(LineupPlace),
}

/// A place in a lineup.
#[derive(Clone, Debug, Body)]
pub(crate) struct LineupPlace {
    player_id: PlayerId,
    #[body(range = 1..=1_000)]
    batting_order: u32,
}

/// Returns the kind of a lineup in requests.
pub(crate) fn lineup_kind() -> Kind {
    let entry = Kind::OneOf(vec![PlayerId::kind(), LineupPlace::kind()]);
    Kind::List { of: Box::new(entry), length: 0..=PLAYERS_MAX, is_unique: false }
}

/// Returns the players of a lineup in batting order, or the error: a player or an order occurs
/// twice, or only some have an order.
pub(crate) fn in_batting_order(lineup: &[Entry]) -> Result<Vec<PlayerId>, &'static str> {
    let ordered = lineup.iter().filter(|entry| matches!(entry, Entry::Place(_))).count();
    if ordered != 0 && ordered != lineup.len() {
        return Err("mixes ids and objects; use one form");
    }
    let mut places: Vec<(u32, &PlayerId)> = lineup
        .iter()
        .zip(1..)
        .map(|(entry, position)| match entry {
            Entry::Id(id) => (position, id),
            Entry::Place(place) => (place.batting_order, &place.player_id),
        })
        .collect();
    places.sort_by_key(|(order, _)| *order);
    if places.windows(2).any(|pair| pair[0].0 == pair[1].0) {
        return Err("has a battingOrder twice");
    }
    let distinct: BTreeSet<&PlayerId> = places.iter().map(|(_, id)| *id).collect();
    if distinct.len() != places.len() {
        return Err("has a player twice");
    }
    Ok(places.into_iter().map(|(_, id)| id.clone()).collect())
}

/// Returns the players whose rows count that they are needed for a game: they can't be removed from
/// the team before it is over.
pub(crate) fn counted(game: &Game) -> &[PlayerId] {
    let is_to_be_played = match game.status {
        GameStatus::Scheduled | GameStatus::InProgress | GameStatus::Postponed => true,
        GameStatus::Final => false,
    };
    if game.lineup_counted == Some(true) && is_to_be_played { &game.lineup } else { &[] }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(text: &str, expected: Expect) {
        let lineup: Vec<Entry> = serde_json::from_str(text).unwrap();
        let told = match in_batting_order(&lineup) {
            Ok(players) => players.iter().map(PlayerId::as_str).collect::<Vec<_>>().join(" "),
            Err(message) => message.to_owned(),
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
    fn players_and_places_occur_once() {
        check(r#"["a", "b", "a"]"#, expect!["has a player twice"]);
        check(
            r#"[{"playerId": "a", "battingOrder": 1}, {"playerId": "b", "battingOrder": 1}]"#,
            expect!["has a battingOrder twice"],
        );
        check(
            r#"["a", {"playerId": "b", "battingOrder": 1}]"#,
            expect!["mixes ids and objects; use one form"],
        );
    }
}
