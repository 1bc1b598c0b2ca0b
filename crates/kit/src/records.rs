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

/// What an `Idempotency-Key` is unique within: somebody, and a route with the values of its path.
#[derive(Clone, Copy, Debug)]
pub struct RecordScope<'a> {
    /// Who the request is from. Nobody is everybody who does not say.
    pub principal: Option<&'a Principal>,
    /// The method of the route.
    pub method: &'a Method,
    /// The path of the route, with `{names}`.
    pub route: &'static str,
    /// The values of the path's names.
    pub path: &'a BTreeMap<String, String>,
    /// The key, without spaces around it.
    pub key: &'a str,
}

impl RecordScope<'_> {
    /// The scope as text: `u1 POST /teams/{teamId}/players teamId=t1`.
    pub fn text(&self) -> String {
        // No value has a space, so that no two requests have the same text.
        let mut text = format!("{} {} {}", self.principal_text(), self.method, self.route);
        for (name, value) in self.path {
            // Writing to a text does not fail.
            let _ = write!(text, " {name}={}", encode_free_text(value));
        }
        text
    }

    /// Where the record is unless a service says otherwise: in one partition for each principal. Of keys
    /// that clients choose, only hashes stand in the row's.
    pub fn of_principal(&self) -> RecordPlace {
        let partition = format!("IDEMPOTENCY#{}", self.principal_text());
        let sort = format!("{}#{}", hash_text::<8>(&self.text()), hash_text::<16>(self.key));
        RecordPlace::Own(RowKey::new(partition, sort))
    }

    /// The principal as it stands in keys. Nobody has no id, and nobody else has none.
    fn principal_text(&self) -> String {
        encode_free_text(self.principal.map_or("", |principal| &principal.id))
    }
}

/// Where the record of a request is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordPlace {
    /// In a row that only requests of the same scope have.
    Own(RowKey),
    /// In a row that requests of another scope may have, too, because its key tells only the
    /// `Idempotency-Key`. Whoever comes second has a row beside it, whose sort key tells the scope.
    Shared {
        /// The partition key.
        partition: String,
        /// The sort key.
        sort: String,
    },
}

/// The record of a request with what it says, in the row that `record_key` names.
///
/// # Errors
/// 400 if the key has not 1 to 128 visible ASCII characters.
pub fn record_of(
    scope: &RecordScope<'_>,
    record_key: fn(&RecordScope<'_>) -> RecordPlace,
    request: &impl Serialize,
) -> Result<IdempotencyRecord, Problem> {
    let scope = RecordScope { key: scope.key.trim(), ..*scope };
    let text = scope.text();
    let hash = request_hash(&text, request)?;
    let record =
        IdempotencyRecord::new("", scope.key, &text, hash).map_err(|error| match error {
            Error::Key { .. } => {
                Problem::field("Idempotency-Key", "must be 1 to 128 visible ASCII characters")
            }
            error => error.into(),
        })?;
    Ok(match record_key(&scope) {
        RecordPlace::Own(key) => record.at(key),
        RecordPlace::Shared { partition, sort } => {
            let beside = format!("{sort}#{}", hash_text::<8>(&text));
            record.at(RowKey::new(&partition, sort)).beside(RowKey::new(partition, beside))
        }
    })
}

/// So many bytes of a text's hash, as text.
fn hash_text<const BYTES: usize>(text: &str) -> String {
    hexadecimal(&Sha256::digest(text.as_bytes())[..BYTES])
}
