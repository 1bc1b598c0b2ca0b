//! Values under keys of the caller's choice, with versions: a key-value store in any table.
//!
//! A record is what an entity is where the program knows its keys only while it runs. What a row has
//! besides value and version survives every change: its expiry, its `meta`, attributes of others.

mod delete;
mod query;
mod read;
mod stored;
mod write;

pub use delete::DeleteRecord;
pub use query::{RecordEntry, RecordPage, Records};
pub use read::{ReadRecord, ReadRecords};
pub use stored::Stored;
pub use write::{CreateRecord, WriteRecord, Written};

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use serde::Serialize;

use self::write::Expected;
use super::key::RowKey;
use super::layout::Layout;
use super::place::Place;

/// What the rule is called.
const KIND: &str = "record";

/// A value of type `T` under a key. It is kept as the table keeps its values: in a table of value rows as
/// JSON text, compressed when it is long, or as a number.
///
/// ```
/// use monotable_model::rows::Record;
/// use serde_json::{Value, json};
///
/// let theme = Record::<Value>::new("settings#u1", "theme");
/// let create = theme.create(json!({ "tone": "dark" })); // db.run(create).await?.version is 1
/// let read = theme.read(); // db.run(read).await? is Some(stored), with value, version and expiry
/// let replace = theme.replace(Some(1), json!({ "tone": "comedy" }));
/// let put = theme.put(json!({ "tone": "classic" })); // whatever was there
/// let delete = theme.delete().version(Some(3));
/// ```
pub struct Record<T> {
    place: Place,
    former: Option<&'static str>,
    types: PhantomData<fn() -> T>,
}

impl<T> fmt::Debug for Record<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Record").field("place", &self.place).finish_non_exhaustive()
    }
}

impl<T> Clone for Record<T> {
    fn clone(&self) -> Self {
        Self { place: self.place.clone(), former: self.former, types: PhantomData }
    }
}

impl<T> Record<T> {
    /// The record under this partition and sort key.
    pub fn new(partition: impl Into<String>, sort: impl Into<String>) -> Self {
        Self::at(RowKey::new(partition, sort))
    }

    /// The record under this key.
    pub fn at(key: RowKey) -> Self {
        Self { place: Place::new(KIND, key), former: None, types: PhantomData }
    }

    /// Names the row's attributes.
    #[must_use]
    pub fn layout(mut self, layout: Layout) -> Self {
        self.place.layout = layout;
        self
    }

    /// Reads also rows that have no value but this attribute, as an attribute value of its own: an older
    /// program wrote them. The next write moves it.
    #[must_use]
    pub fn formerly(mut self, attribute: &'static str) -> Self {
        self.former = Some(attribute);
        self
    }

    /// The record as it is now.
    pub fn read(&self) -> ReadRecord<T> {
        ReadRecord { record: self.clone() }
    }

    /// Removes the record, whatever it is, unless [`version`](DeleteRecord::version) or
    /// [`value`](DeleteRecord::value) says what it must be.
    pub fn delete(&self) -> DeleteRecord {
        DeleteRecord::new(self.place.clone())
    }
}

impl<T: Serialize + Send + Sync + 'static> Record<T> {
    /// Writes the record where there is none, or one that has expired, with version 1. It is
    /// [`Error::Exists`](crate::Error::Exists) if there is one.
    pub fn create(&self, value: T) -> CreateRecord<T> {
        CreateRecord::new(self.place.clone(), value)
    }

    /// Writes another value over the version that was seen; `None` is the row of a program that wrote no
    /// versions. It is [`Error::VersionConflict`](crate::Error::VersionConflict) if there is another
    /// version, and [`Error::NotFound`](crate::Error::NotFound) if there is none. Expiry and `meta` stay.
    pub fn replace(&self, seen: Option<u64>, value: T) -> WriteRecord<T> {
        WriteRecord::new(self.clone(), Expected::Version(seen), Arc::new(value))
    }

    /// Writes the value over whatever is there, with the next version. Expiry and `meta` of a record that
    /// has not expired stay.
    pub fn put(&self, value: T) -> WriteRecord<T> {
        WriteRecord::new(self.clone(), Expected::Anything, Arc::new(value))
    }
}
