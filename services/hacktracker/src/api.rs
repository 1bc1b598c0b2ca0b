//! The operations of the service, one file each, in folders by chapter.

pub(crate) mod at_bats;
pub(crate) mod audit;
pub(crate) mod availability;
pub(crate) mod games;
pub(crate) mod players;
pub(crate) mod seasons;
pub(crate) mod sorted;
pub(crate) mod statistics;

use monotable_kit::{Body, Path};

use crate::ids::{GameId, TeamId, UserId};

/// The team that a path names.
#[derive(Debug, Path)]
pub(crate) struct TeamPath {
    pub(crate) team_id: TeamId,
}

/// The user that a path names.
#[derive(Debug, Path)]
pub(crate) struct UserPath {
    pub(crate) user_id: UserId,
}

/// The game that a path names.
#[derive(Debug, Path)]
pub(crate) struct GamePath {
    pub(crate) game_id: GameId,
}

/// The body of an operation that needs none: an object without fields, or nothing at all.
#[derive(Debug, Body)]
pub(crate) struct Nothing {}
