//! A backend with the faults that DynamoDB has in production: throttled requests, conflicts, unprocessed entries, and
//! requests without a response, of which some had their effect. Processes that use it die.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use monotable_model::backend::request::{
    BatchGet, BatchGetResponse, BatchWrite, BatchWriteResponse, Get, GetResponse, PageResponse,
    Query, Scan, TableShape, Transaction, TransactionGet, TransactionGetResponse, Write,
    WriteResponse,
};
use monotable_model::backend::{Backend, BackendError, Capabilities, Reason, Reply};

use crate::crash::seed::Random;
use crate::failing::{MOMENTS, Moment};

/// Of 100 requests, how many are throttled, conflict with others, and have no response.
const THROTTLED: u64 = 4;
const CONFLICTING: u64 = 4;
const UNANSWERED: u64 = 2;
/// Of 100 entries of a batch, how many are not processed.
const UNPROCESSED: u64 = 25;
/// A process dies at one of so many calls.
const CALLS_MAX: u64 = 400;

/// When requests fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultMode {
    /// Never.
    None,
    /// At random.
    Random,
    /// Always, and processes live: the backend does not respond.
    Unanswered,
}

/// The faults of all backends made from it. Clones are the same plan.
#[derive(Clone)]
pub struct FaultPlan(Arc<Mutex<State>>);

struct State {
    mode: FaultMode,
    random: Random,
    counts: FaultCounts,
}

/// What has happened so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct FaultCounts {
    /// Requests while there were faults.
    pub requests: u64,
    /// Those of them that failed.
    pub failed: u64,
    /// Processes that were started.
    pub processes: u64,
}

impl FaultPlan {
    /// Makes a plan without faults, until a mode is set.
    pub fn new(seed: u64) -> Self {
        let random = Random::new(seed);
        let counts = FaultCounts::default();
        Self(Arc::new(Mutex::new(State { mode: FaultMode::None, random, counts })))
    }

    /// Sets when requests fail.
    pub fn set(&self, mode: FaultMode) {
        self.with(|state| state.mode = mode);
    }

    /// Returns what has happened so far.
    pub fn counts(&self) -> FaultCounts {
        self.with(|state| state.counts)
    }

    /// Returns the backend as a new process uses it.
    pub fn process(&self, backend: Arc<dyn Backend>) -> Faulty {
        let calls_left = self.with(|state| {
            state.counts.processes += 1;
            state.random.below(CALLS_MAX)
        });
        let calls_left = Arc::new(AtomicUsize::new(calls_left as usize + 1));
        Faulty { backend, plan: self.clone(), calls_left }
    }

    fn with<T>(&self, act: impl FnOnce(&mut State) -> T) -> T {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Takes entries that will not be processed out of a batch; one always stays.
    fn unprocessed<T>(&self, entries: &mut Vec<T>) -> Vec<T> {
        self.with(|state| {
            let (mut kept, mut left) = (Vec::new(), Vec::new());
            for entry in entries.drain(..) {
                let is_left = !kept.is_empty()
                    && state.mode == FaultMode::Random
                    && state.random.percent(UNPROCESSED);
                if is_left { left.push(entry) } else { kept.push(entry) }
            }
            *entries = kept;
            left
        })
    }
}

/// How a request is answered.
enum Fate {
    Served,
    Throttled,
    Conflict,
    /// There is no response, because of what happened then.
    Unanswered(Moment),
}

/// The backend of one process. Clones are the same process.
#[derive(Clone)]
pub struct Faulty {
    backend: Arc<dyn Backend>,
    plan: FaultPlan,
    /// Calls that it makes at random faults before it dies.
    calls_left: Arc<AtomicUsize>,
}

impl Faulty {
    /// Returns whether the process has died.
    pub fn has_died(&self) -> bool {
        self.calls_left.load(Ordering::SeqCst) == 0
    }

    fn fate(&self) -> Fate {
        self.plan.with(|state| {
            if self.has_died() {
                return Fate::Unanswered(Moment::Before);
            }
            let fate = match state.mode {
                FaultMode::None => return Fate::Served,
                FaultMode::Unanswered => Fate::Unanswered(Moment::Before),
                FaultMode::Random => self.random_fate(&mut state.random),
            };
            state.counts.requests += 1;
            state.counts.failed += u64::from(!matches!(fate, Fate::Served));
            fate
        })
    }

    fn random_fate(&self, random: &mut Random) -> Fate {
        let moment = MOMENTS[random.below(2) as usize];
        let is_last = self.calls_left.fetch_sub(1, Ordering::SeqCst) == 1;
        match random.below(100) {
            _ if is_last => Fate::Unanswered(moment),
            roll if roll < THROTTLED => Fate::Throttled,
            roll if roll < THROTTLED + CONFLICTING => Fate::Conflict,
            roll if roll < THROTTLED + CONFLICTING + UNANSWERED => Fate::Unanswered(moment),
            _ => Fate::Served,
        }
    }

    /// Makes a call with so many actions that can conflict.
    fn call<A: Send + 'static>(
        &self,
        actions: Option<usize>,
        request: impl FnOnce(&dyn Backend) -> Reply<A>,
    ) -> Reply<A> {
        let cancelled = |count: usize, reason: Reason| {
            let fine = std::iter::repeat_n(Reason::Fine, count.saturating_sub(1));
            BackendError::Cancelled { reasons: fine.chain([reason]).collect() }
        };
        let unanswered = || BackendError::Failed("no response".to_owned());
        match (self.fate(), actions) {
            (Fate::Served, _) => request(&*self.backend),
            (Fate::Throttled, Some(count)) => {
                Reply::ready(Err(cancelled(count, Reason::Throttled)))
            }
            (Fate::Throttled, None) => Reply::ready(Err(BackendError::Throttled("hot".to_owned()))),
            (Fate::Conflict, Some(count)) => Reply::ready(Err(cancelled(count, Reason::Conflict))),
            (Fate::Conflict, None) => Reply::ready(Err(BackendError::Conflict)),
            (Fate::Unanswered(Moment::Before), _) => Reply::ready(Err(unanswered())),
            (Fate::Unanswered(Moment::After), _) => {
                let reply = request(&*self.backend);
                Reply::pending(async move {
                    drop(reply.await);
                    Err(unanswered())
                })
            }
        }
    }

    /// Makes a call that changes nothing: it meets no conflict.
    fn read<A: Send + 'static>(&self, request: impl FnOnce(&dyn Backend) -> Reply<A>) -> Reply<A> {
        match self.fate() {
            Fate::Served | Fate::Conflict => request(&*self.backend),
            Fate::Throttled => Reply::ready(Err(BackendError::Throttled("hot".to_owned()))),
            Fate::Unanswered(_) => {
                Reply::ready(Err(BackendError::Failed("no response".to_owned())))
            }
        }
    }
}

impl Backend for Faulty {
    fn capabilities(&self) -> Capabilities {
        let capabilities = self.backend.capabilities();
        Capabilities {
            creates_tables_on_open: false,
            is_shared: true,
            retries: true,
            ..capabilities
        }
    }

    fn now_ms(&self) -> u64 {
        self.backend.now_ms()
    }

    fn get(&self, request: Get) -> Reply<GetResponse> {
        self.read(|backend| backend.get(request))
    }

    fn query(&self, request: Query) -> Reply<PageResponse> {
        self.read(|backend| backend.query(request))
    }

    fn scan(&self, request: Scan) -> Reply<PageResponse> {
        self.read(|backend| backend.scan(request))
    }

    fn batch_get(&self, mut request: BatchGet) -> Reply<BatchGetResponse> {
        let left = self.plan.unprocessed(&mut request.keys);
        let reply = self.read(|backend| backend.batch_get(request));
        Reply::pending(async move {
            let mut response = reply.await?;
            response.unprocessed.extend(left);
            Ok(response)
        })
    }

    fn transact_get(&self, request: TransactionGet) -> Reply<TransactionGetResponse> {
        self.call(Some(request.keys.len()), |backend| backend.transact_get(request))
    }

    fn write(&self, request: Write) -> Reply<WriteResponse> {
        self.call(None, |backend| backend.write(request))
    }

    fn batch_write(&self, mut request: BatchWrite) -> Reply<BatchWriteResponse> {
        let left = self.plan.unprocessed(&mut request.writes);
        let reply = self.call(None, |backend| backend.batch_write(request));
        Reply::pending(async move {
            let mut response = reply.await?;
            response.unprocessed.extend(left);
            Ok(response)
        })
    }

    fn transact(&self, request: Transaction) -> Reply<WriteResponse> {
        self.call(Some(request.writes.len()), |backend| backend.transact(request))
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

    fn pause(&self, _duration: Duration) -> Reply<()> {
        // The clock of a test does not move while a request waits.
        Reply::pending(async {
            tokio::task::yield_now().await;
            Ok(())
        })
    }
}
