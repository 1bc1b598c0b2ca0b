//! Idempotency records: what a request was answered, written together with its effect.

use std::time::Duration;

use monotable_design::meta::TableMeta;
use monotable_types::Item;
use serde::{Deserialize, Serialize};

use super::key::RowKey;
use super::layout::Layout;
use super::place::{Place, insert_expiry};
use super::run::Run;
use super::value;
use crate::backend::request::Action;
use crate::context::Context;
use crate::error::{Error, Result};
use crate::key::{IDENTIFIER_CHARACTERS_MAX, KeyError};
use crate::store::Store;
use crate::table::Table;
use crate::time::Timestamp;
use crate::write::{self, Operation, Plan, PlannedWrite, Receipt, Transact};

/// How long an answer is kept unless told otherwise.
const KEPT: Duration = Duration::from_secs(24 * 60 * 60);
/// What the rule is called.
const KIND: &str = "idempotency";

/// One request that must have its effect once, however often it comes.
///
/// The answer is written in the transaction of the effect, so that of two requests at once one has the
/// effect and the other gets the answer.
///
/// ```
/// use monotable_model::rows::{IdempotencyRecord, request_hash};
///
/// let scope = "u1 POST /matches/m1/join";
/// let hash = request_hash(scope, &serde_json::json!({ "name": "Ada" }))?;
/// let record = IdempotencyRecord::new("idem#m1", "key-from-the-header", scope, hash)?;
/// // let join = db.transact().create(&tribute);
/// // match db.once(&record, join, |receipt| (201, shown(receipt.get(0)))).await? {
/// //     Once::Fresh(receipt) => …,
/// //     Once::Replay { status, body } => …, // with the header `Idempotent-Replay: true`
/// // }
/// # let _ = record;
/// # Ok::<(), monotable_model::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct IdempotencyRecord {
    place: Place,
    beside: Option<RowKey>,
    scope: String,
    key: String,
    request_hash: String,
    kept: Duration,
}

impl IdempotencyRecord {
    /// A record under this partition key, whose sort key is the idempotency key without spaces around
    /// it. The hash is that of [`request_hash`](super::request_hash).
    ///
    /// # Errors
    /// If the key has not 1 to 128 visible ASCII characters.
    pub fn new(
        partition: impl Into<String>,
        key: &str,
        scope: impl Into<String>,
        request_hash: impl Into<String>,
    ) -> Result<Self> {
        let key = checked(key).map_err(|error| Error::Key { entity: KIND, error })?;
        Ok(Self {
            place: Place::new(KIND, RowKey::new(partition, key)),
            beside: None,
            scope: scope.into(),
            key: key.to_owned(),
            request_hash: request_hash.into(),
            kept: KEPT,
        })
    }

    /// Puts the record under another key.
    #[must_use]
    pub fn at(mut self, key: RowKey) -> Self {
        self.place.key = key;
        self
    }

    /// Keeps the answer under this key where a request of another scope has one under the first: so
    /// that those who share a partition do not meet in each other's keys. The key must tell the scope.
    #[must_use]
    pub fn beside(mut self, key: RowKey) -> Self {
        self.beside = Some(key);
        self
    }

    /// Names the row's attributes.
    #[must_use]
    pub fn layout(mut self, layout: Layout) -> Self {
        self.place.layout = layout;
        self
    }

    /// Keeps the answer for so long; 24 hours unless set.
    #[must_use]
    pub fn kept(mut self, kept: Duration) -> Self {
        self.kept = kept;
        self
    }

    /// Writes the answer where there is none. If there is one, it is [`Error::Replay`] for the same
    /// request and [`Error::IdempotencyReused`] for another.
    pub fn answer(&self, status: u16, body: impl Into<String>) -> Answer {
        Answer { record: self.clone(), status, body: body.into() }
    }

    /// The answer that was given before, as status and body. It is [`Error::IdempotencyReused`] if
    /// another request has the key.
    pub fn answered(&self) -> Answered {
        Answered { record: self.clone() }
    }

    /// What the row says about this request.
    fn judge(&self, table: &TableMeta, row: Item) -> Error {
        match value::decode::<Stored>(table, &self.place, row) {
            Ok(stored) if stored.hash == self.request_hash => {
                Error::Replay { status: stored.status, body: stored.body }
            }
            Ok(_) => Error::IdempotencyReused,
            Err(error) => error,
        }
    }

    /// The record in its second place, if it has one.
    fn elsewhere(&self) -> Option<Self> {
        let key = self.beside.clone()?;
        let place = Place { key, ..self.place.clone() };
        Some(Self { place, beside: None, ..self.clone() })
    }

    /// The key of the row that decides in which place the answer is kept; none if there is only one.
    fn deciding(&self, context: &Context) -> Result<Option<Item>> {
        self.beside.as_ref().map(|_| self.place.key_item(context)).transpose()
    }

    /// The record in the place where its answer is kept, by what is in the first one.
    fn settled(&self, context: &Context, first: Option<&Item>) -> Result<Self> {
        let first = first.filter(|row| self.place.is_present(context, row));
        match (self.elsewhere(), first) {
            (Some(elsewhere), Some(row)) if self.is_of_another(context, row)? => Ok(elsewhere),
            _ => Ok(self.clone()),
        }
    }

    /// Whether a row is the answer to a request of another scope.
    fn is_of_another(&self, context: &Context, row: &Item) -> Result<bool> {
        let stored: Stored = value::decode(context.table, &self.place, row.clone())?;
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

/// The key without spaces around it, if it is one.
fn checked(key: &str) -> Result<&str, KeyError> {
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
    record: IdempotencyRecord,
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
        let mut row = record.place.row(context)?;
        row.extend(value::encode(context.table, &record.place, &stored)?);
        let ends_at = context.now_seconds() + record.kept;
        insert_expiry(&mut row, record.place.expiry(context), Some(ends_at));
        let condition = record.place.absent(context);
        let place = record.place.clone();
        let table = context.table;
        let failure = Box::new(move |row: Option<Box<Item>>| match row {
            Some(row) => record.judge(table, *row),
            None => Error::Exists { entity: KIND },
        });
        Ok(place.write(context, Action::Put(row), condition, failure))
    }
}

impl Operation for Answer {
    fn label(&self) -> String {
        format!("answer {}", self.record.place.name())
    }

    fn reads(&self, context: &Context) -> Result<Option<Item>> {
        self.record.deciding(context)
    }

    fn plan(&self, context: &Context, row: Option<Item>) -> Result<Plan> {
        let record = self.record.settled(context, row.as_ref())?;
        Ok(Plan::new(vec![Self { record, ..self.clone() }.planned(context)?]))
    }
}

/// Writes the answer that follows from what the operations before it do.
struct AnswerFrom<F> {
    record: IdempotencyRecord,
    make: F,
}

impl<F> Operation for AnswerFrom<F>
where
    F: Fn(&Receipt) -> (u16, String) + Send + 'static,
{
    fn label(&self) -> String {
        format!("answer {}", self.record.place.name())
    }

    fn reads(&self, context: &Context) -> Result<Option<Item>> {
        self.record.deciding(context)
    }

    fn plan(&self, context: &Context, row: Option<Item>) -> Result<Plan> {
        self.plan_behind(context, row, &Receipt::default())
    }

    fn plan_behind(&self, context: &Context, row: Option<Item>, before: &Receipt) -> Result<Plan> {
        let (status, body) = (self.make)(before);
        let answer = self.record.settled(context, row.as_ref())?.answer(status, body);
        Ok(Plan::new(vec![answer.planned(context)?]))
    }
}

impl Run for Answer {
    type Output = Once<()>;

    /// For an answer without effect: a refusal that must stay the same.
    async fn run(mut self, context: &Context) -> Result<Once<()>> {
        if self.record.beside.is_some() {
            let first = self.record.place.read(context).await?;
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
    record: IdempotencyRecord,
}

impl Run for Answered {
    type Output = Option<(u16, String)>;

    async fn run(self, context: &Context) -> Result<Option<(u16, String)>> {
        let record = self.record;
        // The second place comes first: what is in the first one may have been another's and gone since.
        if let Some(elsewhere) = record.elsewhere()
            && let Some(row) = elsewhere.place.read(context).await?
        {
            return told(elsewhere.judge(context.table, row)).map(Some);
        }
        match record.place.read(context).await? {
            Some(row) if record.beside.is_some() && record.is_of_another(context, &row)? => {
                Ok(None)
            }
            Some(row) => told(record.judge(context.table, row)).map(Some),
            None => Ok(None),
        }
    }
}

/// The answer that a row tells.
fn told(judged: Error) -> Result<(u16, String)> {
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
    pub async fn once(
        &self,
        record: &IdempotencyRecord,
        transaction: Transact<T>,
        answer: impl Fn(&Receipt) -> (u16, String) + Send + 'static,
    ) -> Result<Once<Receipt>> {
        let recorded = AnswerFrom { record: record.clone(), make: answer };
        match transaction.add(recorded).await {
            Ok(receipt) => Ok(Once::Fresh(receipt)),
            // Whatever it failed on may be the effect of the same request before.
            Err(error) => match self.run(record.answered()).await {
                Ok(Some((status, body))) => Ok(Once::Replay { status, body }),
                Err(reused @ Error::IdempotencyReused) => Err(reused),
                Ok(None) | Err(_) => Err(error),
            },
        }
    }
}
