//! Which players come to a game, and the resulting lineup.

pub(crate) mod list;
pub(crate) mod propose;
pub(crate) mod set;

use crate::api::prelude::*;

/// Whether a player comes to a game.
#[derive(View)]
#[view(of = Availability, list = "rsvps")]
pub(crate) struct AvailabilityView {
    game_id: GameId,
    player_id: PlayerId,
    answer: crate::table::Answer,
    /// The user who replied.
    answered_by: UserId,
    #[view(stamps)]
    stamps: Times,
}
