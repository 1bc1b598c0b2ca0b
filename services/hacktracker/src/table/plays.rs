//! Plate appearances: the facts that all statistics are made of.

use monotable::prelude::*;

use crate::table::{AtBatId, GameId, PlayerId, Stamps, TeamId};

/// One plate appearance. Missing and malformed fields of older programs are read as absent: one
/// wrong row must not hide a game.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[key(pk = "GAME#{game_id}", sk = "ATBAT#{at_bat_id}")]
#[index(GSI5: pk = "PLAYER#{player_id}", sk = "ATBAT#{at_bat_id}")]
pub struct AtBat {
    /// The game.
    pub game_id: GameId,
    /// The plate appearance.
    pub at_bat_id: AtBatId,
    /// The batter. A wrong one can be corrected.
    pub player_id: PlayerId,
    /// The team that played.
    pub team_id: TeamId,
    /// The result as it was written: stored data may contain unknown codes.
    #[serde(default, deserialize_with = "crate::legacy::or_default")]
    pub result: String,
    /// The inning, from 1; 0 if it is not known.
    #[serde(default, deserialize_with = "crate::legacy::small")]
    pub inning: u8,
    /// The outs before the play, 0 to 2.
    #[serde(default, deserialize_with = "crate::legacy::small")]
    pub outs: u8,
    /// The place in the lineup, from 1; 0 if unknown.
    #[serde(default, deserialize_with = "crate::legacy::small")]
    pub batting_order: u8,
    /// The position of the ball.
    #[serde(default, deserialize_with = "crate::legacy::or_default")]
    pub hit_location: Option<HitLocation>,
    /// The type of hit, as it was written.
    #[serde(default, deserialize_with = "crate::legacy::or_default")]
    pub hit_type: Option<String>,
    /// Runs batted in.
    #[serde(default, deserialize_with = "crate::legacy::or_default")]
    pub rbis: Option<u8>,
    /// The outs of the play; if absent, the usual number for its result.
    #[serde(default, deserialize_with = "crate::legacy::or_default")]
    pub outs_on_play: Option<u8>,
    /// The players who scored on the play.
    #[serde(default, deserialize_with = "crate::legacy::or_default")]
    pub runs_scored: Option<Vec<PlayerId>>,
    /// Whether the inning ends with the play although it is not the third out (`true`), or
    /// continues although the run limit of the game is reached (`false`).
    #[serde(default, deserialize_with = "crate::legacy::or_default")]
    pub ends_inning: Option<bool>,
    /// Whether the inning or the outs in the request differed from those of the game.
    #[serde(default, deserialize_with = "crate::legacy::or_default")]
    pub situation_mismatch: Option<bool>,
    /// The time when it happened, if it was inserted later: see [`AtBat::played_at`].
    #[serde(default, deserialize_with = "crate::legacy::or_default")]
    pub happened_at: Option<Timestamp>,
    /// The stamps that the modelling layer writes.
    #[stamps]
    #[serde(skip)]
    pub stamps: Stamps,
}

impl AtBat {
    /// Returns the time when it was played: the time of its row, unless it was inserted later.
    pub fn played_at(&self) -> Timestamp {
        self.happened_at.unwrap_or(self.stamps.created)
    }
}

/// The position of a ball: from left to right and from top to bottom, 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct HitLocation {
    /// From the left.
    #[serde(deserialize_with = "crate::legacy::coordinate")]
    pub x: f64,
    /// From the top.
    #[serde(deserialize_with = "crate::legacy::coordinate")]
    pub y: f64,
}
