//! Who assists whom over the finished games of a season.

use std::collections::BTreeMap;

use monotable_kit::View;

use super::leaderboard::totals;
use crate::table::{GameResult, PlayerId};

/// The assist network of a season.
#[derive(Clone, Debug, PartialEq, Eq, View)]
pub struct AssistNetwork {
    /// The players who assisted or were assisted.
    pub players: Vec<NetworkPlayer>,
    /// Who assisted whom, the most frequent first.
    pub links: Vec<AssistLink>,
}

/// A player of the network.
#[derive(Clone, Debug, PartialEq, Eq, View)]
pub struct NetworkPlayer {
    /// The player.
    pub player_id: PlayerId,
    /// The nickname; absent if the player was deleted.
    #[view(example = "Flash")]
    pub nickname: Option<String>,
    /// Goals without own goals.
    #[view(example = 5)]
    pub goals: u32,
    /// Assists.
    #[view(example = 2)]
    pub assists: u32,
}

/// How often a player assisted another.
#[derive(Clone, Debug, PartialEq, Eq, View)]
pub struct AssistLink {
    /// The player who assisted.
    pub from_player_id: PlayerId,
    /// The player who scored.
    pub to_player_id: PlayerId,
    /// How often.
    #[view(example = 2)]
    pub count: u32,
}

/// Returns who assisted whom.
pub fn assist_network(
    results: &[&GameResult],
    nicknames: &BTreeMap<PlayerId, String>,
) -> AssistNetwork {
    let mut counts: BTreeMap<(&PlayerId, &PlayerId), u32> = BTreeMap::new();
    for assist in results.iter().flat_map(|result| &result.assists) {
        *counts.entry((&assist.from, &assist.to)).or_default() += u32::from(assist.count);
    }
    let is_linked =
        |player: &PlayerId| counts.keys().any(|(from, to)| *from == player || *to == player);
    let totals = totals(results.iter().copied()).into_iter();
    let players = totals.filter(|(player, _)| is_linked(player)).map(|(player, totals)| {
        let nickname = nicknames.get(player).cloned();
        let (goals, assists) = (totals.goals, totals.assists);
        NetworkPlayer { player_id: player.clone(), nickname, goals, assists }
    });
    let players = players.collect();
    let links = counts.iter().map(|((from, to), count)| AssistLink {
        from_player_id: (*from).clone(),
        to_player_id: (*to).clone(),
        count: *count,
    });
    let mut links: Vec<AssistLink> = links.collect();
    // Equally frequent ones stay in the order of the players.
    links.sort_by_key(|link| std::cmp::Reverse(link.count));
    AssistNetwork { players, links }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::fixtures::{goal, roster};
    use crate::table::Goal;

    #[test]
    fn links_are_counted_over_games() {
        let assisted = |by: &[&str]| {
            let assist_player_ids = by.iter().map(|id| id.parse().unwrap()).collect();
            Goal { assist_player_ids, ..goal("red", "blue") }
        };
        let ids = ["red", "blue", "yellow"].map(|id| id.parse().unwrap());
        let goals = [assisted(&["red-2", "blue-1"]), assisted(&["red-2"]), assisted(&[])];
        let result = GameResult::of(&ids, &roster(), &goals);
        let names = BTreeMap::from([("red-1".parse().unwrap(), "Flash".to_owned())]);
        let network = assist_network(&[&result, &result], &names);
        let link = |link: &AssistLink| {
            format!("{}>{} {}", link.from_player_id, link.to_player_id, link.count)
        };
        let links: Vec<String> = network.links.iter().map(link).collect();
        assert_eq!(links, ["red-2>red-1 4", "blue-1>red-1 2"]);
        let player = |player: &NetworkPlayer| {
            let name = player.nickname.as_deref().unwrap_or("-");
            format!("{} {name} {} {}", player.player_id, player.goals, player.assists)
        };
        let players: Vec<String> = network.players.iter().map(player).collect();
        assert_eq!(players, ["blue-1 - 0 2", "red-1 Flash 6 0", "red-2 - 0 4"]);
    }
}
