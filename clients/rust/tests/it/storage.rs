//! How services reach their tables here: through AWS's SDK, at a server of its own for every database. With
//! `MONOTABLE_SERVICES_ENDPOINT`, at that endpoint instead, which must keep the tables of every access key apart, as
//! DynamoDB Local does.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use aws_sdk_dynamodb::config::Credentials;
use monotable::model::backend::request::{
    BatchGet, BatchGetAnswer, BatchWrite, BatchWriteAnswer, Get, GetAnswer, PageAnswer, Query,
    Scan, TableShape, Transaction, TransactionGet, TransactionGetAnswer, Write, WriteAnswer,
};
use monotable::model::backend::{Backend, Capabilities, Dynamo, Reply};
use monotable::{Clock, Database, ManualClock};
use monotable_server::{Config, Server};
use monotable_testkit::service::Backing;
use tokio::sync::oneshot;

use crate::endpoint::client_of;

const ENDPOINT: &str = "MONOTABLE_SERVICES_ENDPOINT";

/// What the tables of a database are reached by, at the time of its clock.
pub(crate) fn backend(database: &Database, clock: &Arc<ManualClock>) -> Backing {
    let endpoint = match std::env::var(ENDPOINT) {
        Ok(url) => Endpoint::new(url, &access_key(clock), clock, None),
        Err(_) => served(database, clock),
    };
    let backend: Arc<dyn Backend> = Arc::new(endpoint);
    Box::pin(std::future::ready(backend))
}

/// Starts a server for a database.
fn served(database: &Database, clock: &Arc<ManualClock>) -> Endpoint {
    let mut config = Config::new(SocketAddr::from((Ipv4Addr::LOCALHOST, 0)));
    config.workers = 1;
    let server = Server::bind(config).unwrap();
    let url = format!("http://{}", server.address());
    let (stop, stopped) = oneshot::channel::<()>();
    let database = database.clone();
    std::thread::spawn(move || {
        let stopped = async { drop(stopped.await) };
        server.run_until(database, stopped).unwrap();
    });
    Endpoint::new(url, "any", clock, Some(stop))
}

/// Returns an access key for the tables of one clock: processes with the same clock share them.
fn access_key(clock: &Arc<ManualClock>) -> String {
    // Weak references, so that no later clock has the address of an earlier one.
    static CLOCKS: Mutex<Vec<Weak<ManualClock>>> = Mutex::new(Vec::new());
    let mut clocks = CLOCKS.lock().unwrap();
    let known = clocks.iter().position(|known| known.as_ptr() == Arc::as_ptr(clock));
    let number = known.unwrap_or_else(|| {
        clocks.push(Arc::downgrade(clock));
        clocks.len() - 1
    });
    format!("P{}N{number}", std::process::id())
}

/// An endpoint at the time of the tests. Its server stops when this is dropped.
struct Endpoint {
    dynamo: Dynamo,
    clock: Arc<ManualClock>,
    _stop: Option<oneshot::Sender<()>>,
}

impl Endpoint {
    fn new(
        url: String,
        access_key: &str,
        clock: &Arc<ManualClock>,
        stop: Option<oneshot::Sender<()>>,
    ) -> Self {
        let credentials = Credentials::new(access_key, "any", None, None, "fixed");
        let dynamo = Dynamo::new(client_of(url, credentials));
        Self { dynamo, clock: Arc::clone(clock), _stop: stop }
    }
}

impl Backend for Endpoint {
    fn capabilities(&self) -> Capabilities {
        self.dynamo.capabilities()
    }

    fn now_ms(&self) -> u64 {
        self.clock.now_ms()
    }

    fn get(&self, request: Get) -> Reply<GetAnswer> {
        self.dynamo.get(request)
    }

    fn query(&self, request: Query) -> Reply<PageAnswer> {
        self.dynamo.query(request)
    }

    fn scan(&self, request: Scan) -> Reply<PageAnswer> {
        self.dynamo.scan(request)
    }

    fn batch_get(&self, request: BatchGet) -> Reply<BatchGetAnswer> {
        self.dynamo.batch_get(request)
    }

    fn transact_get(&self, request: TransactionGet) -> Reply<TransactionGetAnswer> {
        self.dynamo.transact_get(request)
    }

    fn write(&self, request: Write) -> Reply<WriteAnswer> {
        self.dynamo.write(request)
    }

    fn batch_write(&self, request: BatchWrite) -> Reply<BatchWriteAnswer> {
        self.dynamo.batch_write(request)
    }

    fn transact(&self, request: Transaction) -> Reply<WriteAnswer> {
        self.dynamo.transact(request)
    }

    fn describe_table(&self, table_name: &str) -> Reply<Option<TableShape>> {
        self.dynamo.describe_table(table_name)
    }

    fn create_table(&self, shape: TableShape) -> Reply<()> {
        self.dynamo.create_table(shape)
    }

    fn enable_time_to_live(&self, table_name: &str, attribute: String) -> Reply<()> {
        self.dynamo.enable_time_to_live(table_name, attribute)
    }

    fn pause(&self, duration: Duration) -> Reply<()> {
        self.dynamo.pause(duration)
    }
}
