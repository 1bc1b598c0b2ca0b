//! The engine in this process as a backend: requests become engine requests by moving their parts,
//! and rows are returned as stored bytes. No expression texts and no JSON are involved.

mod error;
mod read;
mod table;
mod take;
mod wait;
mod write;

use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use monotable_engine::{
    Database, DescribeTable, DescribeTimeToLive, Error, Faults, Options, UpdateTimeToLive,
    WriteOperation,
};

use self::error::failure;
pub(super) use self::take::take;
use self::wait::{wait, yield_now};
use super::request::{
    Action, BatchGet, BatchGetResponse, BatchWrite, BatchWriteResponse, Get, GetResponse,
    PageResponse, Query, Scan, TableShape, Transaction, TransactionGet, TransactionGetResponse,
    Write, WriteResponse,
};
use super::{Backend, BackendError, Capabilities, Reply, limits};

/// The engine in this process. Clones are handles to the same database.
///
/// ```
/// use monotable_model::backend::{Backend, Embedded};
///
/// let backend = Embedded::memory(); // or Embedded::open("./monotable-data", Options::default())?
/// assert!(backend.capabilities().transactions);
/// ```
#[derive(Clone)]
pub struct Embedded {
    database: Database,
}

impl fmt::Debug for Embedded {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Embedded").finish_non_exhaustive()
    }
}

impl Embedded {
    /// Returns an empty database in memory. It opens in microseconds, so give every test its own.
    pub fn memory() -> Self {
        Self::new(Database::memory())
    }

    /// Returns an empty database in memory with these options: clock, seed, fault modes.
    pub fn memory_with(options: Options) -> Self {
        Self::new(Database::memory_with(options))
    }

    /// Opens the database in a directory, and creates it if the directory is empty or missing.
    ///
    /// # Errors
    ///
    /// The directory is in use by another process, contains something else, or cannot be read.
    pub fn open(path: impl AsRef<Path>, options: Options) -> Result<Self, BackendError> {
        let database = Database::open(path, options);
        database.map(Self::new).map_err(|error| BackendError::Failed(error.to_string()))
    }

    /// Returns a backend for an open database.
    pub fn new(database: Database) -> Self {
        Self { database }
    }

    /// Returns the database, for maintenance, streams and `check`, which the modelling layer does
    /// not offer.
    pub fn database(&self) -> &Database {
        &self.database
    }

    /// Submits a write. In memory it completes at once, and the response costs no allocation.
    fn submit<W, A>(&self, write: W, table: Arc<str>, response: fn(W::Output) -> A) -> Reply<A>
    where
        W: WriteOperation,
        W::Output: Send + 'static,
        A: Send + 'static,
    {
        let finish = move |result: Result<W::Output, Error>| {
            result.map(response).map_err(|error| failure(error, &table))
        };
        match self.database.submit(write).now() {
            Ok(result) => Reply::ready(finish(result)),
            Err(pending) => Reply::pending(async move { finish(pending.await) }),
        }
    }

    fn describe(&self, table_name: &str) -> Result<Option<TableShape>, Error> {
        let described = match self.database.describe_table(DescribeTable::new(table_name)) {
            Err(Error::ResourceNotFound(_)) => return Ok(None),
            described => described?.table,
        };
        let expiry = self.database.describe_time_to_live(DescribeTimeToLive::new(table_name))?;
        Ok(Some(table::shape(described, expiry.attribute_name)))
    }
}

impl Backend for Embedded {
    fn capabilities(&self) -> Capabilities {
        Capabilities {
            name: "the embedded engine",
            transactions: true,
            multi_attribute_index_keys: true,
            creates_tables_on_open: true,
            is_shared: false,
            // Nothing fails transiently unless a fault mode is set.
            retries: *self.database.faults() != Faults::default(),
        }
    }

    fn now_ms(&self) -> u64 {
        self.database.now_ms()
    }

    fn get(&self, request: Get) -> Reply<GetResponse> {
        Reply::ready(read::get(&self.database, request))
    }

    fn query(&self, request: Query) -> Reply<PageResponse> {
        Reply::ready(read::query(&self.database, request))
    }

    fn scan(&self, request: Scan) -> Reply<PageResponse> {
        Reply::ready(read::scan(&self.database, request))
    }

    fn batch_get(&self, request: BatchGet) -> Reply<BatchGetResponse> {
        Reply::ready(read::batch_get(&self.database, request))
    }

    fn transact_get(&self, request: TransactionGet) -> Reply<TransactionGetResponse> {
        Reply::ready(read::transact_get(&self.database, request))
    }

    fn write(&self, request: Write) -> Reply<WriteResponse> {
        let table = Arc::clone(&request.table);
        match write::single(request) {
            write::Single::Put(put) => self.submit(put, table, write::put_response),
            write::Single::Update(update) => self.submit(update, table, write::update_response),
            write::Single::Delete(delete) => self.submit(delete, table, write::delete_response),
            write::Single::Check => Reply::ready(Err(Action::check_alone())),
        }
    }

    fn batch_write(&self, request: BatchWrite) -> Reply<BatchWriteResponse> {
        if let Err(refused) = limits::batch_write(&request) {
            return Reply::ready(Err(refused));
        }
        let table = Arc::clone(&request.table);
        self.submit(write::batch(request), table, write::batch_response)
    }

    fn transact(&self, request: Transaction) -> Reply<WriteResponse> {
        if let Err(refused) = limits::transact(&request) {
            return Reply::ready(Err(refused));
        }
        let tables = request.tables();
        self.submit(write::transaction(request), tables, write::transaction_response)
    }

    fn describe_table(&self, table_name: &str) -> Reply<Option<TableShape>> {
        Reply::ready(self.describe(table_name).map_err(|error| failure(error, table_name)))
    }

    fn create_table(&self, shape: TableShape) -> Reply<()> {
        let table: Arc<str> = shape.table.as_str().into();
        let expiry = shape.ttl_attribute.clone();
        let created = self.submit(table::creation(shape), Arc::clone(&table), drop);
        let Some(attribute) = expiry else {
            return created;
        };
        let backend = self.clone();
        let then = move || backend.enable_time_to_live(&table, attribute);
        match created.now() {
            Ok(Ok(())) => then(),
            Ok(failed) => Reply::ready(failed),
            Err(pending) => Reply::pending(async move {
                pending.await?;
                then().await
            }),
        }
    }

    fn enable_time_to_live(&self, table_name: &str, attribute: String) -> Reply<()> {
        self.submit(UpdateTimeToLive::enable(table_name, attribute), table_name.into(), drop)
    }

    /// Lets other tasks run without waiting, because nothing here is slow.
    fn pause(&self, duration: Duration) -> Reply<()> {
        // Waiting only helps against hot partitions, and only if the clock advances by itself.
        let is_hot = self.database.faults().hot_partition.is_some();
        if is_hot && self.database.clock_is_running() { wait(duration) } else { yield_now() }
    }
}
