//! Links with which everybody can follow a game, for as long as the team wants it.
//!
//! The token is the game's id, the link's id and a secret. Only the hash of the secret is kept, so that
//! readers of the table can't follow the game.

pub(crate) mod create;
pub(crate) mod events;
pub(crate) mod follow;
pub(crate) mod list;
pub(crate) mod plays;
pub(crate) mod revoke;

use monotable::model::time::Timestamp;
use monotable_kit::View;

use crate::table::{GameId, Share, ShareId, TeamId, UserId};

/// A share link, without its token.
#[derive(View)]
#[view(of = Share, list = "shares")]
pub(crate) struct ShareView {
    #[view(example = "g1")]
    game_id: GameId,
    #[view(example = "s1")]
    share_id: ShareId,
    #[view(example = "t1")]
    team_id: TeamId,
    #[view(example = "u1")]
    created_by: UserId,
    #[view(from = stamps.created, example = "2026-06-01T09:30:00.000Z")]
    created_at: Timestamp,
    #[view(from = stamps.updated, example = "2026-06-01T09:30:00.000Z")]
    updated_at: Timestamp,
    #[view(from = stamps.version, example = 1)]
    ver: u64,
}
