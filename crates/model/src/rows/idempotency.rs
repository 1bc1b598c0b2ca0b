//! Idempotency records: what a request was answered, written together with its effect.

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

/// How long an answer is kept unless set.
const KEPT: Duration = Duration::from_secs(24 * 60 * 60);
/// What the rule is called.
const KIND: &str = "idempotency";

/// The key of idempotency records: `#[rule(Idempotency, …)]`.
pub trait IdempotencyKey: RuleKey {
    /// Returns the record of a request under this key. `key` is the idempotency key of the client, which is
    /// stored without spaces around it, and the hash is that of [`request_hash`](super::request_hash).
    ///
    /// # Errors
    /// If the client's key has not 1 to 128 visible ASCII characters.
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

/// One request that must have its effect once, however often it comes.
///
/// The response is written in the transaction of the effect, so that of two requests at once one has the
/// effect and the other gets the response.
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
    /// Keeps the response under this key where a request of another scope has one under the first, so that
    /// callers that share a partition do not collide. The key must depend on the scope.
    #[must_use]
    pub fn or_at(mut self, key: &K) -> Self {
        self.record.second = Some(RuleRow::of(RuleKind::Idempotency, key));
        self
    }

    /// Keeps the response for so long; 24 hours unless set.
    #[must_use]
    pub fn kept(mut self, kept: Duration) -> Self {
        self.record.kept = kept;
        self
    }

    /// The hash of the request, with its scope.
    pub fn request_hash(&self) -> &str {
        &self.record.request_hash
    }

    /// Writes the response where there is none. If there is one, it is [`Error::Replay`] for the same
    /// request and [`Error::IdempotencyReused`] for another.
    pub fn answer(&self, status: u16, body: impl Into<String>) -> RuleOperation<K, Answer> {
        RuleOperation::new(self.record.answer(status, body.into()))
    }

    /// Reads the response that was given before, as status and body. It is [`Error::IdempotencyReused`]
    /// if another request has the key.
    pub fn answered(&self) -> RuleOperation<K, Answered> {
        RuleOperation::new(Answered { record: self.record.clone() })
    }
}

/// The row of one request.
#[derive(Clone, Debug)]
struct RequestRow {
    rule: RuleRow,
    /// The row for requests of another scope than the one that has the first.
    second: Option<RuleRow>,
    scope: String,
    key: String,
    request_hash: String,
    kept: Duration,
}

impl RequestRow {
    fn answer(&self, status: u16, body: String) -> Answer {
        Answer { record: self.clone(), status, body }
    }

    /// What the row says about this request.
    fn judge(&self, table: &TableMeta, row: Item) -> Error {
        match value::decode::<Stored>(table, &self.rule, row) {
            Ok(stored) if stored.hash == self.request_hash => {
                Error::Replay { status: stored.status, body: stored.body }
            }
            Ok(_) => Error::IdempotencyReused,
            Err(error) => error,
        }
    }

    /// The record in its second rule, if it has one.
    fn elsewhere(&self) -> Option<Self> {
        let rule = self.second.clone()?;
        Some(Self { rule, second: None, ..self.clone() })
    }

    /// The key of the row that decides in which rule the answer is kept; none if there is only one.
    fn deciding(&self, context: &Context) -> Result<Option<Item>> {
        self.second.as_ref().map(|_| self.rule.key_item(context)).transpose()
    }

    /// The record in the rule where its answer is kept, by what is in the first one.
    fn settled(&self, context: &Context, first: Option<&Item>) -> Result<Self> {
        let first = first.filter(|row| self.rule.is_present(context, row));
        match (self.elsewhere(), first) {
            (Some(elsewhere), Some(row)) if self.is_of_another(context, row)? => Ok(elsewhere),
            _ => Ok(self.clone()),
        }
    }

    /// Whether a row is the answer to a request of another scope.
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

/// Returns the idempotency key of a client without spaces around it.
///
/// # Errors
/// If it has not 1 to 128 visible ASCII characters.
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

/// Writes the answer to a request. Made by [`IdempotencyRecord::answer`].
#[derive(Clone, Debug)]
pub struct Answer {
    record: RequestRow,
    status: u16,
    body: String,
}

impl Answer {
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
            Some(row) => record.judge(table, *row),
            None => Error::Exists { entity: KIND },
        });
        Ok(rule.write(context, Action::Put(row), condition, failure))
    }
}

impl InTransaction for Answer {
    type Output = ();
}

impl Planned for Answer {
    fn label(&self) -> Label {
        Label::new("answer", self.record.rule.kind)
    }

    fn reads(&self, context: &Context) -> Result<Option<Item>> {
        self.record.deciding(context)
    }

    fn plan(&mut self, context: &Context, row: Option<Item>) -> Result<Plan> {
        let record = self.record.settled(context, row.as_ref())?;
        Ok(Plan::new(vec![Self { record, ..self.clone() }.planned(context)?]))
    }
}

/// Writes the answer that follows from what the operations before it do.
struct AnswerFrom<F> {
    record: RequestRow,
    make: F,
}

impl<F> Planned for AnswerFrom<F>
where
    F: Fn(&Outcome) -> (u16, String) + Send + 'static,
{
    fn label(&self) -> Label {
        Label::new("answer", self.record.rule.kind)
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
        let answer = self.record.settled(context, row.as_ref())?.answer(status, body);
        Ok(Plan::new(vec![answer.planned(context)?]))
    }
}

impl RunRule for Answer {
    type Output = Once<()>;

    /// For an answer without effect: a refusal that must stay the same.
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

/// Asks for the answer to a request. Made by [`IdempotencyRecord::answered`].
#[derive(Clone, Debug)]
pub struct Answered {
    record: RequestRow,
}

impl RunRule for Answered {
    type Output = Option<(u16, String)>;

    async fn run(self, context: &Context) -> Result<Option<(u16, String)>> {
        let record = self.record;
        // The second rule comes first: what is in the first one may have been another's and gone since.
        if let Some(elsewhere) = record.elsewhere()
            && let Some(row) = elsewhere.rule.read(context).await?
        {
            return replayed(elsewhere.judge(context.table, row)).map(Some);
        }
        match record.rule.read(context).await? {
            Some(row) if record.second.is_some() && record.is_of_another(context, &row)? => {
                Ok(None)
            }
            Some(row) => replayed(record.judge(context.table, row)).map(Some),
            None => Ok(None),
        }
    }
}

/// The answer that a row tells.
fn replayed(judged: Error) -> Result<(u16, String)> {
    match judged {
        Error::Replay { status, body } => Ok((status, body)),
        error => Err(error),
    }
}

/// What came of a request that has its effect once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Once<R> {
    /// It had its effect now.
    Fresh(R),
    /// It had its effect before, and was answered like this.
    Replay {
        /// The status of the answer.
        status: u16,
        /// Its body.
        body: String,
    },
}

impl<T: Table> Store<T> {
    /// Runs a transaction with the record of its request, unless the request was answered before. The
    /// answer, a status and a body, is made of what the operations do; like them it may be made and
    /// not be used.
    ///
    /// # Errors
    /// [`Error::IdempotencyReused`] if another request has the key, and whatever the transaction fails
    /// with; then nothing is recorded.
    pub async fn once<K: IdempotencyKey>(
        &self,
        record: &IdempotencyRecord<K>,
        mut transaction: Transact<T>,
        answer: impl Fn(&Outcome) -> (u16, String) + Send + 'static,
    ) -> Result<Once<Outcome>>
    where
        T: HoldsRule<K>,
    {
        let recorded = AnswerFrom { record: record.record.clone(), make: answer };
        transaction.push(Box::new(recorded));
        match transaction.commit().await {
            Ok(done) => Ok(Once::Fresh(done)),
            // Whatever it failed on may be the effect of the same request before.
            Err(error) => match self.run(record.answered()).await {
                Ok(Some((status, body))) => Ok(Once::Replay { status, body }),
                Err(reused @ Error::IdempotencyReused) => Err(reused),
                Ok(None) | Err(_) => Err(error),
            },
        }
    }
}
