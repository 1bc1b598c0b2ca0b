//! Background work that operations promise: deletions in steps.

pub(crate) mod delete_game;
pub(crate) mod delete_league;
pub(crate) mod erase_user;
pub(crate) mod result_mails;

use monotable::model::Store;
use monotable_kit::Zone;
use monotable_kit::jobs::Jobs;
use monotable_kit::outbox::LetterSealer;

use crate::table::ThreeFc;

/// Returns the worker for everything that operations promise.
pub(crate) fn jobs(db: &Store<ThreeFc>, sealer: &LetterSealer, zone: Zone) -> Jobs<ThreeFc> {
    let sealer = sealer.clone();
    Jobs::new(db.clone())
        .kind(delete_league::KIND, delete_league::step)
        .kind(erase_user::KIND, erase_user::step)
        .kind(delete_game::KIND, delete_game::step)
        .kind(result_mails::KIND, move |db, mails, from| {
            result_mails::step(db, (sealer.clone(), zone.clone()), mails, from)
        })
}
