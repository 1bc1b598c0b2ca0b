//! The routes of teams: which levels they walk, in which order. The last level of a game is the last one of every team.

use super::shuffle::{Numbers, shuffle};
use crate::table::{LevelId, RouteMode};

/// How routes of a game are made.
#[derive(Clone, Copy, Debug)]
pub struct Routes {
    /// How many levels each has.
    pub length: usize,
    /// In which order.
    pub mode: RouteMode,
    /// What random orders follow from.
    pub seed: u64,
}

impl Routes {
    /// Returns the route of a team by its place in the configuration. The levels are in the order of the
    /// configuration.
    pub fn of(&self, team: u32, levels: &[LevelId]) -> Vec<LevelId> {
        let Some((last, others)) = levels.split_last() else { return Vec::new() };
        let mut others = others.to_vec();
        match self.mode {
            RouteMode::Random if self.length < levels.len() => {
                shuffle(&mut others, &mut Numbers::new(self.seed, u64::from(team) + 1));
            }
            RouteMode::Random | RouteMode::Ordered => {}
            RouteMode::Rotated if others.is_empty() => {}
            RouteMode::Rotated => {
                let start = usize::try_from(team).unwrap_or(0) % others.len();
                others.rotate_left(start);
            }
        }
        others.truncate(self.length.saturating_sub(1));
        others.push(last.clone());
        others
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn levels(count: usize) -> Vec<LevelId> {
        (0..count).map(|number| LevelId::new(format!("l{number}")).unwrap()).collect()
    }

    #[test]
    fn the_last_level_is_everybodys_last_and_none_is_walked_twice() {
        for count in 1..8 {
            let levels = levels(count);
            for length in 1..=count {
                for mode in [RouteMode::Random, RouteMode::Ordered, RouteMode::Rotated] {
                    for team in 0..10 {
                        let route = Routes { length, mode, seed: 42 }.of(team, &levels);
                        assert_eq!(route.len(), length);
                        assert_eq!(route.last(), levels.last());
                        assert_eq!(route.iter().collect::<BTreeSet<_>>().len(), length);
                    }
                }
            }
        }
    }

    #[test]
    fn all_levels_are_walked_in_the_order_of_the_configuration() {
        let levels = levels(6);
        for mode in [RouteMode::Random, RouteMode::Ordered] {
            assert_eq!(Routes { length: 6, mode, seed: 1 }.of(3, &levels), levels);
        }
    }

    #[test]
    fn teams_of_rotated_routes_begin_at_different_levels() {
        let levels = levels(6);
        let routes = Routes { length: 6, mode: RouteMode::Rotated, seed: 1 };
        let starts: BTreeSet<LevelId> =
            (0..5).map(|team| routes.of(team, &levels)[0].clone()).collect();
        assert_eq!(starts.len(), 5);
    }
}
