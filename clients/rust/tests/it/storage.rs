//! How services reach their tables here: through AWS's SDK, at a server of its own for every database. With
//! `MONOTABLE_SERVICES_ENDPOINT`, at that endpoint instead, which must keep the tables of every access key apart, as
//! DynamoDB Local does. Tests look into the database as well: it gets a copy of each row that is written elsewhere.

#[path = "mirror.rs"]
mod mirror;

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use aws_sdk_dynamodb::config::Credentials;
use monotable::model::backend::request::{
    BatchGet, BatchGetResponse, BatchWrite, BatchWriteResponse, Get, GetResponse, PageResponse,
    Query, Scan, TableShape, Transaction, TransactionGet, TransactionGetResponse, Write,
    WriteResponse,
};
use monotable::model::backend::{Backend, Capabilities, Dynamo, Reply};
use monotable::{Clock, Database, ManualClock};
use monotable_server::{Config, Server};
use monotable_testkit::service::Backing;
use tokio::sync::oneshot;

use self::mirror::{Mirror, Written};
use crate::endpoint::client_of;

const ENDPOINT: &str = "MONOTABLE_SERVICES_ENDPOINT";

/// What the tables of a database are reached by, at the time of its clock.
pub(crate) fn backend(database: &Database, clock: &Arc<ManualClock>) -> Backing {
    let endpoint = match std::env::var(ENDPOINT) {
        Ok(url) => elsewhere(url, database, clock),
        Err(_) => served(database, clock),
    };
    let backend: Arc<dyn Backend> = Arc::new(endpoint);
    Box::pin(std::future::ready(backend))
}

/// Uses the tables at an endpoint that belong to a clock: processes with the same clock share them.
fn elsewhere(url: String, database: &Database, clock: &Arc<ManualClock>) -> Endpoint {
    // Weak references, so that no later clock has the address of an earlier one.
    static CLOCKS: Mutex<Vec<(Weak<ManualClock>, Mirror)>> = Mutex::new(Vec::new());
    let mut clocks = CLOCKS.lock().unwrap();
    let known = clocks.iter().position(|(known, _)| known.as_ptr() == Arc::as_ptr(clock));
    let number = known.unwrap_or_else(|| {
        clocks.push((Arc::downgrade(clock), Mirror::new(database)));
        clocks.len() - 1
    });
    let access_key = format!("P{}N{number}", std::process::id());
    let mirror = clocks[number].1.clone();
    Endpoint { mirror: Some(mirror), ..Endpoint::new(url, &access_key, clock, None) }
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

/// An endpoint at the time of the tests. Its server stops when this is dropped.
struct Endpoint {
    dynamo: Arc<Dynamo>,
    clock: Arc<ManualClock>,
    mirror: Option<Mirror>,
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
        let dynamo = Arc::new(Dynamo::new(client_of(url, credentials)));
        Self { dynamo, clock: Arc::clone(clock), mirror: None, _stop: stop }
    }

    /// Copies the rows that a request writes, when it has been answered.
    fn mirrored<A: Send + 'static>(&self, written: Vec<Written>, reply: Reply<A>) -> Reply<A> {
        let Some(mirror) = self.mirror.clone() else { return reply };
        let dynamo = Arc::clone(&self.dynamo);
        Reply::pending(async move {
            let answer = reply.await?;
            mirror.copy(&dynamo, written).await?;
            Ok(answer)
        })
    }
}

impl Backend for Endpoint {
    fn capabilities(&self) -> Capabilities {
        self.dynamo.capabilities()
    }

    fn now_ms(&self) -> u64 {
        self.clock.now_ms()
    }

    fn get(&self, request: Get) -> Reply<GetResponse> {
        self.dynamo.get(request)
    }

    fn query(&self, request: Query) -> Reply<PageResponse> {
        self.dynamo.query(request)
    }

    fn scan(&self, request: Scan) -> Reply<PageResponse> {
        self.dynamo.scan(request)
    }

    fn batch_get(&self, request: BatchGet) -> Reply<BatchGetResponse> {
        self.dynamo.batch_get(request)
    }

    fn transact_get(&self, request: TransactionGet) -> Reply<TransactionGetResponse> {
        self.dynamo.transact_get(request)
    }

    fn write(&self, request: Write) -> Reply<WriteResponse> {
        let written = Written::of_writes([&request]);
        self.mirrored(written, self.dynamo.write(request))
    }

    fn batch_write(&self, request: BatchWrite) -> Reply<BatchWriteResponse> {
        let written = Written::of_batch(&request);
        self.mirrored(written, self.dynamo.batch_write(request))
    }

    fn transact(&self, request: Transaction) -> Reply<WriteResponse> {
        let written = Written::of_writes(&request.writes);
        self.mirrored(written, self.dynamo.transact(request))
    }

    fn describe_table(&self, table_name: &str) -> Reply<Option<TableShape>> {
        self.dynamo.describe_table(table_name)
    }

    fn create_table(&self, shape: TableShape) -> Reply<()> {
        let Some(mirror) = self.mirror.clone() else { return self.dynamo.create_table(shape) };
        let created = self.dynamo.create_table(shape.clone());
        Reply::pending(async move {
            created.await?;
            mirror.create_table(shape).await
        })
    }

    fn enable_time_to_live(&self, table_name: &str, attribute: String) -> Reply<()> {
        self.dynamo.enable_time_to_live(table_name, attribute)
    }

    fn pause(&self, duration: Duration) -> Reply<()> {
        self.dynamo.pause(duration)
    }
}
