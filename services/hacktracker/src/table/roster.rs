//! Players of a team, and who wears which number.

use monotable::prelude::*;
use monotable_kit::Words;

use crate::table::{PlayerId, Stamps, TeamId, UserId};

/// A roster slot; indexed by its user only while it is linked to one. A number is worn by one player
/// of a team who plays.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[key(pk = "TEAM#{team_id}", sk = "PLAYER#{player_id}")]
#[index(GSI4: sparse, pk = "USER#{user_id}", sk = "PLAYER#{player_id}")]
pub struct Player {
    /// The team.
    pub team_id: TeamId,
    /// The slot.
    pub player_id: PlayerId,
    /// Whose slot it is. A ghost has no user, which is stored as NULL.
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
    /// Whether the player plays.
    #[serde(default)]
    pub status: PlayerStatus,
    /// Whether nobody's account is behind it.
    pub is_ghost: bool,
    /// Whether a manager gave the first name, so that it stays when the user goes.
    pub named_by_manager: Option<bool>,
    /// The user whose own words the names are, so that they go with the user wherever the slot is then.
    pub named_by: Option<UserId>,
    /// When the user was linked.
    pub linked_at: Option<Timestamp>,
    /// When the last user was unlinked: the next one's career starts here.
    pub last_unlinked_at: Option<Timestamp>,
    /// Plate appearances in all games. Absent in old rows until the backfill has counted them: see
    /// [`Player::count_plate_appearances`].
    pub pa_count: Option<u64>,
    /// Lineups of games to be played that the player is in, but for games of older programs: see
    /// [`Game::lineup_counted`](crate::table::Game::lineup_counted).
    #[counter]
    #[serde(default)]
    pub lineups: u64,
    /// What the layer keeps of it.
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

    /// The change of the player's row that goes with plate appearances that come (or go, if `by` is
    /// negative).
    ///
    /// A row that was never counted stays so, but its version moves on: whoever is counting sees that
    /// the count is out of date. The condition fails if somebody counted meanwhile; read the player
    /// again then.
    pub fn count_plate_appearances(&self, by: i64) -> PlayerUpdate {
        let update = Self::update(&self.key());
        match self.pa_count {
            Some(count) => update
                .pa_count(Some(count.saturating_add_signed(by)))
                .when(player::pa_count().eq(count)),
            None => update.when(player::pa_count().absent()),
        }
    }

    /// Whether the number on the shirt is taken by this player: who does not play gives it up.
    pub fn wears_number(&self) -> Option<u8> {
        match self.status {
            PlayerStatus::Active | PlayerStatus::Sub => self.player_number,
            PlayerStatus::Inactive => None,
        }
    }
}

/// Whether a player plays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, Words)]
#[serde(rename_all = "lowercase")]
pub enum PlayerStatus {
    /// Plays.
    #[default]
    Active,
    /// Plays when others can't.
    Sub,
    /// Does not play. A word that nobody knows is taken for it.
    #[serde(other)]
    Inactive,
}

/// Who of a team wears a number.
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
    /// Who wears it.
    pub player_id: PlayerId,
}
