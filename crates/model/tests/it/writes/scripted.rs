//! A backend that fails by a script, and records its requests.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use monotable_engine::{ManualClock, Options};
use monotable_model::backend::request::{
    BatchGet, BatchGetResponse, BatchWrite, BatchWriteResponse, Get, GetResponse, PageResponse,
    Query, Scan, TableShape, Transaction, TransactionGet, TransactionGetResponse, Write,
    WriteResponse,
};
use monotable_model::backend::{Backend, BackendError, Capabilities, Embedded, Reply};
use monotable_model::{Settings, Store, Table};

use super::fixture::START_MS;
use crate::league::League;

/// The engine with scripted failures. Clones share it.
#[derive(Clone)]
pub(crate) struct Scripted {
    pub(crate) clock: Arc<ManualClock>,
    inner: Embedded,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    script: VecDeque<Step>,
    reads: VecDeque<BackendError>,
    seen: Vec<Request>,
    pauses: Vec<Duration>,
    lacks_transactions: bool,
}

/// What happens to the next write, transaction or batch.
pub(crate) enum Step {
    /// It fails before it does anything.
    Fail(BackendError),
    /// The write is executed, but the response is lost.
    Lose,
    /// So many writes of a batch are left over.
    Leave(usize),
}

/// A request that changes something.
#[derive(Clone, Debug)]
pub(crate) enum Request {
    Write(Box<Write>),
    Transact,
    Batch(BatchWrite),
}

pub(crate) async fn scripted() -> (Store<League>, Scripted) {
    scripted_for().await
}

pub(crate) async fn scripted_for<T: Table>() -> (Store<T>, Scripted) {
    let clock = Arc::new(ManualClock::new(START_MS));
    let options = Options { clock: Arc::clone(&clock) as Arc<_>, ..Options::default() };
    let inner = Embedded::memory_with(options);
    let backend = Scripted { clock, inner, state: Arc::default() };
    let db = Settings::<T>::new().open(backend.clone()).await.unwrap();
    (db, backend)
}

impl Scripted {
    pub(crate) fn then(&self, steps: impl IntoIterator<Item = Step>) {
        self.state.lock().unwrap().script.extend(steps);
    }

    /// The next reads fail so.
    pub(crate) fn then_reads(&self, errors: impl IntoIterator<Item = BackendError>) {
        self.state.lock().unwrap().reads.extend(errors);
    }

    /// Returns how many reads would still fail.
    pub(crate) fn reads_left(&self) -> usize {
        self.state.lock().unwrap().reads.len()
    }

    /// From now on it can't write several rows at once.
    pub(crate) fn forget_transactions(&self) {
        self.state.lock().unwrap().lacks_transactions = true;
    }

    /// Returns the requests since the last call of this function.
    pub(crate) fn take_seen(&self) -> Vec<Request> {
        std::mem::take(&mut self.state.lock().unwrap().seen)
    }

    pub(crate) fn take_pauses(&self) -> Vec<Duration> {
        std::mem::take(&mut self.state.lock().unwrap().pauses)
    }

    fn next(&self, request: Request) -> Option<Step> {
        let mut state = self.state.lock().unwrap();
        state.seen.push(request);
        state.script.pop_front()
    }
}

impl Scripted {
    fn read<T>(&self, read: impl FnOnce() -> Reply<T>) -> Reply<T> {
        let failed = self.state.lock().unwrap().reads.pop_front();
        failed.map_or_else(read, |error| Reply::ready(Err(error)))
    }
}

fn lost<T>() -> Reply<T> {
    Reply::ready(Err(BackendError::Failed("the connection was lost".to_owned())))
}

impl Backend for Scripted {
    fn capabilities(&self) -> Capabilities {
        let transactions = !self.state.lock().unwrap().lacks_transactions;
        Capabilities { transactions, retries: true, ..self.inner.capabilities() }
    }

    fn now_ms(&self) -> u64 {
        self.inner.now_ms()
    }

    fn get(&self, request: Get) -> Reply<GetResponse> {
        self.read(|| self.inner.get(request))
    }

    fn query(&self, request: Query) -> Reply<PageResponse> {
        self.read(|| self.inner.query(request))
    }

    fn scan(&self, request: Scan) -> Reply<PageResponse> {
        self.read(|| self.inner.scan(request))
    }

    fn batch_get(&self, request: BatchGet) -> Reply<BatchGetResponse> {
        self.read(|| self.inner.batch_get(request))
    }

    fn transact_get(&self, request: TransactionGet) -> Reply<TransactionGetResponse> {
        self.read(|| self.inner.transact_get(request))
    }

    fn write(&self, request: Write) -> Reply<WriteResponse> {
        match self.next(Request::Write(Box::new(request.clone()))) {
            Some(Step::Fail(error)) => Reply::ready(Err(error)),
            Some(_) => {
                assert!(matches!(self.inner.write(request).now(), Ok(Ok(_))));
                lost()
            }
            None => self.inner.write(request),
        }
    }

    fn batch_write(&self, mut request: BatchWrite) -> Reply<BatchWriteResponse> {
        match self.next(Request::Batch(request.clone())) {
            Some(Step::Fail(error)) => Reply::ready(Err(error)),
            Some(Step::Leave(count)) => {
                let unprocessed = request.writes.split_off(request.writes.len() - count);
                if !request.writes.is_empty() {
                    assert!(matches!(self.inner.batch_write(request).now(), Ok(Ok(_))));
                }
                Reply::ready(Ok(BatchWriteResponse { unprocessed }))
            }
            Some(Step::Lose) => {
                assert!(matches!(self.inner.batch_write(request).now(), Ok(Ok(_))));
                lost()
            }
            None => self.inner.batch_write(request),
        }
    }

    fn transact(&self, request: Transaction) -> Reply<WriteResponse> {
        match self.next(Request::Transact) {
            Some(Step::Fail(error)) => Reply::ready(Err(error)),
            Some(_) => {
                assert!(matches!(self.inner.transact(request).now(), Ok(Ok(_))));
                lost()
            }
            None => self.inner.transact(request),
        }
    }

    fn describe_table(&self, table_name: &str) -> Reply<Option<TableShape>> {
        self.read(|| self.inner.describe_table(table_name))
    }

    fn create_table(&self, shape: TableShape) -> Reply<()> {
        self.inner.create_table(shape)
    }

    fn enable_time_to_live(&self, table_name: &str, attribute: String) -> Reply<()> {
        self.inner.enable_time_to_live(table_name, attribute)
    }

    fn pause(&self, duration: Duration) -> Reply<()> {
        self.state.lock().unwrap().pauses.push(duration);
        self.inner.pause(duration)
    }
}
