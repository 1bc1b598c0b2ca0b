//! How players appear in tables of statistics, and in which order.

use std::cmp::Ordering;

use monotable_kit::View;

use crate::table::{Player, PlayerId};

/// A player in a table of statistics. Players who have left the roster have no name.
#[derive(Clone, Debug, PartialEq, Eq, View)]
pub struct Who {
    /// The player.
    #[view(example = "p1")]
    pub player_id: PlayerId,
    /// The first name.
    #[view(example = "Ann")]
    pub first_name: Option<String>,
    /// The last name.
    pub last_name: Option<String>,
    /// The number on the shirt.
    pub player_number: Option<u8>,
}

impl Who {
    /// Returns a player with the names of the roster.
    pub fn of(player_id: &PlayerId, roster: &[Player]) -> Self {
        let known = roster.iter().find(|player| player.player_id == *player_id);
        known.map(Self::from).unwrap_or_else(|| Self {
            player_id: player_id.clone(),
            first_name: None,
            last_name: None,
            player_number: None,
        })
    }

    /// Returns the order of a roster: by number, then by last and first name, players without them last.
    pub fn order(&self, other: &Self) -> Ordering {
        let number = |who: &Self| (who.player_number.is_none(), who.player_number);
        number(self)
            .cmp(&number(other))
            .then_with(|| last_if_none(&self.last_name).cmp(&last_if_none(&other.last_name)))
            .then_with(|| last_if_none(&self.first_name).cmp(&last_if_none(&other.first_name)))
            .then_with(|| self.player_id.cmp(&other.player_id))
    }
}

impl From<&Player> for Who {
    fn from(player: &Player) -> Self {
        Self {
            player_id: player.player_id.clone(),
            first_name: Some(player.first_name.clone()),
            last_name: player.last_name.clone(),
            player_number: player.player_number,
        }
    }
}

/// Sorts a roster.
pub fn sort_roster(roster: &mut [Player]) {
    roster.sort_by(|one, other| Who::from(one).order(&Who::from(other)));
}

/// Returns a name for sorting, where missing names come last.
fn last_if_none(name: &Option<String>) -> (bool, &Option<String>) {
    (name.is_none(), name)
}
