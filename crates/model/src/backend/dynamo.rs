//! Amazon DynamoDB and Alternator as backends, through the official SDK: expression trees are
//! printed as texts, values are converted both ways, and the SDK's errors become those of
//! [`BackendError`].
//!
//! Both share the code; a [`Flavour`] lists what a store supports.

mod error;
mod expression;
mod read;
mod response_row;
mod table;
mod value;
mod write;

use std::fmt;
use std::future::Future;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use aws_sdk_dynamodb::Client;
use tokio::runtime::Handle;

pub(super) use self::response_row::ResponseRow;
use super::request::{
    BatchGet, BatchGetResponse, BatchWrite, BatchWriteResponse, Get, GetResponse, PageResponse,
    Query, Scan, TableShape, Transaction, TransactionGet, TransactionGetResponse, Write,
    WriteResponse,
};
use super::{Backend, BackendError, Capabilities, Reply, limits};

/// Amazon DynamoDB, or any other service with the full API.
pub type Dynamo = Remote<Amazon>;

/// ScyllaDB's Alternator: the same API without transactions and without index keys of several
/// attributes.
pub type Alternator = Remote<Scylla>;

/// A store that is accessed through AWS's SDK.
///
/// ```no_run
/// use monotable_model::backend::{Alternator, Dynamo};
///
/// # fn connect(client: aws_sdk_dynamodb::Client, scylla: aws_sdk_dynamodb::Client) {
/// let cloud = Dynamo::new(client);
/// let cluster = Alternator::new(scylla);
/// # }
/// ```
pub struct Remote<F> {
    client: Client,
    clock: Arc<dyn Fn() -> u64 + Send + Sync>,
    /// The runtime that sends requests; `None` for the runtime of the caller.
    runtime: Option<Handle>,
    flavour: PhantomData<F>,
}

impl<F: Flavour> fmt::Debug for Remote<F> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Remote").field(&F::CAPABILITIES.name).finish()
    }
}

/// The kind of store behind the API.
pub trait Flavour: sealed::Sealed + Send + Sync + 'static {
    /// What the store supports.
    const CAPABILITIES: Capabilities;
    /// Whether tables can be protected from deletion and restored to points in time.
    const PROTECTS_TABLES: bool;
}

/// The flavour of [`Dynamo`].
#[derive(Clone, Copy, Debug)]
pub struct Amazon;

/// The flavour of [`Alternator`].
#[derive(Clone, Copy, Debug)]
pub struct Scylla;

impl Flavour for Amazon {
    const CAPABILITIES: Capabilities = Capabilities {
        name: "Amazon DynamoDB",
        transactions: true,
        multi_attribute_index_keys: true,
        creates_tables_on_open: false,
        is_shared: true,
        retries: true,
    };
    const PROTECTS_TABLES: bool = true;
}

impl Flavour for Scylla {
    const CAPABILITIES: Capabilities = Capabilities {
        name: "Alternator",
        transactions: false,
        multi_attribute_index_keys: false,
        creates_tables_on_open: false,
        is_shared: true,
        retries: true,
    };
    const PROTECTS_TABLES: bool = false;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Amazon {}
    impl Sealed for super::Scylla {}
}

impl<F: Flavour> Remote<F> {
    /// Returns the store of this client's configuration, with the system clock.
    pub fn new(client: Client) -> Self {
        let since_1970 = || SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let now_ms = move || u64::try_from(since_1970().as_millis()).unwrap_or(u64::MAX);
        Self { client, clock: Arc::new(now_ms), runtime: None, flavour: PhantomData }
    }

    /// Sends requests from this runtime, whichever runtime awaits them. A program with several
    /// runtimes needs this: the client shares its connections, and a connection only makes progress
    /// while the runtime that opened it runs.
    #[must_use]
    pub fn runtime(mut self, runtime: Handle) -> Self {
        self.runtime = Some(runtime);
        self
    }

    /// Sets the clock, which returns milliseconds since 1970-01-01 UTC.
    #[must_use]
    pub fn clock(mut self, now_ms: impl Fn() -> u64 + Send + Sync + 'static) -> Self {
        self.clock = Arc::new(now_ms);
        self
    }

    /// Sends a request that has passed its checks.
    fn send<T, R>(
        &self,
        checked: Result<(), BackendError>,
        send: impl FnOnce(Client) -> R,
    ) -> Reply<T>
    where
        T: Send + 'static,
        R: Future<Output = Result<T, BackendError>> + Send + 'static,
    {
        match checked {
            Ok(()) => self.on_runtime(Reply::pending(send(self.client.clone()))),
            Err(refused) => Reply::ready(Err(refused)),
        }
    }

    /// Moves a pending response to the runtime that sends requests.
    fn on_runtime<T: Send + 'static>(&self, reply: Reply<T>) -> Reply<T> {
        let Some(runtime) = &self.runtime else { return reply };
        let sent = runtime.spawn(reply);
        Reply::pending(async move {
            sent.await.unwrap_or_else(|error| Err(BackendError::Failed(error.to_string())))
        })
    }

    fn check_transactions() -> Result<(), BackendError> {
        let Capabilities { name, transactions, .. } = F::CAPABILITIES;
        if transactions {
            Ok(())
        } else {
            Err(BackendError::Refused(format!(
                "[R01] {name} has no transactions, and this needs one; write the rows one by one, or \
                 choose a backend with transactions"
            )))
        }
    }
}

impl<F> Clone for Remote<F> {
    fn clone(&self) -> Self {
        Self {
            client: self.client.clone(),
            clock: Arc::clone(&self.clock),
            runtime: self.runtime.clone(),
            flavour: PhantomData,
        }
    }
}

impl<F: Flavour> Backend for Remote<F> {
    fn capabilities(&self) -> Capabilities {
        F::CAPABILITIES
    }

    fn now_ms(&self) -> u64 {
        (self.clock)()
    }

    fn get(&self, request: Get) -> Reply<GetResponse> {
        self.send(Ok(()), |client| read::get(client, request))
    }

    fn query(&self, request: Query) -> Reply<PageResponse> {
        self.send(Ok(()), |client| read::query(client, request))
    }

    fn scan(&self, request: Scan) -> Reply<PageResponse> {
        self.send(Ok(()), |client| read::scan(client, request))
    }

    fn batch_get(&self, request: BatchGet) -> Reply<BatchGetResponse> {
        self.send(limits::batch_get(&request), |client| read::batch_get(client, request))
    }

    fn transact_get(&self, request: TransactionGet) -> Reply<TransactionGetResponse> {
        let checked = Self::check_transactions().and_then(|()| limits::transact_get(&request));
        self.send(checked, |client| read::transact_get(client, request))
    }

    fn write(&self, request: Write) -> Reply<WriteResponse> {
        self.on_runtime(write::single(&self.client, request))
    }

    fn batch_write(&self, request: BatchWrite) -> Reply<BatchWriteResponse> {
        self.send(limits::batch_write(&request), |client| write::batch(client, request))
    }

    fn transact(&self, request: Transaction) -> Reply<WriteResponse> {
        let checked = Self::check_transactions().and_then(|()| limits::transact(&request));
        self.send(checked, |client| write::transact(client, request))
    }

    fn describe_table(&self, table_name: &str) -> Reply<Option<TableShape>> {
        let table_name = table_name.to_owned();
        self.send(Ok(()), |client| table::describe(client, table_name))
    }

    fn create_table(&self, shape: TableShape) -> Reply<()> {
        let is_protected = shape.is_protected && F::PROTECTS_TABLES;
        let shape = TableShape { is_protected, ..shape };
        self.send(Ok(()), |client| table::create(client, shape))
    }

    fn enable_time_to_live(&self, table_name: &str, attribute: String) -> Reply<()> {
        let table_name = table_name.to_owned();
        self.send(Ok(()), |client| table::expire_by(client, table_name, attribute))
    }

    fn pause(&self, duration: Duration) -> Reply<()> {
        Reply::pending(async move {
            tokio::time::sleep(duration).await;
            Ok(())
        })
    }
}
