//! The records of a partition, page by page.

use std::marker::PhantomData;
use std::sync::Arc;

use monotable_design::meta::RuleMeta;
use monotable_expression::{KeyCondition, key};
use monotable_types::{AttributeValue, Item};
use serde::de::DeserializeOwned;

use super::{KIND, RecordKey, RecordRow, Stored, stored};
use crate::backend::request::Query;
use crate::context::Context;
use crate::error::{Error, Result};
use crate::key::{KeyError, PartText, render};
use crate::rows::key::RowKey;
use crate::rows::operation::RuleOperation;
use crate::rows::row::RuleRow;
use crate::rows::run::RunRule;

/// The records of a page unless [`limit`](RuleOperation::limit) sets another number.
const LIMIT_DEFAULT: u32 = 50;
/// The most backend pages for one page, so that many expired rows cannot delay a reader without
/// end.
const BACKEND_PAGES_MAX: u32 = 20;

/// The records of a partition with sort keys in a range, in their order. Made by `records(…)` of a
/// [`RecordKey`].
#[derive(Clone, Debug)]
pub struct Records<T> {
    rule: &'static RuleMeta,
    partition: std::result::Result<String, KeyError>,
    range: Range,
    after: Option<String>,
    limit: u32,
    consistent: bool,
    unreadable: Unreadable,
    types: PhantomData<fn() -> T>,
}

/// Returns the records of the partition with these values at the positions of the key's fields.
pub fn records<K: RecordKey, T>(parts: &[&dyn PartText]) -> RuleOperation<K, Records<T>> {
    let partition = match render(&K::META.row.key.partition, &parts, None) {
        Ok(partition) => partition.ok_or(KeyError::Empty),
        Err(error) => Err(error),
    };
    RuleOperation::new(Records {
        rule: K::META,
        partition,
        range: Range::All,
        after: None,
        limit: LIMIT_DEFAULT,
        consistent: false,
        unreadable: Unreadable::Error,
        types: PhantomData,
    })
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
    /// The sort key to continue after, if there are more.
    pub next: Option<String>,
    /// Rows that were skipped because they cannot be decoded, if
    /// [`skip_unreadable`](RuleOperation::skip_unreadable) was called.
    pub unreadable: Vec<UnreadableRecord>,
}

/// A row whose value cannot be decoded.
#[derive(Clone, Debug, PartialEq)]
pub struct UnreadableRecord {
    /// Its sort key.
    pub sort: String,
    /// Its version, with which it can be replaced; `None` if the row has none, or an invalid one.
    pub version: Option<u64>,
    /// The error of decoding the value.
    pub error: Error,
}

/// A record of a page.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordEntry<T> {
    /// Its sort key.
    pub sort: String,
    /// The record.
    pub stored: Stored<T>,
}

impl<K: RecordKey, T> RuleOperation<K, Records<T>> {
    /// Reads only records whose sort key begins with the prefix.
    pub fn prefix(mut self, prefix: impl Into<String>) -> Self {
        self.operation.range = Range::Prefix(prefix.into());
        self
    }

    /// Reads only records with sort keys from the first to the last, both included.
    pub fn between(mut self, first: impl Into<String>, last: impl Into<String>) -> Self {
        self.operation.range = Range::Between(first.into(), last.into());
        self
    }

    /// Continues after a page, with its [`next`](RecordPage::next).
    pub fn after(mut self, sort: impl Into<String>) -> Self {
        self.operation.after = Some(sort.into());
        self
    }

    /// Sets how many records a page has; 50 by default. A page is shorter only at the end of the
    /// records, or if very many rows have expired.
    pub fn limit(mut self, records: u32) -> Self {
        self.operation.limit = records.max(1);
        self
    }

    /// Reads all acknowledged writes.
    pub fn consistent(mut self) -> Self {
        self.operation.consistent = true;
        self
    }

    /// Skips rows that cannot be decoded. Without this, one such row fails the whole page.
    pub fn skip_unreadable(mut self) -> Self {
        self.operation.unreadable = Unreadable::LeftOut;
        self
    }
}

impl<T> Records<T> {
    fn record(&self, partition: &str, sort: &str) -> RecordRow<T> {
        let key = RowKey { partition: partition.to_owned(), sort: Some(sort.to_owned()) };
        RecordRow { rule: RuleRow::at(KIND, self.rule, key), types: PhantomData }
    }

    fn contains(&self, sort: &str) -> bool {
        match &self.range {
            Range::All => true,
            Range::Prefix(prefix) => sort.starts_with(prefix),
            Range::Between(first, last) => (first.as_str()..=last.as_str()).contains(&sort),
        }
    }

    /// Returns the keys of the range; `None` if it is empty.
    fn keys(
        &self,
        (partition_key, partition): (&str, &str),
        sort_key: &str,
    ) -> Option<KeyCondition> {
        let partition = key(partition_key).eq(partition);
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

impl<T: DeserializeOwned + Send> RunRule for Records<T> {
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
        let partition =
            self.partition.clone().map_err(|error| Error::Key { entity: KIND, error })?;
        let Some(keys) = self.keys((table.partition_key, &partition), sort_key) else {
            return Ok(page);
        };
        let start = |sort: String| context.key_item(partition.clone(), Some(sort));
        let mut start_key = self.after.clone().map(start);
        let limit = self.limit as usize;
        for _ in 0..BACKEND_PAGES_MAX {
            // Reads one more than it returns, to know whether there are more.
            let missing = limit.saturating_add(1) - page.entries.len();
            let response = context.query(Query {
                table: Arc::clone(&context.table_name),
                index: None,
                key_condition: keys.clone(),
                filter: None,
                forward: true,
                consistent: self.consistent,
                limit: u32::try_from(missing).ok(),
                start_key: start_key.take(),
            });
            let response = response.await?;
            for row in response.rows {
                self.add(context, &mut page, (&partition, sort_key), row.into_item()?)?;
            }
            if page.entries.len() > limit {
                page.entries.truncate(limit);
                page.next = page.entries.last().map(|entry| entry.sort.clone());
                // Later ones belong to the next page.
                page.unreadable.retain(|row| Some(&row.sort) <= page.next.as_ref());
                return Ok(page);
            }
            start_key = response.last_key;
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
        (partition, sort_key): (&str, &str),
        row: Item,
    ) -> Result<()> {
        let Some(sort) = sort_of(&row, sort_key) else { return Ok(()) };
        let record = self.record(partition, &sort);
        if !record.rule.is_present(context, &row) {
            return Ok(());
        }
        let version = stored::version(&record.rule, &row).unwrap_or(None);
        match (record.decode(context, row), self.unreadable) {
            (Ok(stored), _) => page.entries.push(RecordEntry { sort, stored }),
            (Err(error), Unreadable::LeftOut) => {
                page.unreadable.push(UnreadableRecord { sort, version, error });
            }
            (Err(error), Unreadable::Error) => return Err(error),
        }
        Ok(())
    }
}

fn sort_of(row: &Item, sort_key: &str) -> Option<String> {
    row.get(sort_key).and_then(AttributeValue::as_s).map(str::to_owned)
}
