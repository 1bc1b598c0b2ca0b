//! Reads the snapshot, and pages of events up to the end of the log.

use std::sync::Arc;

use monotable_design::meta::RuleKind;
use monotable_expression::key;
use monotable_types::{AttributeValue, Item};

use super::{LogRows, LogValue, Snapshot};
use crate::backend::request::Query;
use crate::context::Context;
use crate::error::{Error, Result};
use crate::rows::run::RunRule;
use crate::rows::value;

/// Reads the snapshot of a log. Made by [`Log::snapshot`](super::Log::snapshot).
#[derive(Debug)]
pub struct ReadSnapshot<E, S>(pub(super) LogRows<E, S>);

impl<E: LogValue, S: LogValue> RunRule for ReadSnapshot<E, S> {
    type Output = Snapshot<S>;

    async fn run(self, context: &Context) -> Result<Snapshot<S>> {
        let rule = self.0.snapshot_row();
        let Some(row) = rule.read(context).await? else { return Ok(Snapshot::first()) };
        // Rows that were written without versions count as version 0.
        let version = if row.contains_key(rule.attributes.version) {
            rule.count(&row, rule.attributes.version)?
        } else {
            0
        };
        Ok(Snapshot {
            version,
            sequence: rule.count(&row, rule.attributes.sequence)?,
            state: Some(value::decode(context.table, &rule, row.clone())?),
            row: Some(row),
        })
    }
}

/// Reads events of a log. Made by [`Log::read`](super::Log::read).
#[derive(Debug)]
pub struct ReadLog<E, S> {
    pub(super) log: LogRows<E, S>,
    pub(super) after: u64,
    pub(super) limit: u32,
}

/// A page of events.
#[derive(Clone, Debug, PartialEq)]
pub struct LogPage<E> {
    /// The events in order.
    pub entries: Vec<LogEntry<E>>,
    /// The number to continue after, if there are more events.
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

impl<E: LogValue, S: LogValue> RunRule for ReadLog<E, S> {
    type Output = LogPage<E>;

    async fn run(self, context: &Context) -> Result<LogPage<E>> {
        let mut page = LogPage { entries: Vec::new(), next: None };
        let last = self.log.key.last();
        if self.after >= last || self.limit == 0 {
            return Ok(page);
        }
        let first = self.log.event_row(self.after + 1).key_item(context)?;
        let last = self.log.event_row(last).key_item(context)?;
        let mut start_key = None;
        loop {
            // Reads one more than it returns, to know whether there are more.
            let missing = (self.limit as usize).saturating_add(1) - page.entries.len();
            let query = self.query(context, (&first, &last), missing, start_key)?;
            let response = context.query(query).await?;
            for row in response.rows {
                page.entries.extend(self.entry(context, row.into_item()?)?);
            }
            start_key = response.last_key;
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

impl<E: LogValue, S: LogValue> ReadLog<E, S> {
    fn query(
        &self,
        context: &Context,
        (first, last): (&Item, &Item),
        rows: usize,
        start_key: Option<Item>,
    ) -> Result<Query> {
        let text = |row: &Item, attribute| {
            row.get(attribute).and_then(AttributeValue::as_s).map(str::to_owned)
        };
        let partition_key = context.table.partition_key;
        let keys = context.table.sort_key.and_then(|sort_key| {
            let partition = key(partition_key).eq(text(first, partition_key)?);
            Some(
                partition.and(key(sort_key).between(text(first, sort_key)?, text(last, sort_key)?)),
            )
        });
        Ok(Query {
            table: Arc::clone(&context.table_name),
            index: None,
            key_condition: keys
                .ok_or_else(|| Error::Settings("a log needs a table with a sort key".to_owned()))?,
            filter: None,
            forward: true,
            consistent: true,
            limit: u32::try_from(rows).ok(),
            start_key,
        })
    }

    /// Returns the event of a row, or `None` if it has expired or does not belong to the log.
    fn entry(&self, context: &Context, row: Item) -> Result<Option<LogEntry<E>>> {
        let sort = context.table.sort_key.and_then(|attribute| row.get(attribute));
        let number = sort
            .and_then(AttributeValue::as_s)
            .and_then(|sort| self.log.key.number(RuleKind::Log, sort));
        let Some(sequence) = number else { return Ok(None) };
        let rule = self.log.event_row(sequence);
        if !rule.is_present(context, &row) {
            return Ok(None);
        }
        let event = value::decode(context.table, &rule, row)?;
        Ok(Some(LogEntry { sequence, event }))
    }
}
