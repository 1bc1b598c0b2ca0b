//! Appends events and the snapshot in one transaction.

use monotable_design::meta::RuleAttributes;
use monotable_expression::{Condition, attribute_not_exists, path};
use monotable_types::Item;

use super::{LogRows, LogValue, Snapshot};
use crate::backend::BackendError;
use crate::backend::request::Action;
use crate::context::Context;
use crate::error::Result;
use crate::rows::operation::InTransaction;
use crate::rows::run::RunRule;
use crate::rows::value;
use crate::write::{self, Label, Plan, Planned, PlannedWrite};

/// Appends events to a log. Made by [`Log::append`](super::Log::append).
#[derive(Debug)]
pub struct Append<E, S> {
    log: LogRows<E, S>,
    /// The row of the snapshot that was read.
    seen: Option<Item>,
    version: u64,
    sequence: u64,
    events: Vec<E>,
    state: S,
}

impl<E: LogValue, S: LogValue> Append<E, S> {
    pub(super) fn new(log: LogRows<E, S>, seen: &Snapshot<S>, events: Vec<E>, state: S) -> Self {
        let Snapshot { version, sequence, row, .. } = seen;
        Self { log, seen: row.clone(), version: *version, sequence: *sequence, events, state }
    }

    /// Returns the writes, and the snapshot to append to next, without its state.
    fn planned(&self, context: &Context) -> Result<(Vec<PlannedWrite>, Snapshot<S>)> {
        if self.events.is_empty() {
            let message = "an append to a log has at least one event".to_owned();
            return Err(BackendError::Refused(message).into());
        }
        let sequence = self.sequence + self.events.len() as u64;
        let mut writes = Vec::with_capacity(self.events.len() + 1);
        let (row, snapshot) = self.snapshot(context, sequence)?;
        writes.push(snapshot);
        for (number, event) in (self.sequence + 1..).zip(&self.events) {
            writes.push(self.event(context, number, event)?);
        }
        let version = self.version + 1;
        Ok((writes, Snapshot { state: None, version, sequence, row: Some(row) }))
    }

    fn snapshot(&self, context: &Context, sequence: u64) -> Result<(Item, PlannedWrite)> {
        let rule = self.log.snapshot_row();
        let attributes = rule.attributes;
        let encoded = value::encode(context.table, &rule, &self.state)?;
        let mut row = match &self.seen {
            Some(seen) => value::replace(seen.clone(), encoded),
            None => encoded,
        };
        row.extend(rule.row(context)?);
        row.insert(attributes.version.to_owned(), (self.version + 1).into());
        row.insert(attributes.sequence.to_owned(), sequence.into());
        let condition = match &self.seen {
            Some(_) => rule.present(context).and(self.is_unchanged(attributes)),
            None => rule.absent(context),
        };
        let changed = rule.changed();
        let failure = Box::new(move |_| changed);
        let write = rule.write(context, Action::Put(row.clone()), condition, failure);
        Ok((row, write))
    }

    /// Tests that the snapshot still has the version and the last number that were read.
    fn is_unchanged(&self, attributes: &RuleAttributes) -> Condition {
        let version = match self.version {
            0 => attribute_not_exists(attributes.version),
            version => path(attributes.version).eq(version),
        };
        version.and(path(attributes.sequence).eq(self.sequence))
    }

    fn event(&self, context: &Context, number: u64, event: &E) -> Result<PlannedWrite> {
        let rule = self.log.event_row(number);
        let mut row = value::encode(context.table, &rule, event)?;
        row.extend(rule.row(context)?);
        row.insert(rule.attributes.version.to_owned(), 1.into());
        let error = self.log.out_of_sequence(number);
        let condition = rule.absent(context);
        Ok(rule.write(context, Action::Put(row), condition, Box::new(move |_| error)))
    }
}

impl<E, S> InTransaction for Append<E, S>
where
    E: LogValue,
    S: LogValue + Clone + Sync,
{
    type Output = Snapshot<S>;
}

impl<E, S> Planned for Append<E, S>
where
    E: LogValue,
    S: LogValue + Clone + Sync,
{
    fn label(&self) -> Label {
        Label::new("append to", "log")
    }

    fn plan(&mut self, context: &Context, _row: Option<Item>) -> Result<Plan> {
        let (writes, snapshot) = self.planned(context)?;
        Ok(Plan::new(writes).of(Snapshot { state: Some(self.state.clone()), ..snapshot }))
    }
}

impl<E: LogValue, S: LogValue> RunRule for Append<E, S> {
    /// The snapshot to append to next.
    type Output = Snapshot<S>;

    async fn run(self, context: &Context) -> Result<Snapshot<S>> {
        let (writes, snapshot) = self.planned(context)?;
        write::single(context, writes).await?;
        Ok(Snapshot { state: Some(self.state), ..snapshot })
    }
}
