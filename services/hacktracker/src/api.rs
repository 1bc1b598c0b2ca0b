//! The operations of the service, one file each, in folders by chapter.

pub(crate) mod audit;
pub(crate) mod seasons;

use monotable_kit::Path;

use crate::ids::TeamId;

/// The team that a path names.
#[derive(Debug, Path)]
pub(crate) struct TeamPath {
    pub(crate) team_id: TeamId,
}
