//! Links to follow a game without signing in, until the team revokes them.
//!
//! The token consists of the game's id, the link's id and a secret. Only the hash of the secret is
//! stored, so that readers of the table can't follow the game.

pub(crate) mod create;
pub(crate) mod events;
pub(crate) mod follow;
pub(crate) mod list;
pub(crate) mod plays;
pub(crate) mod revoke;

use crate::api::prelude::*;

/// A share link, without its token.
#[derive(View)]
#[view(of = Share, list = "shares")]
pub(crate) struct ShareView {
    game_id: GameId,
    share_id: ShareId,
    team_id: TeamId,
    created_by: UserId,
    #[view(stamps)]
    stamps: Stamps,
}
