//! A backend that dies at a chosen call, as a process that is killed between two storage calls.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use monotable_model::backend::request::{
    BatchGet, BatchGetAnswer, BatchWrite, BatchWriteAnswer, Get, GetAnswer, PageAnswer, Query,
    Scan, TableShape, Transaction, TransactionGet, TransactionGetAnswer, Write, WriteAnswer,
};
use monotable_model::backend::{Backend, BackendError, Capabilities, Embedded, Reply};

/// When the process dies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// Before the call reaches the store.
    Before,
    /// When the store has done it, before the answer arrives.
    After,
}

/// Lets so many calls pass, and none after them.
#[derive(Clone)]
pub struct Failing {
    backend: Embedded,
    left: Arc<AtomicUsize>,
    calls: Arc<AtomicUsize>,
    has_failed: Arc<AtomicBool>,
    moment: Moment,
}

impl Failing {
    pub fn new(backend: Embedded, calls: usize, moment: Moment) -> Self {
        Self {
            backend,
            left: Arc::new(AtomicUsize::new(calls)),
            calls: Arc::default(),
            has_failed: Arc::default(),
            moment,
        }
    }

    /// Whether the process has died.
    pub fn has_failed(&self) -> bool {
        self.has_failed.load(Ordering::Relaxed)
    }

    /// The calls that were made.
    pub fn calls(&self) -> usize {
        self.calls.load(Ordering::Relaxed)
    }

    fn call<T>(&self, request: impl FnOnce(&Embedded) -> Reply<T>) -> Reply<T> {
        self.calls.fetch_add(1, Ordering::Relaxed);
        let has_left = self
            .left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
        if has_left.is_ok() {
            return request(&self.backend);
        }
        let is_first = !self.has_failed.swap(true, Ordering::Relaxed);
        if is_first && self.moment == Moment::After {
            // In memory everything is done when the reply is made.
            drop(request(&self.backend));
        }
        Reply::ready(Err(BackendError::Failed("the process was killed".to_owned())))
    }
}

impl Backend for Failing {
    fn capabilities(&self) -> Capabilities {
        Capabilities { creates_tables_on_open: false, retries: true, ..self.backend.capabilities() }
    }

    fn now_ms(&self) -> u64 {
        self.backend.now_ms()
    }

    fn get(&self, request: Get) -> Reply<GetAnswer> {
        self.call(|backend| backend.get(request))
    }

    fn query(&self, request: Query) -> Reply<PageAnswer> {
        self.call(|backend| backend.query(request))
    }

    fn scan(&self, request: Scan) -> Reply<PageAnswer> {
        self.call(|backend| backend.scan(request))
    }

    fn batch_get(&self, request: BatchGet) -> Reply<BatchGetAnswer> {
        self.call(|backend| backend.batch_get(request))
    }

    fn transact_get(&self, request: TransactionGet) -> Reply<TransactionGetAnswer> {
        self.call(|backend| backend.transact_get(request))
    }

    fn write(&self, request: Write) -> Reply<WriteAnswer> {
        self.call(|backend| backend.write(request))
    }

    fn batch_write(&self, request: BatchWrite) -> Reply<BatchWriteAnswer> {
        self.call(|backend| backend.batch_write(request))
    }

    fn transact(&self, request: Transaction) -> Reply<WriteAnswer> {
        self.call(|backend| backend.transact(request))
    }

    fn describe_table(&self, table_name: &str) -> Reply<Option<TableShape>> {
        self.backend.describe_table(table_name)
    }

    fn create_table(&self, shape: TableShape) -> Reply<()> {
        self.backend.create_table(shape)
    }

    fn pause(&self, duration: Duration) -> Reply<()> {
        self.backend.pause(duration)
    }
}
