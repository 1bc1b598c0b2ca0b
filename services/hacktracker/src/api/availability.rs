//! Which players come to a game, and the lineup that follows from it.

pub(crate) mod list;
pub(crate) mod propose;
pub(crate) mod set;

use monotable::model::time::Timestamp;
use monotable_kit::View;

use crate::table::{Answer, Availability, GameId, PlayerId, UserId};

/// Whether a player comes to a game.
#[derive(View)]
#[view(of = Availability, list = "rsvps")]
pub(crate) struct AvailabilityView {
    #[view(example = "g1")]
    game_id: GameId,
    #[view(example = "p1")]
    player_id: PlayerId,
    #[view(example = "yes")]
    answer: Answer,
    /// The user who replied.
    #[view(example = "u1")]
    answered_by: UserId,
    #[view(from = stamps.created, example = "2026-06-01T09:30:00.000Z")]
    created_at: Timestamp,
    #[view(from = stamps.updated, example = "2026-06-01T09:30:00.000Z")]
    updated_at: Timestamp,
}
