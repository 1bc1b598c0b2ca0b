//! Blobs of a process that is killed at a chosen call.

use axum::body::Bytes;
use monotable::model::time::Timestamp;
use monotable_kit::blobs::{BlobError, BlobKey, BlobStore, MemoryBlobs, StoredBlob, Storing};

use crate::failing::Failing;

/// The blobs of a process. Its calls of them count like those of its table.
pub(super) struct DyingBlobs {
    pub(super) blobs: MemoryBlobs,
    pub(super) process: Failing,
}

impl DyingBlobs {
    fn call<'a, T: Send + 'a>(&self, call: impl FnOnce() -> Storing<'a, T>) -> Storing<'a, T> {
        let killed = || BlobError("killed".to_owned());
        self.process.survive(call).unwrap_or_else(|| Box::pin(async move { Err(killed()) }))
    }
}

impl BlobStore for DyingBlobs {
    fn put<'a>(&'a self, key: &'a BlobKey, bytes: Bytes, now: Timestamp) -> Storing<'a, ()> {
        self.call(|| self.blobs.put(key, bytes, now))
    }

    fn get<'a>(&'a self, key: &'a BlobKey) -> Storing<'a, Option<Bytes>> {
        self.call(|| self.blobs.get(key))
    }

    fn delete<'a>(&'a self, key: &'a BlobKey) -> Storing<'a, ()> {
        self.call(|| self.blobs.delete(key))
    }

    fn list<'a>(
        &'a self,
        first_segment: &'a str,
        after: Option<&'a BlobKey>,
    ) -> Storing<'a, Vec<StoredBlob>> {
        self.call(|| self.blobs.list(first_segment, after))
    }
}
