//! The requests to the table that a call of a service consists of, so that the engine can be sent the same
//! ones without the service.

use std::cell::RefCell;
use std::future::Future;
use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use monotable::model::backend::request::{
    BatchGet, BatchGetResponse, BatchWrite, BatchWriteResponse, Get, GetResponse, PageResponse,
    Query, Scan, TableShape, Transaction, TransactionGet, TransactionGetResponse, Write,
    WriteResponse,
};
use monotable::model::backend::{Backend, Capabilities, Embedded, Reply, Row};
use monotable_bench::Result;

tokio::task_local! {
    /// What the call of this task has sent, in its order.
    static SENT: RefCell<Vec<Sent>>;
}

/// A request to the table.
pub(crate) enum Sent {
    Get(Get),
    Query(Query),
    Scan(Scan),
    BatchGet(BatchGet),
    TransactGet(TransactionGet),
    Write(Write),
    BatchWrite(BatchWrite),
    Transact(Transaction),
}

impl Sent {
    /// Sends the request to another database, and decodes the rows that it returns.
    pub(crate) async fn repeat(self, engine: &Embedded) -> Result<()> {
        match self {
            Self::Get(get) => decode(engine.get(get).await?.row),
            Self::Query(query) => decode(engine.query(query).await?.rows),
            Self::Scan(scan) => decode(engine.scan(scan).await?.rows),
            Self::BatchGet(get) => decode(engine.batch_get(get).await?.rows),
            Self::TransactGet(get) => {
                decode(engine.transact_get(get).await?.rows.into_iter().flatten())
            }
            Self::Write(write) => decode(engine.write(write).await?.row),
            Self::BatchWrite(batch) => {
                engine.batch_write(batch).await?;
                Ok(())
            }
            Self::Transact(transaction) => {
                engine.transact(transaction).await?;
                Ok(())
            }
        }
    }
}

fn decode(rows: impl IntoIterator<Item = Row>) -> Result<()> {
    for row in rows {
        black_box(row.into_item()?);
    }
    Ok(())
}

/// Returns what a call returns, and what it has sent to the table.
pub(crate) async fn recorded<F: Future>(call: F) -> (F::Output, Vec<Sent>) {
    let call = async {
        let output = call.await;
        (output, SENT.with(RefCell::take))
    };
    SENT.scope(RefCell::default(), call).await
}

/// The engine of a service. It counts requests, and keeps what [`recorded`] calls send.
#[derive(Clone)]
pub(crate) struct Recorder {
    pub(crate) engine: Embedded,
    pub(crate) requests: Arc<AtomicU64>,
}

impl Recorder {
    fn keep<R: Clone>(&self, request: &R, sent: fn(R) -> Sent) -> &Embedded {
        self.requests.fetch_add(1, Ordering::Relaxed);
        // Calls that prepare something are not recorded.
        _ = SENT.try_with(|kept| kept.borrow_mut().push(sent(request.clone())));
        &self.engine
    }
}

impl Backend for Recorder {
    fn capabilities(&self) -> Capabilities {
        self.engine.capabilities()
    }

    fn now_ms(&self) -> u64 {
        self.engine.now_ms()
    }

    fn get(&self, request: Get) -> Reply<GetResponse> {
        self.keep(&request, Sent::Get).get(request)
    }

    fn query(&self, request: Query) -> Reply<PageResponse> {
        self.keep(&request, Sent::Query).query(request)
    }

    fn scan(&self, request: Scan) -> Reply<PageResponse> {
        self.keep(&request, Sent::Scan).scan(request)
    }

    fn batch_get(&self, request: BatchGet) -> Reply<BatchGetResponse> {
        self.keep(&request, Sent::BatchGet).batch_get(request)
    }

    fn transact_get(&self, request: TransactionGet) -> Reply<TransactionGetResponse> {
        self.keep(&request, Sent::TransactGet).transact_get(request)
    }

    fn write(&self, request: Write) -> Reply<WriteResponse> {
        self.keep(&request, Sent::Write).write(request)
    }

    fn batch_write(&self, request: BatchWrite) -> Reply<BatchWriteResponse> {
        self.keep(&request, Sent::BatchWrite).batch_write(request)
    }

    fn transact(&self, request: Transaction) -> Reply<WriteResponse> {
        self.keep(&request, Sent::Transact).transact(request)
    }

    fn describe_table(&self, table_name: &str) -> Reply<Option<TableShape>> {
        self.engine.describe_table(table_name)
    }

    fn create_table(&self, shape: TableShape) -> Reply<()> {
        self.engine.create_table(shape)
    }

    fn enable_time_to_live(&self, table_name: &str, attribute: String) -> Reply<()> {
        self.engine.enable_time_to_live(table_name, attribute)
    }

    fn pause(&self, duration: Duration) -> Reply<()> {
        self.engine.pause(duration)
    }
}
