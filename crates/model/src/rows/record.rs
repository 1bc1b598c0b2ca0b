//! Values with versions: a key-value store in any table.
//!
//! A record is the equivalent of an entity for a program that knows only at run time which values
//! there are. Other attributes of its row are kept by every change: its expiry, its `meta`,
//! attributes of other programs.

mod delete;
mod query;
mod read;
mod stored;
mod write;

pub use delete::DeleteRecord;
pub use query::{RecordEntry, RecordPage, Records, UnreadableRecord, records};
pub use read::{ReadRecord, ReadRecords};
pub use stored::Stored;
pub use write::{CreateRecord, WriteRecord, Written};

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use monotable_design::meta::RuleKind;
use serde::Serialize;

use self::write::Expected;
use super::key::RuleKey;
use super::operation::RuleOperation;
use super::row::RuleRow;

/// The name of the rule.
const KIND: &str = "record";

/// The key of records: `#[rule(Record, …)]`. The derive also adds `records(…)` to the struct, which reads a
/// partition and takes the fields of the partition key.
pub trait RecordKey: RuleKey {
    /// Returns the record with this key.
    fn record<T>(self) -> Record<Self, T> {
        let row = RecordRow { rule: RuleRow::of(RuleKind::Record, &self), types: PhantomData };
        Record { row, key: PhantomData }
    }
}

/// A value of type `T` under a key. It is stored in the table's codec: in a table of value rows as
/// JSON text, compressed when it is long, or as a number.
///
/// ```
/// # extern crate monotable_model as monotable;
/// use monotable_model::RuleKey;
/// use monotable_model::rows::RecordKey as _;
/// use serde_json::{Value, json};
///
/// #[derive(RuleKey, Clone, Debug)]
/// #[rule(Record, pk = "settings#{user_id}", sk = "setting#{name}")]
/// pub struct Setting {
///     pub user_id: String,
///     pub name: String,
/// }
///
/// let theme = Setting { user_id: "u1".to_owned(), name: "theme".to_owned() }.record::<Value>();
/// let create = theme.create(json!({ "tone": "dark" })); // db.run(create).await?.version is 1
/// let read = theme.read(); // db.run(read).await? is Some(stored), with value, version and expiry
/// let replace = theme.replace(Some(1), json!({ "tone": "comedy" }));
/// let put = theme.put(json!({ "tone": "classic" })); // whatever was there
/// let delete = theme.delete().version(Some(3));
/// // All settings of a user, page by page.
/// let settings = Setting::records::<Value>(&"u1".to_owned()).prefix("setting#").limit(20);
/// ```
///
/// A key with `formerly = value` also reads rows of older programs, which have the value in this
/// attribute as a native attribute value. The next write converts them.
pub struct Record<K, T> {
    row: RecordRow<T>,
    key: PhantomData<fn() -> K>,
}

impl<K, T> fmt::Debug for Record<K, T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.row.fmt(formatter)
    }
}

impl<K, T> Clone for Record<K, T> {
    fn clone(&self) -> Self {
        Self { row: self.row.clone(), key: PhantomData }
    }
}

/// The row of a record.
struct RecordRow<T> {
    rule: RuleRow,
    types: PhantomData<fn() -> T>,
}

impl<T> fmt::Debug for RecordRow<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Record").field("rule", &self.rule).finish_non_exhaustive()
    }
}

impl<T> Clone for RecordRow<T> {
    fn clone(&self) -> Self {
        Self { rule: self.rule.clone(), types: PhantomData }
    }
}

impl<K: RecordKey, T> Record<K, T> {
    /// Returns the record as it is stored.
    pub fn read(&self) -> RuleOperation<K, ReadRecord<T>> {
        RuleOperation::new(ReadRecord { record: self.row.clone() })
    }

    /// Reads any number of records: one entry per record in the same order, `None` for a missing
    /// one. A record may be listed twice.
    pub fn read_many(records: Vec<Self>) -> RuleOperation<K, ReadRecords<T>> {
        let rows = records.into_iter().map(|record| record.row).collect();
        RuleOperation::new(ReadRecords::new(rows))
    }

    /// Removes the record, whatever its value, unless [`version`](RuleOperation::version) or
    /// [`value`](RuleOperation::value) sets a condition.
    pub fn delete(&self) -> RuleOperation<K, DeleteRecord> {
        RuleOperation::new(DeleteRecord::new(self.row.rule.clone()))
    }
}

impl<K: RecordKey, T: Serialize + Send + Sync + 'static> Record<K, T> {
    /// Writes the record with version 1 if it does not exist or has expired. It fails with
    /// [`Error::Exists`](crate::Error::Exists) if it exists.
    pub fn create(&self, value: T) -> RuleOperation<K, CreateRecord<T>> {
        RuleOperation::new(CreateRecord::new(self.row.rule.clone(), value))
    }

    /// Replaces the value if the record still has the version that was read; `None` stands for a
    /// row without a version. It fails with
    /// [`Error::VersionConflict`](crate::Error::VersionConflict) for another version, and with
    /// [`Error::NotFound`](crate::Error::NotFound) if there is no record. Expiry and `meta` are
    /// kept.
    pub fn replace(&self, seen: Option<u64>, value: T) -> RuleOperation<K, WriteRecord<T>> {
        RuleOperation::new(WriteRecord::new(
            self.row.clone(),
            Expected::Version(seen),
            Arc::new(value),
        ))
    }

    /// Writes the value, whether or not the record exists, with the next version. Expiry and `meta`
    /// of a record that has not expired are kept.
    pub fn put(&self, value: T) -> RuleOperation<K, WriteRecord<T>> {
        RuleOperation::new(WriteRecord::new(self.row.clone(), Expected::Anything, Arc::new(value)))
    }
}
