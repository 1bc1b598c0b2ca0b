//! How services reach their tables here: a server of its own for every database, AWS's SDK, and the
//! backend that speaks through it.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use aws_sdk_dynamodb::config::Credentials;
use monotable::model::backend::request::{
    BatchGet, BatchGetAnswer, BatchWrite, BatchWriteAnswer, Get, GetAnswer, PageAnswer, Query,
    Scan, TableShape, Transaction, TransactionGet, TransactionGetAnswer, Write, WriteAnswer,
};
use monotable::model::backend::{Backend, Capabilities, Dynamo, Reply};
use monotable::{Clock, Database, ManualClock};
use monotable_server::{Config, Server};
use tokio::sync::oneshot;

use crate::endpoint::client_of;

/// What the tables in this database are reached by, at the time of this clock. This backend makes no
/// tables by itself.
pub(crate) fn backend(database: &Database, clock: &Arc<ManualClock>) -> impl Backend + use<> {
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
    let credentials = Credentials::new("any", "any", None, None, "fixed");
    let dynamo = Dynamo::new(client_of(url, credentials));
    Endpoint { dynamo, clock: Arc::clone(clock), _stop: stop }
}

/// The endpoint at the time of the tests. The server stops when this is dropped.
struct Endpoint {
    dynamo: Dynamo,
    clock: Arc<ManualClock>,
    _stop: oneshot::Sender<()>,
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
