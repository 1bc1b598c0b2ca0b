//! Reading: the snapshot, and pages of events that end where the log ends.

use std::sync::Arc;

use monotable_expression::key;
use monotable_types::{AttributeValue, Item};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Log, Snapshot};
use crate::backend::request::Query;
use crate::context::Context;
use crate::error::{Error, Result};
use crate::rows::run::Run;
use crate::rows::value;

/// Reads the snapshot of a log. Made by [`Log::snapshot`].
#[derive(Debug)]
pub struct ReadSnapshot<E, S>(pub(super) Log<E, S>);

impl<E, S> Run for ReadSnapshot<E, S>
where
    E: Serialize + DeserializeOwned + Send + 'static,
    S: Serialize + DeserializeOwned + Send + 'static,
{
    type Output = Snapshot<S>;

    async fn run(self, context: &Context) -> Result<Snapshot<S>> {
        let place = self.0.snapshot_place();
        let Some(row) = place.read(context).await? else { return Ok(Snapshot::first()) };
        // Rows that were written without versions count as version 0.
        let version = match row.contains_key(place.layout.version) {
            true => place.count(&row, place.layout.version)?,
            false => 0,
        };
        Ok(Snapshot {
            version,
            sequence: place.count(&row, place.layout.sequence)?,
            state: Some(value::decode(context.table, &place, row.clone())?),
            row: Some(row),
        })
    }
}

/// Reads events of a log. Made by [`Log::read`].
#[derive(Debug)]
pub struct ReadLog<E, S> {
    pub(super) log: Log<E, S>,
    pub(super) after: u64,
    pub(super) limit: u32,
}

/// A page of events.
#[derive(Clone, Debug, PartialEq)]
pub struct LogPage<E> {
    /// The events in order.
    pub entries: Vec<LogEntry<E>>,
    /// The number to read on after, if there are more.
    pub next: Option<u64>,
}

/// One event.
#[derive(Clone, Debug, PartialEq)]
pub struct LogEntry<E> {
    /// Its number, from 1.
    pub sequence: u64,
    /// The event.
    pub event: E,
}

impl<E, S> Run for ReadLog<E, S>
where
    E: Serialize + DeserializeOwned + Send + 'static,
    S: Serialize + DeserializeOwned + Send + 'static,
{
    type Output = LogPage<E>;

    async fn run(self, context: &Context) -> Result<LogPage<E>> {
        let mut page = LogPage { entries: Vec::new(), next: None };
        let last = self.log.template.last();
        if self.after >= last || self.limit == 0 {
            return Ok(page);
        }
        let key_error = |error| Error::Key { entity: "log", error };
        let first_key = self.log.template.render(self.after + 1).map_err(key_error)?;
        let last_key = self.log.template.render(last).map_err(key_error)?;
        let mut start_key = None;
        loop {
            // One more than is told, to know whether there is one.
            let missing = (self.limit as usize).saturating_add(1) - page.entries.len();
            let query = self.query(context, &first_key, &last_key, missing, start_key)?;
            let answer = context.backend.query(query).await?;
            for row in answer.rows {
                page.entries.extend(self.entry(context, row.into_item()?)?);
            }
            start_key = answer.last_key;
            if page.entries.len() > self.limit as usize {
                page.entries.truncate(self.limit as usize);
                page.next = page.entries.last().map(|entry| entry.sequence);
                return Ok(page);
            }
            if start_key.is_none() {
                return Ok(page);
            }
        }
    }
}

impl<E, S> ReadLog<E, S>
where
    E: Serialize + DeserializeOwned + Send + 'static,
    S: Serialize + DeserializeOwned + Send + 'static,
{
    fn query(
        &self,
        context: &Context,
        first: &str,
        last: &str,
        rows: usize,
        start_key: Option<Item>,
    ) -> Result<Query> {
        let Some(sort_key) = context.table.sort_key else {
            return Err(Error::Settings("a log needs a table with a sort key".to_owned()));
        };
        Ok(Query {
            table: Arc::clone(&context.table_name),
            index: None,
            key_condition: key(context.table.partition_key)
                .eq(self.log.partition.as_str())
                .and(key(sort_key).between(first, last)),
            filter: None,
            forward: true,
            consistent: true,
            limit: u32::try_from(rows).ok(),
            start_key,
        })
    }

    /// The event of a row; nothing if it has expired, or is none of the log.
    fn entry(&self, context: &Context, row: Item) -> Result<Option<LogEntry<E>>> {
        let sort = context.table.sort_key.and_then(|attribute| row.get(attribute));
        let number =
            sort.and_then(AttributeValue::as_s).and_then(|sort| self.log.template.number(sort));
        let Some(sequence) = number else { return Ok(None) };
        let place = self.log.event_place(sequence)?;
        if !place.is_present(context, &row) {
            return Ok(None);
        }
        let event = value::decode(context.table, &place, row)?;
        Ok(Some(LogEntry { sequence, event }))
    }
}
