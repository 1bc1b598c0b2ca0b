//! The operations of the service, one file each, in folders by chapter.

use monotable_kit::Path;

use crate::table::MatchId;

/// The match that a path names.
#[derive(Debug, Path)]
pub struct MatchPath {
    /// The match.
    pub id: MatchId,
}
