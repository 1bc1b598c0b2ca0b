//! The copy of one table.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use monotable::model::backend::request::{BatchAction, BatchWrite, Scan, TableShape};
use monotable::model::backend::{Backend, BackendError};
use monotable_types::limits::BATCH_WRITE_MAX;
use monotable_types::{Item, item_size_bytes};
use tokio::task::JoinSet;

use super::digest::TableDigest;
use super::pace::{Pace, write_units};
use super::state::{Progress, State};
use crate::mask::MaskedRows;
use crate::progress::ProgressLine;

/// Batches in progress at once.
const BATCHES_MAX: usize = 8;
/// The first and the longest pause of a refused request, and how often it is sent.
const WAIT_FIRST: Duration = Duration::from_millis(100);
const WAIT_MAX: Duration = Duration::from_secs(5);
const ATTEMPTS_MAX: u32 = 30;

/// The copy of one table between two stores.
pub(crate) struct TableCopy<'a> {
    pub(crate) from: Arc<dyn Backend>,
    pub(crate) to: Arc<dyn Backend>,
    pub(crate) name: &'a str,
    pub(crate) units: Option<u32>,
    /// Masks the rows that are copied.
    pub(crate) mask: Option<&'a MaskedRows>,
}

impl TableCopy<'_> {
    /// Copies and verifies the table; returns a line about it.
    pub(crate) async fn run(&self, state: &mut State) -> Result<String> {
        let name = self.name;
        let declared = self.from.describe_table(name).await?;
        let declared = declared.with_context(|| format!("the source has no table {name}"))?;
        let begun = state.of(name);
        self.prepare(&declared, begun.is_some()).await?;
        let mut progress = begun.unwrap_or_default();
        state.record(name, &progress)?;
        if !progress.is_complete {
            self.fill(&mut progress, state).await?;
        }
        if !progress.is_verified {
            self.verify(&progress).await?;
            progress.is_verified = true;
            state.record(name, &progress)?;
        }
        // Not earlier: a store that deletes expired rows would have fewer rows.
        if let Some(attribute) = declared.ttl_attribute
            && self.describe_target().await?.ttl_attribute.is_none()
        {
            self.to.enable_time_to_live(name, attribute).await?;
        }
        let TableDigest { rows, bytes, sum } = progress.copied;
        let megabytes = bytes as f64 / 1e6;
        Ok(format!("{name}: {rows} rows, {megabytes:.1} MB, digest {sum:032x}: verified"))
    }

    /// Passes every row of the source to a function.
    ///
    /// # Errors
    /// Returns the errors of the store and of the function.
    pub(crate) async fn each(&self, mut look: impl FnMut(&Item) -> Result<()>) -> Result<()> {
        let mut start = None;
        loop {
            let (items, last_key) = self.page(&*self.from, start, None).await?;
            items.iter().try_for_each(&mut look)?;
            if last_key.is_none() {
                return Ok(());
            }
            start = last_key;
        }
    }

    /// Returns the rows to write instead of these.
    fn masked(&self, items: Vec<Item>) -> Result<Vec<Item>> {
        match self.mask {
            None => Ok(items),
            Some(rows) => {
                let masked = items.iter().map(|item| rows.masked(item));
                masked.filter_map(Result::transpose).collect()
            }
        }
    }

    /// Creates the table, or checks that the existing one may be filled.
    async fn prepare(&self, declared: &TableShape, is_begun: bool) -> Result<()> {
        let name = self.name;
        let without_expiry = TableShape { ttl_attribute: None, ..declared.clone() };
        let Some(live) = self.to.describe_table(name).await? else {
            if is_begun {
                bail!(
                    "the table {name} of the target is gone; delete the state file to begin again"
                );
            }
            return Ok(self.to.create_table(without_expiry).await?);
        };
        let live = TableShape { ttl_attribute: None, ..live };
        if live != without_expiry {
            bail!("the target has a table {name} with other keys or indexes; nothing was changed");
        }
        if !is_begun && !self.page(&*self.to, None, Some(1)).await?.0.is_empty() {
            bail!("the table {name} of the target is not empty; nothing was changed");
        }
        Ok(())
    }

    async fn describe_target(&self) -> Result<TableShape> {
        let live = self.to.describe_table(self.name).await?;
        live.with_context(|| format!("the table {} of the target is gone", self.name))
    }

    /// Writes the missing rows, page by page.
    async fn fill(&self, progress: &mut Progress, state: &mut State) -> Result<()> {
        let (mut pace, mut line) = (Pace::new(self.units), ProgressLine::new(progress.copied.rows));
        while !progress.is_complete {
            let start = progress.last_key.clone();
            let (items, last_key) = self.page(&*self.from, start, None).await?;
            let items = self.masked(items)?;
            let mut copied = progress.copied;
            items.iter().for_each(|item| copied.add(item));
            self.write(items, &mut pace).await?;
            *progress =
                Progress { copied, is_complete: last_key.is_none(), last_key, is_verified: false };
            state.record(self.name, progress)?;
            line.show(self.name, "copied", copied.rows, copied.bytes);
        }
        line.clear();
        Ok(())
    }

    /// Writes rows, several batches at once.
    async fn write(&self, items: Vec<Item>, pace: &mut Pace) -> Result<()> {
        let mut batches: JoinSet<Result<()>> = JoinSet::new();
        let mut items = items.into_iter().peekable();
        while items.peek().is_some() {
            let batch: Vec<Item> = items.by_ref().take(BATCH_WRITE_MAX).collect();
            pace.wait(batch.iter().map(|item| write_units(item_size_bytes(item))).sum()).await;
            if batches.len() >= BATCHES_MAX
                && let Some(done) = batches.join_next().await
            {
                done??;
            }
            let writes = batch.into_iter().map(BatchAction::Put).collect();
            batches.spawn(write_batch(Arc::clone(&self.to), self.name.into(), writes));
        }
        while let Some(done) = batches.join_next().await {
            done??;
        }
        Ok(())
    }

    /// Reads the destination again: it must have the rows that were copied.
    async fn verify(&self, progress: &Progress) -> Result<()> {
        let (mut found, mut start) = (TableDigest::default(), None);
        let mut line = ProgressLine::new(0);
        loop {
            let (items, last_key) = self.page(&*self.to, start, None).await?;
            items.iter().for_each(|item| found.add(item));
            line.show(self.name, "verified", found.rows, found.bytes);
            if last_key.is_none() {
                break;
            }
            start = last_key;
        }
        line.clear();
        if found != progress.copied {
            bail!(
                "the table {} differs: {} rows were copied with the digest {:032x}, and {} with {:032x} are \
                 there; was something else writing to it? Delete the table and the state file, and copy again",
                self.name,
                progress.copied.rows,
                progress.copied.sum,
                found.rows,
                found.sum
            );
        }
        Ok(())
    }

    /// Reads a page of a table.
    async fn page(
        &self,
        store: &dyn Backend,
        start_key: Option<Item>,
        limit: Option<u32>,
    ) -> Result<(Vec<Item>, Option<Item>)> {
        let table: Arc<str> = self.name.into();
        let mut repeats = Repeats::default();
        loop {
            let scan = Scan {
                table: Arc::clone(&table),
                index: None,
                filter: None,
                consistent: true,
                limit,
                start_key: start_key.clone(),
                segment: None,
            };
            match store.scan(scan).await {
                Ok(page) => {
                    let rows = page.rows.into_iter().map(|row| row.into_item());
                    return Ok((rows.collect::<Result<_, _>>()?, page.last_key));
                }
                Err(error) => repeats.wait(error).await?,
            }
        }
    }
}

/// Writes a batch, and repeats what the store leaves unprocessed.
async fn write_batch(
    to: Arc<dyn Backend>,
    table: Arc<str>,
    mut writes: Vec<BatchAction>,
) -> Result<()> {
    let mut repeats = Repeats::default();
    while !writes.is_empty() {
        let batch = BatchWrite { table: Arc::clone(&table), writes: writes.clone() };
        match to.batch_write(batch).await {
            Ok(answer) if answer.unprocessed.is_empty() => return Ok(()),
            Ok(answer) => {
                writes = answer.unprocessed;
                repeats.wait(BackendError::Throttled("rows were left over".to_owned())).await?;
            }
            Err(error) => repeats.wait(error).await?,
        }
    }
    Ok(())
}

/// The retries of a request. Reads, and puts of whole rows, can be repeated in any case.
#[derive(Default)]
struct Repeats {
    attempts: u32,
}

impl Repeats {
    /// Waits before the next attempt.
    ///
    /// # Errors
    /// Returns the error, if it is not transient, or there were enough attempts.
    async fn wait(&mut self, error: BackendError) -> Result<()> {
        self.attempts += 1;
        let passes = matches!(
            error,
            BackendError::Throttled(_) | BackendError::Failed(_) | BackendError::Conflict
        );
        if !passes || self.attempts >= ATTEMPTS_MAX {
            return Err(error.into());
        }
        let wait = WAIT_FIRST * 2_u32.saturating_pow(self.attempts.min(10));
        tokio::time::sleep(wait.min(WAIT_MAX)).await;
        Ok(())
    }
}
