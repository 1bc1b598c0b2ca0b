//! Background work that operations schedule: deletions in steps.

pub(crate) mod delete_game;
pub(crate) mod erase_user;
pub(crate) mod purge;

use monotable::model::Store;
use monotable_kit::jobs::Jobs;

use crate::table::HackTracker;

/// Returns the worker for all scheduled work.
pub(crate) fn jobs(db: Store<HackTracker>) -> Jobs<HackTracker> {
    Jobs::new(db)
        .kind(delete_game::KIND, delete_game::step)
        .kind(purge::ERASURE, erase_user::step)
        .kind(purge::USER, purge::user::step)
        .kind(purge::TEAM, purge::team::step)
}
