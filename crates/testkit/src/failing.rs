//! A backend whose process is killed at a chosen call: from then on, nothing reaches the store. It
//! also counts the calls, for tests of costs.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::Poll;
use std::time::Duration;

use monotable_model::backend::request::{
    BatchGet, BatchGetResponse, BatchWrite, BatchWriteResponse, Get, GetResponse, PageResponse,
    Query, Scan, TableShape, Transaction, TransactionGet, TransactionGetResponse, Write,
    WriteResponse,
};
use monotable_model::backend::{Backend, BackendError, Capabilities, Embedded, Reply};

/// When the process dies during the call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// Before the store gets it.
    Before,
    /// After the store has executed it.
    After,
}

/// Both of them.
pub const MOMENTS: [Moment; 2] = [Moment::Before, Moment::After];

/// A process on the embedded engine that dies at one of its calls. Clones are the same process; opening
/// a table takes no call.
#[derive(Clone)]
pub struct Failing {
    backend: Embedded,
    calls: Arc<AtomicUsize>,
    fatal: usize,
    moment: Moment,
    tells_rows: bool,
    is_polite: bool,
}

impl Failing {
    /// Dies at the call with this number, counted from 0.
    pub fn at(backend: &Embedded, fatal: usize, moment: Moment) -> Self {
        Self {
            backend: backend.clone(),
            calls: Arc::default(),
            fatal,
            moment,
            tells_rows: true,
            is_polite: false,
        }
    }

    /// Never dies.
    pub fn never(backend: &Embedded) -> Self {
        Self::at(backend, usize::MAX, Moment::Before)
    }

    /// Does not return the rows that conditions saw, as some backends do not.
    #[must_use]
    pub fn taciturn(mut self) -> Self {
        self.tells_rows = false;
        self
    }

    /// Yields to all other tasks before it returns the result of a read, so that tasks which read
    /// and then write conflict on one thread, too.
    #[must_use]
    pub fn polite(mut self) -> Self {
        self.is_polite = true;
        self
    }

    /// Returns the number of calls, including those that did not reach the store.
    pub fn calls(&self) -> usize {
        self.calls.load(Ordering::SeqCst)
    }

    /// Returns whether that call was made.
    pub fn has_died(&self) -> bool {
        self.calls() > self.fatal
    }

    /// Makes a call to a store in memory, which completes at once; `None` if the process has died
    /// by then.
    pub(crate) fn survive<A>(&self, call: impl FnOnce() -> A) -> Option<A> {
        let number = self.calls.fetch_add(1, Ordering::SeqCst);
        if number < self.fatal {
            return Some(call());
        }
        if number == self.fatal && self.moment == Moment::After {
            drop(call());
        }
        None
    }

    fn call<A>(&self, request: impl FnOnce(&Embedded) -> Reply<A>) -> Reply<A> {
        let reply = self.survive(|| request(&self.backend));
        reply.unwrap_or_else(|| Reply::ready(Err(BackendError::Failed("killed".to_owned()))))
    }
}

impl Backend for Failing {
    fn capabilities(&self) -> Capabilities {
        // As on a remote backend, requests may be sent again.
        Capabilities { creates_tables_on_open: false, retries: true, ..self.backend.capabilities() }
    }

    fn now_ms(&self) -> u64 {
        self.backend.now_ms()
    }

    fn get(&self, request: Get) -> Reply<GetResponse> {
        let answer = self.call(|backend| backend.get(request));
        if self.is_polite {
            Reply::pending(async {
                others().await;
                answer.await
            })
        } else {
            answer
        }
    }

    fn query(&self, request: Query) -> Reply<PageResponse> {
        self.call(|backend| backend.query(request))
    }

    fn scan(&self, request: Scan) -> Reply<PageResponse> {
        self.call(|backend| backend.scan(request))
    }

    fn batch_get(&self, request: BatchGet) -> Reply<BatchGetResponse> {
        self.call(|backend| backend.batch_get(request))
    }

    fn transact_get(&self, request: TransactionGet) -> Reply<TransactionGetResponse> {
        self.call(|backend| backend.transact_get(request))
    }

    fn write(&self, mut request: Write) -> Reply<WriteResponse> {
        request.return_on_failure &= self.tells_rows;
        self.call(|backend| backend.write(request))
    }

    fn batch_write(&self, request: BatchWrite) -> Reply<BatchWriteResponse> {
        self.call(|backend| backend.batch_write(request))
    }

    fn transact(&self, request: Transaction) -> Reply<WriteResponse> {
        self.call(|backend| backend.transact(request))
    }

    fn describe_table(&self, table_name: &str) -> Reply<Option<TableShape>> {
        self.backend.describe_table(table_name)
    }

    fn create_table(&self, shape: TableShape) -> Reply<()> {
        self.backend.create_table(shape)
    }

    fn enable_time_to_live(&self, table_name: &str, attribute: String) -> Reply<()> {
        self.backend.enable_time_to_live(table_name, attribute)
    }

    fn pause(&self, duration: Duration) -> Reply<()> {
        self.backend.pause(duration)
    }
}

/// Is ready when every other task has run.
async fn others() {
    let mut had_theirs = false;
    std::future::poll_fn(|context| {
        if std::mem::replace(&mut had_theirs, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}
