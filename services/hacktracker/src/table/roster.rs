//! Players of a team, and the numbers on their shirts.

use monotable::prelude::*;
use monotable_kit::Words;

use crate::table::{PlayerId, Stamps, TeamId, UserId};

/// A roster slot; in the index of users only while it is linked to one. Only one active player of a
/// team can have a number.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[key(pk = "TEAM#{team_id}", sk = "PLAYER#{player_id}")]
#[index(GSI4: sparse, pk = "USER#{user_id}", sk = "PLAYER#{player_id}")]
pub struct Player {
    /// The team.
    pub team_id: TeamId,
    /// The slot.
    pub player_id: PlayerId,
    /// The user of the slot. A ghost has no user, which is stored as NULL.
    #[serde(serialize_with = "monotable::model::codec::or_null")]
    pub user_id: Option<UserId>,
    /// The first name.
    pub first_name: String,
    /// The last name.
    pub last_name: Option<String>,
    /// The number on the shirt, 0 to 99.
    pub player_number: Option<u8>,
    /// Up to two positions, such as `SS` and `2B`.
    #[serde(default)]
    pub positions: Vec<String>,
    /// The player's status.
    #[serde(default)]
    pub status: PlayerStatus,
    /// Whether the slot is not linked to a user.
    pub is_ghost: bool,
    /// Whether a manager entered the first name, so that it stays when the user is unlinked.
    pub named_by_manager: Option<bool>,
    /// The user who entered the names, so that deleting the user removes them, in whatever slot
    /// they are.
    pub named_by: Option<UserId>,
    /// The time when the user was linked.
    pub linked_at: Option<Timestamp>,
    /// The time when the last user was unlinked: the career of the next one starts here.
    pub last_unlinked_at: Option<Timestamp>,
    /// Plate appearances in all games. Absent in old rows until the backfill has counted them: see
    /// [`Player::count_plate_appearances`].
    pub pa_count: Option<u64>,
    /// The number of unfinished games whose lineup contains the player, without games of older
    /// programs: see [`Game::lineup_counted`](crate::table::Game::lineup_counted).
    #[counter]
    #[serde(default)]
    pub lineups: u64,
    /// The stamps that the modelling layer writes.
    #[stamps]
    #[serde(skip)]
    pub stamps: Stamps,
}

impl Player {
    /// Returns a new player without a user and without names.
    pub fn ghost(team_id: TeamId, player_id: PlayerId) -> Self {
        Self {
            team_id,
            player_id,
            user_id: None,
            first_name: String::new(),
            last_name: None,
            player_number: None,
            positions: Vec::new(),
            status: PlayerStatus::Active,
            is_ghost: true,
            named_by_manager: Some(true),
            named_by: None,
            linked_at: None,
            last_unlinked_at: None,
            pa_count: Some(0),
            lineups: 0,
            stamps: Stamps::default(),
        }
    }

    /// Returns the update of the player's row that counts additional plate appearances, or fewer if
    /// `by` is negative.
    ///
    /// Changes the count of plate appearances. A row without a count stays without one, but its
    /// version increases, so that a concurrent count is recognised as outdated. The condition fails
    /// if the row has been counted in the meantime; read the player again then.
    pub fn count_plate_appearances(&self, by: i64) -> PlayerUpdate {
        let update = Self::update(&self.key());
        match self.pa_count {
            Some(count) => update
                .pa_count(Some(count.saturating_add_signed(by)))
                .when(player::pa_count().eq(count)),
            None => update.when(player::pa_count().absent()),
        }
    }

    /// Returns the number on the shirt that this player occupies; inactive players release it.
    pub fn wears_number(&self) -> Option<u8> {
        match self.status {
            PlayerStatus::Active | PlayerStatus::Sub => self.player_number,
            PlayerStatus::Inactive => None,
        }
    }
}

/// The status of a player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, Words)]
#[serde(rename_all = "lowercase")]
pub enum PlayerStatus {
    /// The player plays.
    #[default]
    Active,
    /// The player replaces others.
    Sub,
    /// The player does not play. Unknown values are read as this one.
    #[serde(other)]
    Inactive,
}

/// The player of a team with a number.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[entity(allow(K05, because = "shirts have the numbers 0 to 99"))]
#[key(pk = "TEAM#{team_id}", sk = "NUMBER#{number:02}")]
pub struct JerseyNumber {
    /// The team.
    pub team_id: TeamId,
    /// The number.
    #[immutable]
    pub number: u8,
    /// The player.
    pub player_id: PlayerId,
}
