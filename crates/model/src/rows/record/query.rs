//! The records of a partition, page by page.

use std::marker::PhantomData;
use std::sync::Arc;

use monotable_expression::{KeyCondition, key};
use monotable_types::{AttributeValue, Item};
use serde::de::DeserializeOwned;

use super::{ReadRecords, Record, Stored};
use crate::backend::request::Query;
use crate::context::Context;
use crate::error::{Error, Result};
use crate::rows::key::RowKey;
use crate::rows::layout::Layout;
use crate::rows::run::Run;

/// Records of a page unless [`Records::limit`] says otherwise.
const LIMIT_DEFAULT: u32 = 50;
/// Pages of the backend that one page is made of at most: expired rows do not keep a reader forever.
const BACKEND_PAGES_MAX: u32 = 20;

/// The records of a partition with sort keys in a range, in their order.
///
/// ```
/// use monotable_model::rows::{Record, Records};
/// use serde_json::Value;
///
/// // db.run(page).await? has the entries, and where the next page starts
/// let page = Records::<Value>::of_partition("match#m1").prefix("summary#").limit(20);
/// let events = Records::<Value>::of_partition("match#m1").between("log#000001", "log#999999");
/// let several = Records::of(vec![Record::<Value>::new("match#m1", "state"), Record::new("match#m2", "state")]);
/// ```
#[derive(Clone, Debug)]
pub struct Records<T> {
    partition: String,
    range: Range,
    after: Option<String>,
    limit: u32,
    consistent: bool,
    unreadable: Unreadable,
    layout: Layout,
    former: Option<&'static str>,
    types: PhantomData<fn() -> T>,
}

#[derive(Clone, Debug)]
enum Range {
    All,
    Prefix(String),
    Between(String, String),
}

#[derive(Clone, Copy, Debug)]
enum Unreadable {
    Error,
    LeftOut,
}

/// A page of records.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordPage<T> {
    /// The records in the order of their sort keys.
    pub entries: Vec<RecordEntry<T>>,
    /// The sort key to read on after, if there are more.
    pub next: Option<String>,
    /// Why rows were left out that can't be read, where
    /// [`skip_unreadable`](Records::skip_unreadable) asks for that.
    pub unreadable: Vec<Error>,
}

/// A record of a page.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordEntry<T> {
    /// Its sort key.
    pub sort: String,
    /// The record.
    pub stored: Stored<T>,
}

impl<T> Records<T> {
    /// All records of a partition.
    pub fn of_partition(partition: impl Into<String>) -> Self {
        Self {
            partition: partition.into(),
            range: Range::All,
            after: None,
            limit: LIMIT_DEFAULT,
            consistent: false,
            unreadable: Unreadable::Error,
            layout: Layout::default(),
            former: None,
            types: PhantomData,
        }
    }

    /// Records by their keys, as many as there are: one entry a record in the same order, `None` where
    /// there is none. A record may be asked for twice.
    pub fn of(records: Vec<Record<T>>) -> ReadRecords<T> {
        ReadRecords::new(records)
    }

    /// Only records whose sort key starts so.
    #[must_use]
    pub fn prefix(mut self, prefix: impl Into<String>) -> Self {
        self.range = Range::Prefix(prefix.into());
        self
    }

    /// Only records with sort keys from the first to the last, both included.
    #[must_use]
    pub fn between(mut self, first: impl Into<String>, last: impl Into<String>) -> Self {
        self.range = Range::Between(first.into(), last.into());
        self
    }

    /// Goes on behind a page, with its [`next`](RecordPage::next).
    #[must_use]
    pub fn after(mut self, sort: impl Into<String>) -> Self {
        self.after = Some(sort.into());
        self
    }

    /// Sets how many records a page has: 50 unless set. Only the end of the records makes it shorter, or
    /// very many rows that have expired.
    #[must_use]
    pub fn limit(mut self, records: u32) -> Self {
        self.limit = records.max(1);
        self
    }

    /// Sees every write acknowledged before.
    #[must_use]
    pub fn consistent(mut self) -> Self {
        self.consistent = true;
        self
    }

    /// Leaves rows out that can't be read; otherwise one such row fails all of the page.
    #[must_use]
    pub fn skip_unreadable(mut self) -> Self {
        self.unreadable = Unreadable::LeftOut;
        self
    }

    /// Names the attributes of the rows.
    #[must_use]
    pub fn layout(mut self, layout: Layout) -> Self {
        self.layout = layout;
        self
    }

    /// Reads also rows of an older program, as [`Record::formerly`] does.
    #[must_use]
    pub fn formerly(mut self, attribute: &'static str) -> Self {
        self.former = Some(attribute);
        self
    }

    fn record(&self, sort: &str) -> Record<T> {
        let record = Record::at(RowKey::new(&self.partition, sort)).layout(self.layout);
        Record { former: self.former, ..record }
    }

    fn contains(&self, sort: &str) -> bool {
        match &self.range {
            Range::All => true,
            Range::Prefix(prefix) => sort.starts_with(prefix),
            Range::Between(first, last) => (first.as_str()..=last.as_str()).contains(&sort),
        }
    }

    /// The keys of the range; `None` if there can't be any.
    fn keys(&self, partition_key: &str, sort_key: &str) -> Option<KeyCondition> {
        let partition = key(partition_key).eq(self.partition.as_str());
        Some(match &self.range {
            Range::Between(first, last) if first > last => return None,
            Range::Between(first, last) => {
                partition.and(key(sort_key).between(first.as_str(), last.as_str()))
            }
            Range::Prefix(prefix) if !prefix.is_empty() => {
                partition.and(key(sort_key).begins_with(prefix.as_str()))
            }
            Range::All | Range::Prefix(_) => partition,
        })
    }
}

impl<T: DeserializeOwned + Send> Run for Records<T> {
    type Output = RecordPage<T>;

    async fn run(self, context: &Context) -> Result<RecordPage<T>> {
        let table = context.table;
        let Some(sort_key) = table.sort_key else {
            return Err(Error::Settings("a page of records needs a table with a sort key".into()));
        };
        if self.after.as_deref().is_some_and(|after| !self.contains(after)) {
            return Err(Error::InvalidCursor);
        }
        let mut page = RecordPage { entries: Vec::new(), next: None, unreadable: Vec::new() };
        let Some(keys) = self.keys(table.partition_key, sort_key) else { return Ok(page) };
        let start = |sort: String| context.key_item(self.partition.clone(), Some(sort));
        let mut start_key = self.after.clone().map(start);
        let limit = self.limit as usize;
        for _ in 0..BACKEND_PAGES_MAX {
            // One more than is told, to know whether there is one.
            let missing = limit.saturating_add(1) - page.entries.len();
            let answer = context.backend.query(Query {
                table: Arc::clone(&context.table_name),
                index: None,
                key_condition: keys.clone(),
                filter: None,
                forward: true,
                consistent: self.consistent,
                limit: u32::try_from(missing).ok(),
                start_key: start_key.take(),
            });
            let answer = answer.await?;
            for row in answer.rows {
                self.add(context, &mut page, sort_key, row.into_item()?)?;
            }
            if page.entries.len() > limit {
                page.entries.truncate(limit);
                page.next = page.entries.last().map(|entry| entry.sort.clone());
                return Ok(page);
            }
            start_key = answer.last_key;
            if start_key.is_none() {
                return Ok(page);
            }
        }
        page.next = start_key.as_ref().and_then(|last| sort_of(last, sort_key));
        Ok(page)
    }
}

impl<T: DeserializeOwned + Send> Records<T> {
    /// Adds the record of a row, unless it has expired.
    fn add(
        &self,
        context: &Context,
        page: &mut RecordPage<T>,
        sort_key: &str,
        row: Item,
    ) -> Result<()> {
        let Some(sort) = sort_of(&row, sort_key) else { return Ok(()) };
        let record = self.record(&sort);
        if !record.place.is_present(context, &row) {
            return Ok(());
        }
        match (record.decode(context, row), self.unreadable) {
            (Ok(stored), _) => page.entries.push(RecordEntry { sort, stored }),
            (Err(error), Unreadable::LeftOut) => page.unreadable.push(error),
            (Err(error), Unreadable::Error) => return Err(error),
        }
        Ok(())
    }
}

fn sort_of(row: &Item, sort_key: &str) -> Option<String> {
    row.get(sort_key).and_then(AttributeValue::as_s).map(str::to_owned)
}
