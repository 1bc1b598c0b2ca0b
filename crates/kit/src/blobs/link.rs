//! Links to blobs: the key and the expiry of the link, sealed for one service. A link reveals
//! nothing of the key, and can be neither forged nor prolonged.

use monotable::model::time::Timestamp;

use super::key::BlobKey;
use crate::sealed::Sealer;

/// The purpose that links are sealed for.
const CONTEXT: &str = "link";

pub(super) fn seal(sealer: &Sealer, key: &BlobKey, ends_at: Timestamp) -> String {
    sealer.seal(CONTEXT, &text(key, ends_at))
}

/// Returns the same link for the same key and expiry.
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
