//! What holds of players: numbers, counts, and whose they are.

use std::collections::BTreeSet;

use monotable_hacktracker::table::{Game, GameStatus, Period, PlayerLink};

use super::Everything;

impl Everything {
    /// A number is guarded if and only if an active player wears it.
    pub(super) fn numbers(&self, wrong: &mut Vec<String>) {
        let worn: BTreeSet<_> = self
            .players
            .iter()
            .filter_map(|row| Some((&row.team_id, row.wears_number()?, &row.player_id)))
            .collect();
        let guarded: BTreeSet<_> =
            self.numbers.iter().map(|row| (&row.team_id, row.number, &row.player_id)).collect();
        let loose = worn.symmetric_difference(&guarded);
        wrong.extend(loose.map(|number| format!("{number:?} is worn or guarded, not both")));
    }

    /// The count of each player equals the number of plate appearances.
    pub(super) fn plate_appearances(&self, wrong: &mut Vec<String>) {
        for player in &self.players {
            let own = self.at_bats.iter().filter(|at_bat| at_bat.player_id == player.player_id);
            let count = own.count() as u64;
            if player.pa_count.is_some_and(|said| said != count) {
                let said = player.pa_count;
                wrong.push(format!("{} batted {count} times, says {said:?}", player.player_id));
            }
        }
    }

    /// The count of each player equals the number of lineups of games to be played.
    pub(super) fn lineups(&self, wrong: &mut Vec<String>) {
        let is_to_play = |game: &&Game| {
            game.lineup_counted == Some(true)
                && game.status != GameStatus::Final
                && !game.is_deleting()
        };
        for player in &self.players {
            let games = self.games.values().filter(is_to_play);
            let count = games.filter(|game| game.lineup.contains(&player.player_id)).count();
            if player.lineups != count as u64 {
                let said = player.lineups;
                wrong.push(format!("{} is in {count} lineups, says {said}", player.player_id));
            }
        }
    }

    /// A player is linked to a user if and only if the user's career contains the link.
    pub(super) fn links(&self, wrong: &mut Vec<String>) {
        let mut linked = BTreeSet::new();
        for player in &self.players {
            if player.is_ghost != player.user_id.is_none() {
                wrong.push(format!("{} is a ghost and is not", player.player_id));
            }
            if let Some(user_id) = &player.user_id
                && !linked.insert((user_id, &player.team_id))
            {
                wrong.push(format!("{user_id} has two players of {}", player.team_id));
            }
        }
        let has: BTreeSet<_> = self
            .players
            .iter()
            .filter_map(|row| Some((row.user_id.as_ref()?, &row.player_id)))
            .collect();
        // What a team that is gone had is not there to be compared.
        let open = self.player_links.iter().filter(|link| self.teams.contains_key(&link.team_id));
        let open: BTreeSet<_> = open
            .filter(|link| is_open(link))
            .map(|link| (&link.user_id, &link.player_id))
            .collect();
        let loose = has.symmetric_difference(&open);
        wrong
            .extend(loose.map(|link| format!("{link:?} is in the roster or the career, not both")));
        for link in self.player_links.iter().filter(|link| !are_in_order(&link.periods)) {
            wrong.push(format!("{} of {}: {:?}", link.player_id, link.user_id, link.periods));
        }
    }
}

fn is_open(link: &PlayerLink) -> bool {
    link.periods.last().is_some_and(|period| period.to.is_none())
}

/// Returns whether each period ends before the next begins, so that only the last may be open.
fn are_in_order(periods: &[Period]) -> bool {
    let is_right =
        |period: &Period| period.to.is_none_or(|to| period.from.is_none_or(|from| from <= to));
    let follow =
        |pair: &[Period]| pair[0].to.is_some_and(|to| pair[1].from.is_some_and(|from| to <= from));
    !periods.is_empty() && periods.iter().all(is_right) && periods.windows(2).all(follow)
}
