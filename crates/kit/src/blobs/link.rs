//! Links to blobs: the key and the end of the link, sealed for one service. Whoever has a link learns nothing of
//! the key, and can neither make one nor prolong it.

use monotable::model::time::Timestamp;

use super::key::BlobKey;
use crate::sealed::Sealer;

/// What links are sealed for.
const CONTEXT: &str = "link";

pub(super) fn seal(sealer: &Sealer, key: &BlobKey, ends_at: Timestamp) -> String {
    sealer.seal(CONTEXT, &text(key, ends_at))
}

/// Returns the same link each time.
pub(super) fn seal_alike(sealer: &Sealer, key: &BlobKey, ends_at: Timestamp) -> String {
    sealer.seal_alike(CONTEXT, &text(key, ends_at))
}

fn text(key: &BlobKey, ends_at: Timestamp) -> String {
    format!("{} {key}", ends_at.as_ms())
}

pub(super) fn open(sealer: &Sealer, token: &str) -> Option<(BlobKey, Timestamp)> {
    let text = sealer.open(CONTEXT, token)?;
    let (ends_at, key) = text.split_once(' ')?;
    Some((key.parse().ok()?, Timestamp::from_ms(ends_at.parse().ok()?).ok()?))
}
