//! Appending: events and snapshot in one transaction.

use monotable_expression::{Condition, attribute_not_exists, path};
use monotable_types::Item;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Log, Snapshot};
use crate::backend::BackendError;
use crate::backend::request::Action;
use crate::context::Context;
use crate::error::Result;
use crate::rows::run::Run;
use crate::rows::value;
use crate::write::{self, Operation, Plan, PlannedWrite};

/// Appends events to a log. Made by [`Log::append`].
#[derive(Debug)]
pub struct Append<E, S> {
    log: Log<E, S>,
    /// The row of the snapshot that was seen.
    seen: Option<Item>,
    version: u64,
    sequence: u64,
    events: Vec<E>,
    state: S,
}

impl<E, S> Append<E, S>
where
    E: Serialize + DeserializeOwned + Send + 'static,
    S: Serialize + DeserializeOwned + Send + 'static,
{
    pub(super) fn new(log: Log<E, S>, seen: &Snapshot<S>, events: Vec<E>, state: S) -> Self {
        let Snapshot { version, sequence, row, .. } = seen;
        Self { log, seen: row.clone(), version: *version, sequence: *sequence, events, state }
    }

    /// The writes, and the snapshot to append to next, without what the events have made.
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
        let place = self.log.snapshot_place();
        let layout = place.layout;
        let encoded = value::encode(context.table, &place, &self.state)?;
        let mut row = match &self.seen {
            Some(seen) => value::replace(seen.clone(), encoded),
            None => encoded,
        };
        row.extend(place.row(context)?);
        row.insert(layout.version.to_owned(), (self.version + 1).into());
        row.insert(layout.sequence.to_owned(), sequence.into());
        let condition = match &self.seen {
            Some(_) => place.present(context).and(self.is_as_seen(layout)),
            None => place.absent(context),
        };
        let changed = place.changed();
        let failure = Box::new(move |_| changed);
        let write = place.write(context, Action::Put(row.clone()), condition, failure);
        Ok((row, write))
    }

    /// The snapshot has the version and the last number that were seen.
    fn is_as_seen(&self, layout: crate::rows::Layout) -> Condition {
        let version = match self.version {
            0 => attribute_not_exists(layout.version),
            version => path(layout.version).eq(version),
        };
        version.and(path(layout.sequence).eq(self.sequence))
    }

    fn event(&self, context: &Context, number: u64, event: &E) -> Result<PlannedWrite> {
        let place = self.log.event_place(number)?;
        let mut row = value::encode(context.table, &place, event)?;
        row.extend(place.row(context)?);
        row.insert(place.layout.version.to_owned(), 1.into());
        let error = self.log.out_of_sequence(number);
        let condition = place.absent(context);
        Ok(place.write(context, Action::Put(row), condition, Box::new(move |_| error)))
    }
}

impl<E, S> Operation for Append<E, S>
where
    E: Serialize + DeserializeOwned + Send + 'static,
    S: Serialize + DeserializeOwned + Clone + Send + Sync + 'static,
{
    fn label(&self) -> String {
        format!("append {} events to log {}", self.events.len(), self.log.partition)
    }

    fn plan(&self, context: &Context, _row: Option<Item>) -> Result<Plan> {
        let (writes, snapshot) = self.planned(context)?;
        Ok(Plan::new(writes).of(Snapshot { state: Some(self.state.clone()), ..snapshot }))
    }
}

impl<E, S> Run for Append<E, S>
where
    E: Serialize + DeserializeOwned + Send + 'static,
    S: Serialize + DeserializeOwned + Send + 'static,
{
    /// The snapshot to append to next.
    type Output = Snapshot<S>;

    async fn run(self, context: &Context) -> Result<Snapshot<S>> {
        let (writes, snapshot) = self.planned(context)?;
        write::single(context, writes).await?;
        Ok(Snapshot { state: Some(self.state), ..snapshot })
    }
}
