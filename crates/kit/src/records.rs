//! Requests with an `Idempotency-Key`: what they were answered, for when they come again.
//!
//! The record of a request that has an effect is written in the transaction of the effect, by
//! [`Call::commit`](crate::Call::commit). What stands here is asked before the request is done, and
//! told when it is refused.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::future::Future;
use std::pin::Pin;

use http::Method;
use monotable::model::key::encode_free_text;
use monotable::model::rows::{IdempotencyRecord, Once, RowKey, request_hash};
use monotable::model::{Error, Store, Table};
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::call::Principal;
use crate::hexadecimal::hexadecimal;
use crate::problem::Problem;

/// Where the records of requests are: every store is one.
pub trait Records: Send + Sync {
    /// The answer that the request got before, as status and body. It is 409 if the key was another
    /// request's.
    fn answered<'a>(
        &'a self,
        record: &'a IdempotencyRecord,
    ) -> Recording<'a, Option<(u16, String)>>;

    /// Keeps the answer to a request that had no effect. If another one was kept meanwhile, that is
    /// the answer.
    fn answer<'a>(
        &'a self,
        record: &'a IdempotencyRecord,
        status: u16,
        body: String,
    ) -> Recording<'a, Once<()>>;
}

/// What [`Records`] wait for.
pub type Recording<'a, T> = Pin<Box<dyn Future<Output = Result<T, Problem>> + Send + 'a>>;

impl<T: Table> Records for Store<T> {
    fn answered<'a>(
        &'a self,
        record: &'a IdempotencyRecord,
    ) -> Recording<'a, Option<(u16, String)>> {
        Box::pin(async { Ok(self.run(record.answered()).await?) })
    }

    fn answer<'a>(
        &'a self,
        record: &'a IdempotencyRecord,
        status: u16,
        body: String,
    ) -> Recording<'a, Once<()>> {
        Box::pin(async move { Ok(self.run(record.answer(status, body)).await?) })
    }
}

/// The record of a request: of somebody, for a route with the values of its path, under a key, with
/// what it says. Two people, or two routes, may use the same key without meeting.
///
/// # Errors
/// 400 if the key has not 1 to 128 visible ASCII characters.
pub fn record_of(
    principal: &Principal,
    method: &Method,
    route: &str,
    path: &BTreeMap<String, String>,
    key: &str,
    request: &impl Serialize,
) -> Result<IdempotencyRecord, Problem> {
    let scope = scope_of(principal, method, route, path);
    let partition = format!("IDEMPOTENCY#{}", encode_free_text(&principal.id));
    let hash = request_hash(&scope, request)?;
    let record =
        IdempotencyRecord::new(&partition, key, &scope, hash).map_err(|error| match error {
            Error::Key { .. } => {
                Problem::field("Idempotency-Key", "1 to 128 visible ASCII characters")
            }
            error => error.into(),
        })?;
    // Of keys that clients choose, only hashes stand in keys of rows.
    let sort = format!("{}#{}", hash_text::<8>(&scope), hash_text::<16>(key.trim()));
    Ok(record.at(RowKey::new(partition, sort)))
}

/// What a key is unique within: `u1 POST /teams/{teamId}/players teamId=t1`.
fn scope_of(
    principal: &Principal,
    method: &Method,
    route: &str,
    path: &BTreeMap<String, String>,
) -> String {
    // No value has a space, so that no two requests have the same text.
    let mut scope = format!("{} {method} {route}", encode_free_text(&principal.id));
    for (name, value) in path {
        // Writing to a text does not fail.
        let _ = write!(scope, " {name}={}", encode_free_text(value));
    }
    scope
}

/// 64 bits of a hash, enough to keep the routes of one person apart.
/// So many bytes of a text's hash, as text.
fn hash_text<const BYTES: usize>(text: &str) -> String {
    hexadecimal(&Sha256::digest(text.as_bytes())[..BYTES])
}
