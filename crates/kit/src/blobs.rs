//! Blobs: photos and other files that are too large for rows. They are kept under keys in a store of the host;
//! a row names the key of its blob.
//!
//! A blob is stored before the row that names it, and deleted after that row: a row never names a blob that is
//! not there. A blob without a row is an orphan, which [`Blobs::collect_orphans`] deletes.
//!
//! Nothing here knows what the bytes are: [`Image`](crate::image::Image) checks photos before they come here.

mod directory;
mod key;
mod link;
mod memory;

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use monotable::model::time::Timestamp;

pub use self::directory::DirectoryBlobs;
pub use self::key::{BlobKey, BlobKeyError};
pub use self::memory::MemoryBlobs;

use crate::box_future::BoxFuture;
use crate::problem::Problem;
use crate::sealed::Sealer;

/// How long a blob without a row is kept: the request that has stored it may still write the row.
const ORPHAN_MIN: Duration = Duration::from_secs(24 * 60 * 60);
/// How long a link to a blob can be used.
pub const LINK_LIFETIME: Duration = Duration::from_secs(60 * 60);
/// How long a steady link stays the same, in milliseconds.
const STEADY_MS: i64 = 30 * 60 * 1_000;

/// A store of blobs. Clones of a store, and other processes, see the same blobs.
pub trait BlobStore: Send + Sync {
    /// Stores a blob with a time, and replaces an older blob with the same key. The blob is stored
    /// durably or not at all.
    fn put<'a>(&'a self, key: &'a BlobKey, bytes: Bytes, now: Timestamp) -> Storing<'a, ()>;

    /// Returns a blob.
    fn get<'a>(&'a self, key: &'a BlobKey) -> Storing<'a, Option<Bytes>>;

    /// Deletes a blob, if it exists.
    fn delete<'a>(&'a self, key: &'a BlobKey) -> Storing<'a, ()>;

    /// Lists some of the blobs whose keys begin with this segment, in the store's own order, after
    /// a key from an earlier call. An empty list is the end.
    fn list<'a>(
        &'a self,
        first_segment: &'a str,
        after: Option<&'a BlobKey>,
    ) -> Storing<'a, Vec<StoredBlob>>;
}

/// The boxed future of a store operation.
pub type Storing<'a, T> = BoxFuture<'a, T, BlobError>;

/// An operation of a store failed. The text is for operators and contains no key.
#[derive(Debug, thiserror::Error)]
#[error("the blob store failed: {0}")]
pub struct BlobError(pub String);

/// Why a link is not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LinkError {
    /// The link was not made by this service.
    #[error("there is no such link")]
    Unknown,
    /// The link has expired.
    #[error("the link has expired")]
    Expired,
}

/// A blob in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredBlob {
    /// Its key.
    pub key: BlobKey,
    /// When it was stored.
    pub stored_at: Timestamp,
}

/// The blobs of one service. Clones are handles to the same ones.
#[derive(Clone)]
pub struct Blobs {
    store: Arc<dyn BlobStore>,
    service: &'static str,
    sealer: Sealer,
}

impl Blobs {
    /// Returns the blobs of a service in a store. The key of the server seals links to them.
    pub fn new(store: Arc<dyn BlobStore>, service: &'static str, key: &[u8; 32]) -> Self {
        Self { store, service, sealer: Sealer::of_links(key, service) }
    }

    /// Stores a blob.
    ///
    /// # Errors
    /// Returns 503 if the store fails.
    pub async fn put(&self, key: &BlobKey, bytes: Bytes, now: Timestamp) -> Result<(), Problem> {
        Ok(self.store.put(&self.stored(key)?, bytes, now).await?)
    }

    /// Returns a blob.
    ///
    /// # Errors
    /// Returns 503 if the store fails.
    pub async fn get(&self, key: &BlobKey) -> Result<Option<Bytes>, Problem> {
        Ok(self.store.get(&self.stored(key)?).await?)
    }

    /// Deletes a blob, if it exists.
    ///
    /// # Errors
    /// Returns 503 if the store fails.
    pub async fn delete(&self, key: &BlobKey) -> Result<(), Problem> {
        Ok(self.store.delete(&self.stored(key)?).await?)
    }

    /// Deletes blobs that no row names, and returns how many. `is_named` returns whether a row
    /// names a blob; it is called for blobs that are older than a day.
    ///
    /// # Errors
    /// Returns the errors of the store and of `is_named`.
    pub async fn collect_orphans<'a>(
        &self,
        now: Timestamp,
        is_named: impl Fn(BlobKey) -> BoxFuture<'a, bool>,
    ) -> Result<usize, Problem> {
        let (mut deleted, mut after) = (0, None);
        loop {
            let listed = self.store.list(self.service, after.as_ref()).await?;
            let Some(last) = listed.last() else { return Ok(deleted) };
            after = Some(last.key.clone());
            for blob in listed {
                let Some(key) = blob.key.without_first_segment() else { continue };
                if blob.stored_at + ORPHAN_MIN <= now && !is_named(key).await? {
                    self.store.delete(&blob.key).await?;
                    deleted += 1;
                }
            }
        }
    }

    /// Returns a token that opens a blob until [`LINK_LIFETIME`] from now, as a part of a path. It
    /// reveals nothing of the key.
    pub fn link(&self, key: &BlobKey, now: Timestamp) -> String {
        link::seal(&self.sealer, key, now + LINK_LIFETIME)
    }

    /// Returns a token that opens a blob for at least half of [`LINK_LIFETIME`]. The token stays
    /// the same for that time, so that browsers can cache the picture.
    pub fn steady_link(&self, key: &BlobKey, now: Timestamp) -> String {
        let begun = now.as_ms().rem_euclid(STEADY_MS);
        let begin = now - Duration::from_millis(begun.unsigned_abs());
        link::seal_alike(&self.sealer, key, begin + LINK_LIFETIME)
    }

    /// Returns the blob that a token opens.
    ///
    /// # Errors
    /// Fails if the token is unknown or has expired.
    pub fn open_link(&self, token: &str, now: Timestamp) -> Result<BlobKey, LinkError> {
        let (key, ends_at) = link::open(&self.sealer, token).ok_or(LinkError::Unknown)?;
        if ends_at > now { Ok(key) } else { Err(LinkError::Expired) }
    }

    /// Returns the key in the store, which services share.
    fn stored(&self, key: &BlobKey) -> Result<BlobKey, Problem> {
        key.within(self.service).map_err(|error| Problem::internal(error.to_string()))
    }
}

impl From<BlobError> for Problem {
    fn from(error: BlobError) -> Self {
        let text = "Files can't be stored or read at the moment. Try again in a minute.";
        let mut problem = Self::unavailable(text);
        problem.internal = Some(error.to_string());
        problem
    }
}
