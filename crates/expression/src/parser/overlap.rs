//! Paths of one expression that cannot be written or returned together: one leads into the other, or
//! they use a value as a map and as a list.

use super::cursor::Cursor;
use super::problem::Rank;
use crate::{Path, Reason, Step};

/// The conflict of two paths.
#[derive(PartialEq)]
enum Clash {
    Overlap,
    Conflict,
}

/// Notes the first pair of paths that overlap, or else the first that conflict.
pub(super) fn note_overlaps(cursor: &mut Cursor<'_, '_, '_>, paths: &[&Path]) {
    let mut conflict = None;
    for (position, two) in paths.iter().enumerate() {
        for one in &paths[..position] {
            match clash(one, two) {
                Some(Clash::Overlap) => {
                    let (one, two) = (one.elements(), two.elements());
                    cursor.note(Rank::Overlap, Reason::PathsOverlap { one, two });
                    return;
                }
                Some(Clash::Conflict) => conflict = conflict.or(Some((one, two))),
                None => {}
            }
        }
    }
    if let Some((one, two)) = conflict {
        let (one, two) = (one.elements(), two.elements());
        cursor.note(Rank::Conflict, Reason::PathsConflict { one, two });
    }
}

fn clash(one: &Path, two: &Path) -> Option<Clash> {
    if one.root != two.root {
        return None;
    }
    for (one, two) in one.steps.iter().zip(&two.steps) {
        match (one, two) {
            (Step::Key(one), Step::Key(two)) if one == two => {}
            (Step::Index(one), Step::Index(two)) if one == two => {}
            (Step::Key(_), Step::Key(_)) | (Step::Index(_), Step::Index(_)) => return None,
            _ => return Some(Clash::Conflict),
        }
    }
    Some(Clash::Overlap)
}
