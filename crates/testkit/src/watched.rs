//! A backend that shows every request to a test before it passes it on.

use std::sync::Arc;
use std::time::Duration;

use monotable_model::backend::request::{
    BatchGet, BatchGetResponse, BatchWrite, BatchWriteResponse, Get, GetResponse, PageResponse,
    Query, Scan, TableShape, Transaction, TransactionGet, TransactionGetResponse, Write,
    WriteResponse,
};
use monotable_model::backend::{Backend, Capabilities, Reply};

/// A request to the store.
#[derive(Clone, Copy, Debug)]
pub enum Sent<'a> {
    /// A request that changes nothing.
    Read,
    /// A write of one row.
    Write(&'a Write),
    /// Writes without conditions.
    BatchWrite(&'a BatchWrite),
    /// Writes and checks, all or nothing.
    Transaction(&'a Transaction),
}

type Watch = Arc<dyn Fn(Sent<'_>) + Send + Sync>;

/// Calls a function before each request.
#[derive(Clone)]
pub struct Watched {
    backend: Arc<dyn Backend>,
    watch: Watch,
}

impl Watched {
    /// Shows the requests to this backend to a function.
    pub fn new(
        backend: Arc<dyn Backend>,
        watch: impl Fn(Sent<'_>) + Send + Sync + 'static,
    ) -> Self {
        Self { backend, watch: Arc::new(watch) }
    }

    fn reading(&self) -> &dyn Backend {
        (self.watch)(Sent::Read);
        &*self.backend
    }
}

impl Backend for Watched {
    fn capabilities(&self) -> Capabilities {
        self.backend.capabilities()
    }

    fn now_ms(&self) -> u64 {
        self.backend.now_ms()
    }

    fn get(&self, request: Get) -> Reply<GetResponse> {
        self.reading().get(request)
    }

    fn query(&self, request: Query) -> Reply<PageResponse> {
        self.reading().query(request)
    }

    fn scan(&self, request: Scan) -> Reply<PageResponse> {
        self.reading().scan(request)
    }

    fn batch_get(&self, request: BatchGet) -> Reply<BatchGetResponse> {
        self.reading().batch_get(request)
    }

    fn transact_get(&self, request: TransactionGet) -> Reply<TransactionGetResponse> {
        self.reading().transact_get(request)
    }

    fn write(&self, request: Write) -> Reply<WriteResponse> {
        (self.watch)(Sent::Write(&request));
        self.backend.write(request)
    }

    fn batch_write(&self, request: BatchWrite) -> Reply<BatchWriteResponse> {
        (self.watch)(Sent::BatchWrite(&request));
        self.backend.batch_write(request)
    }

    fn transact(&self, request: Transaction) -> Reply<WriteResponse> {
        (self.watch)(Sent::Transaction(&request));
        self.backend.transact(request)
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
