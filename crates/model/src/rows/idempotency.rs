//! Idempotency records: the response to a request, written together with its effect.

use std::fmt;
use std::marker::PhantomData;
use std::time::Duration;

use monotable_design::meta::{RuleKind, TableMeta};
use monotable_types::Item;
use serde::{Deserialize, Serialize};

use super::key::RuleKey;
use super::operation::{InTransaction, RuleOperation};
use super::row::{RuleRow, insert_expiry};
use super::run::RunRule;
use super::value;
use crate::backend::request::Action;
use crate::context::Context;
use crate::error::{Error, Result};
use crate::key::{IDENTIFIER_CHARACTERS_MAX, KeyError};
use crate::store::Store;
use crate::table::{HoldsRule, Table};
use crate::time::Timestamp;
use crate::write::{self, Label, Outcome, Plan, Planned, PlannedWrite, Transact};

/// How long a response is kept by default.
const KEPT: Duration = Duration::from_secs(24 * 60 * 60);
/// The name of the rule.
const KIND: &str = "idempotency";

/// The key of idempotency records: `#[rule(Idempotency, …)]`.
pub trait IdempotencyKey: RuleKey {
    /// Returns the record of a request under this key. `key` is the idempotency key of the client, which is
    /// stored without spaces around it, and the hash is that of [`request_hash`](super::request_hash).
    ///
    /// # Errors
    ///
    /// The client's key does not consist of 1 to 128 visible ASCII characters.
    fn idempotency(
        self,
        key: &str,
        scope: impl Into<String>,
        request_hash: impl Into<String>,
    ) -> Result<IdempotencyRecord<Self>> {
        let client_key =
            check_idempotency_key(key).map_err(|error| Error::Key { entity: KIND, error })?;
        let record = RequestRow {
            rule: RuleRow::of(RuleKind::Idempotency, &self),
            second: None,
            scope: scope.into(),
            key: client_key.to_owned(),
            request_hash: request_hash.into(),
            kept: KEPT,
        };
        Ok(IdempotencyRecord { record, key: PhantomData })
    }
}

/// A request that must take effect exactly once, however often it is sent.
///
/// The response is written in the transaction of the effect: of two concurrent requests one takes
/// effect, and the other gets the response.
///
/// ```
/// # extern crate monotable_model as monotable;
/// use monotable_model::RuleKey;
/// use monotable_model::rows::{IdempotencyKey as _, request_hash};
///
/// #[derive(RuleKey, Clone, Debug)]
/// #[rule(Idempotency, pk = "idem#{match_id}", sk = "key#{key}")]
/// pub struct JoinRequest {
///     pub match_id: String,
///     pub key: String,
/// }
///
/// let scope = "u1 POST /matches/m1/join";
/// let hash = request_hash(scope, &serde_json::json!({ "name": "Ada" }))?;
/// let key = JoinRequest { match_id: "m1".to_owned(), key: "key-from-the-header".to_owned() };
/// let record = key.idempotency("key-from-the-header", scope, hash)?;
/// // let mut tx = db.transact();
/// // let joined = tx.add(create(tribute));
/// // match db.once(&record, tx, move |done| (201, shown(&done[joined]))).await? {
/// //     Once::Fresh(done) => …,
/// //     Once::Replay { status, body } => …, // with the header `Idempotent-Replay: true`
/// // }
/// # let _ = record;
/// # Ok::<(), monotable_model::Error>(())
/// ```
pub struct IdempotencyRecord<K> {
    record: RequestRow,
    key: PhantomData<fn() -> K>,
}

impl<K> Clone for IdempotencyRecord<K> {
    fn clone(&self) -> Self {
        Self { record: self.record.clone(), key: PhantomData }
    }
}

impl<K> fmt::Debug for IdempotencyRecord<K> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.record.fmt(formatter)
    }
}

impl<K: IdempotencyKey> IdempotencyRecord<K> {
    /// Keeps the response under this key if a request of another scope uses the first, so that
    /// callers that share a partition do not collide. The key must depend on the scope.
    #[must_use]
    pub fn or_at(mut self, key: &K) -> Self {
        self.record.second = Some(RuleRow::of(RuleKind::Idempotency, key));
        self
    }

    /// Sets how long the response is kept; 24 hours by default.
    #[must_use]
    pub fn kept(mut self, kept: Duration) -> Self {
        self.record.kept = kept;
        self
    }

    /// Returns the hash of the request, with its scope.
    pub fn request_hash(&self) -> &str {
        &self.record.request_hash
    }

    /// Writes the response if there is none. Otherwise it fails with [`Error::Replay`] for the same
    /// request and [`Error::IdempotencyReused`] for another.
    pub fn respond(&self, status: u16, body: impl Into<String>) -> RuleOperation<K, Respond> {
        RuleOperation::new(self.record.respond(status, body.into()))
    }

    /// Reads the stored response, as status and body. It fails with [`Error::IdempotencyReused`] if
    /// another request uses the key.
    pub fn response(&self) -> RuleOperation<K, ReadResponse> {
        RuleOperation::new(ReadResponse { record: self.record.clone() })
    }
}

/// The row of one request.
#[derive(Clone, Debug)]
struct RequestRow {
    rule: RuleRow,
    /// The row for requests of another scope than that of the first row.
    second: Option<RuleRow>,
    scope: String,
    key: String,
    request_hash: String,
    kept: Duration,
}

impl RequestRow {
    fn respond(&self, status: u16, body: String) -> Respond {
        Respond { record: self.clone(), status, body }
    }

    /// Returns the error that the stored row means for this request.
    fn conflict(&self, table: &TableMeta, row: Item) -> Error {
        match value::decode::<Stored>(table, &self.rule, row) {
            Ok(stored) if stored.hash == self.request_hash => {
                Error::Replay { status: stored.status, body: stored.body }
            }
            Ok(_) => Error::IdempotencyReused,
            Err(error) => error,
        }
    }

    /// Returns the record under its second key, if it has one.
    fn elsewhere(&self) -> Option<Self> {
        let rule = self.second.clone()?;
        Some(Self { rule, second: None, ..self.clone() })
    }

    /// Returns the key of the row that decides which key the response is stored under; `None` if
    /// there is only one.
    fn deciding(&self, context: &Context) -> Result<Option<Item>> {
        self.second.as_ref().map(|_| self.rule.key_item(context)).transpose()
    }

    /// Returns the record under the key that its response is stored under, given the row of the
    /// first key.
    fn settled(&self, context: &Context, first: Option<&Item>) -> Result<Self> {
        let first = first.filter(|row| self.rule.is_present(context, row));
        match (self.elsewhere(), first) {
            (Some(elsewhere), Some(row)) if self.is_of_another(context, row)? => Ok(elsewhere),
            _ => Ok(self.clone()),
        }
    }

    /// Returns whether a row is the response to a request of another scope.
    fn is_of_another(&self, context: &Context, row: &Item) -> Result<bool> {
        let stored: Stored = value::decode(context.table, &self.rule, row.clone())?;
        Ok(!stored.scope.is_empty() && stored.scope != self.scope)
    }
}

/// The value of the row.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Stored {
    hash: String,
    status: u16,
    body: String,
    #[serde(default)]
    scope: String,
    #[serde(default)]
    key: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    created_at: Option<Timestamp>,
}

/// Returns the idempotency key of a client without surrounding spaces.
///
/// # Errors
///
/// It does not consist of 1 to 128 visible ASCII characters.
pub fn check_idempotency_key(key: &str) -> Result<&str, KeyError> {
    let key = key.trim();
    match key.chars().find(|character| !character.is_ascii_graphic()) {
        _ if key.is_empty() => Err(KeyError::Empty),
        Some(character) => Err(KeyError::Character { text: key.to_owned(), character }),
        None if key.len() > IDENTIFIER_CHARACTERS_MAX => {
            Err(KeyError::IdentifierTooLong { characters: key.len() })
        }
        None => Ok(key),
    }
}

/// Writes the response to a request. Made by [`IdempotencyRecord::respond`].
#[derive(Clone, Debug)]
pub struct Respond {
    record: RequestRow,
    status: u16,
    body: String,
}

impl Respond {
    fn planned(self, context: &Context) -> Result<PlannedWrite> {
        let record = self.record;
        let stored = Stored {
            hash: record.request_hash.clone(),
            status: self.status,
            body: self.body,
            scope: record.scope.clone(),
            key: record.key.clone(),
            created_at: Some(context.now()),
        };
        let mut row = record.rule.row(context)?;
        row.extend(value::encode(context.table, &record.rule, &stored)?);
        let ends_at = context.now_seconds() + record.kept;
        insert_expiry(&mut row, record.rule.expiry(context), Some(ends_at));
        let condition = record.rule.absent(context);
        let rule = record.rule.clone();
        let table = context.table;
        let failure = Box::new(move |row: Option<Box<Item>>| match row {
            Some(row) => record.conflict(table, *row),
            None => Error::Exists { entity: KIND },
        });
        Ok(rule.write(context, Action::Put(row), condition, failure))
    }
}

impl InTransaction for Respond {
    type Output = ();
}

impl Planned for Respond {
    fn label(&self) -> Label {
        Label::new("record the response of", self.record.rule.kind)
    }

    fn reads(&self, context: &Context) -> Result<Option<Item>> {
        self.record.deciding(context)
    }

    fn plan(&mut self, context: &Context, row: Option<Item>) -> Result<Plan> {
        let record = self.record.settled(context, row.as_ref())?;
        Ok(Plan::new(vec![Self { record, ..self.clone() }.planned(context)?]))
    }
}

/// Writes the response that follows from the results of the preceding operations.
struct RespondFrom<F> {
    record: RequestRow,
    make: F,
}

impl<F> Planned for RespondFrom<F>
where
    F: Fn(&Outcome) -> (u16, String) + Send + 'static,
{
    fn label(&self) -> Label {
        Label::new("record the response of", self.record.rule.kind)
    }

    fn reads(&self, context: &Context) -> Result<Option<Item>> {
        self.record.deciding(context)
    }

    fn plan(&mut self, context: &Context, row: Option<Item>) -> Result<Plan> {
        self.plan_after(context, row, &Outcome::default())
    }

    fn plan_after(
        &mut self,
        context: &Context,
        row: Option<Item>,
        before: &Outcome,
    ) -> Result<Plan> {
        let (status, body) = (self.make)(before);
        let response = self.record.settled(context, row.as_ref())?.respond(status, body);
        Ok(Plan::new(vec![response.planned(context)?]))
    }
}

impl RunRule for Respond {
    type Output = Once<()>;

    /// For a response without effect: a refusal that must stay the same.
    async fn run(mut self, context: &Context) -> Result<Once<()>> {
        if self.record.second.is_some() {
            let first = self.record.rule.read(context).await?;
            self.record = self.record.settled(context, first.as_ref())?;
        }
        match write::single(context, vec![self.planned(context)?]).await {
            Ok(_) => Ok(Once::Fresh(())),
            Err(Error::Replay { status, body }) => Ok(Once::Replay { status, body }),
            Err(error) => Err(error),
        }
    }
}

/// Reads the response to a request. Made by [`IdempotencyRecord::response`].
#[derive(Clone, Debug)]
pub struct ReadResponse {
    record: RequestRow,
}

impl RunRule for ReadResponse {
    type Output = Option<(u16, String)>;

    async fn run(self, context: &Context) -> Result<Option<(u16, String)>> {
        let record = self.record;
        // The second row comes first: the first may have belonged to another scope and be gone
        // since.
        if let Some(elsewhere) = record.elsewhere()
            && let Some(row) = elsewhere.rule.read(context).await?
        {
            return replayed(elsewhere.conflict(context.table, row)).map(Some);
        }
        match record.rule.read(context).await? {
            Some(row) if record.second.is_some() && record.is_of_another(context, &row)? => {
                Ok(None)
            }
            Some(row) => replayed(record.conflict(context.table, row)).map(Some),
            None => Ok(None),
        }
    }
}

/// Returns the response in a row.
fn replayed(judged: Error) -> Result<(u16, String)> {
    match judged {
        Error::Replay { status, body } => Ok((status, body)),
        error => Err(error),
    }
}

/// The result of a request that takes effect once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Once<R> {
    /// It took effect now.
    Fresh(R),
    /// It took effect before, with this response.
    Replay {
        /// The status of the response.
        status: u16,
        /// The body of the response.
        body: String,
    },
}

impl<T: Table> Store<T> {
    /// Runs a transaction with the record of its request, unless the request has been completed
    /// before. The response, a status and a body, is made from the results of the operations; like
    /// them it may be made and then not be used.
    ///
    /// # Errors
    ///
    /// [`Error::IdempotencyReused`] if another request uses the key, and errors of the transaction;
    /// then nothing is recorded.
    pub async fn once<K: IdempotencyKey>(
        &self,
        record: &IdempotencyRecord<K>,
        mut transaction: Transact<T>,
        response: impl Fn(&Outcome) -> (u16, String) + Send + 'static,
    ) -> Result<Once<Outcome>>
    where
        T: HoldsRule<K>,
    {
        let recorded = RespondFrom { record: record.record.clone(), make: response };
        transaction.push(Box::new(recorded));
        match transaction.commit().await {
            Ok(done) => Ok(Once::Fresh(done)),
            // The failure may be caused by the effect of the same request before.
            Err(error) => match self.run(record.response()).await {
                Ok(Some((status, body))) => Ok(Once::Replay { status, body }),
                Err(reused @ Error::IdempotencyReused) => Err(reused),
                Ok(None) | Err(_) => Err(error),
            },
        }
    }
}
