//! What a service must bring to be measured, and what all of them share: a router, people
//! with tokens, and a second database with the same rows.

use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
#[cfg(test)]
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::response::Response;
use http::{Method, Request, StatusCode};
use http_body_util::BodyExt as _;
use monotable::dynamodb::{BatchWriteItem, Consistency, GetItem, Query, Scan};
use monotable::expression::key;
use monotable::model::backend::Embedded;
use monotable::model::time::Timestamp;
use monotable::{Clock, Database, Item, Options};
use monotable_bench::{Mode, Result, Scratch};
use monotable_kit::{
    Authenticator, Host, JwtSettings, LocalIssuer, NoLog, Principal, Records, Throttle,
    ThrottleSettings,
};
use serde_json::Value;
use tower::ServiceExt as _;

use crate::clients::Limit;
use crate::measured::{Alone, Slice};
use crate::recorded::Recorder;

/// Items of a batch.
const BATCH: usize = 25;

/// A service with its rows, and the same rows for the engine.
pub(crate) trait Subject: Sized {
    /// The service's name.
    const NAME: &'static str;
    /// Whether [`Subject::engine_slice`] sends requests that were written by hand, and not those of the service again.
    const IS_BY_HAND: bool = true;
    /// What is measured, in this order.
    const ACTS: &'static [Self::Act];
    /// What every call of a slice does.
    type Act: Copy + 'static;

    /// Returns the name of an act.
    fn act_name(act: Self::Act) -> &'static str;

    /// Makes rows for this many clients in this many slices.
    async fn prepare(location: DatabaseLocation<'_>, callers: usize, slices: usize)
    -> Result<Self>;

    /// Returns its databases.
    fn databases(&self) -> &Databases;

    /// Returns one slice through the service's routes.
    async fn service_slice(&self, act: Self::Act, round: usize, limit: Limit) -> Result<Slice>;

    /// The same slice by the engine's own requests.
    async fn engine_slice(&self, act: Self::Act, round: usize, limit: Limit) -> Result<Slice>;

    /// Returns what is measured without other clients, after everything else.
    async fn alone(&self) -> Result<Vec<Alone>> {
        Ok(Vec::new())
    }
}

/// Where databases are created.
#[derive(Clone, Copy)]
pub(crate) struct DatabaseLocation<'a> {
    pub(crate) mode: Mode,
    pub(crate) directory: &'a Path,
}

impl DatabaseLocation<'_> {
    /// Returns two empty databases with this clock.
    pub(crate) fn databases(self, clock: &Arc<dyn Clock>) -> Result<Databases> {
        let mut scratches = Vec::new();
        let mut database = |name| -> Result<Database> {
            let options = Options { clock: Arc::clone(clock), ..Options::default() };
            if self.mode == Mode::Memory {
                return Ok(Database::memory_with(options));
            }
            let scratch = Scratch::new(self.directory, name)?;
            let database = Database::open(scratch.path(), options)?;
            scratches.push(scratch);
            Ok(database)
        };
        let (service, engine) = (database("service")?, database("engine")?);
        Ok(Databases { service, engine, requests: Arc::default(), _scratches: scratches })
    }
}

/// The databases of a subject. Their directories go with them.
pub(crate) struct Databases {
    pub(crate) service: Database,
    pub(crate) engine: Database,
    /// The requests of the service.
    pub(crate) requests: Arc<AtomicU64>,
    _scratches: Vec<Scratch>,
}

impl Databases {
    /// Returns the backend of the service, which counts requests.
    pub(crate) fn backend(&self) -> Recorder {
        let engine = Embedded::new(self.service.clone());
        Recorder { engine, requests: Arc::clone(&self.requests) }
    }

    /// Gives the engine's table the rows of the service's, which both have.
    pub(crate) fn copy(&self, table: &str) -> Result<()> {
        let mut scan = Scan::new(table);
        loop {
            let page = self.service.scan(scan)?;
            for items in page.items.chunks(BATCH) {
                let batch = items
                    .iter()
                    .fold(BatchWriteItem::new(), |batch, item| batch.put(table, item.to_item()));
                self.engine.batch_write_item(batch)?;
            }
            let Some(last) = page.last_evaluated_key else { return Ok(()) };
            scan = Scan::new(table).exclusive_start_key(last);
        }
    }
}

/// Reads and decodes a row.
pub(crate) fn row(database: &Database, table: &str, key: &Item) -> Result<Option<Item>> {
    let found =
        database.get_item(GetItem::new(table, key.clone()).consistency(Consistency::Strong))?;
    Ok(found.item.map(|row| black_box(row.to_item())))
}

/// Reads and decodes the rows of a partition whose sort keys begin with a prefix, and returns how many there are.
pub(crate) fn count(
    database: &Database,
    table: &str,
    (partition_name, partition): (&str, &str),
    (sort_name, prefix): (&str, &str),
) -> Result<usize> {
    let condition = key(partition_name).eq(partition).and(key(sort_name).begins_with(prefix));
    let found = database.query(Query::new(table).key_condition(condition))?.items;
    found.iter().for_each(|row| drop(black_box(row.to_item())));
    Ok(found.len())
}

/// Returns the share of things that one slice has; each client has its own part of it.
pub(crate) fn share<T>(all: &[T], round: usize, slices: usize) -> &[T] {
    let each = all.len() / slices;
    &all[round * each..(round + 1) * each]
}

/// A service in this process.
#[derive(Clone)]
pub(crate) struct ServiceClient(pub(crate) Router);

impl ServiceClient {
    /// Sends a request, and returns the response as soon as it begins.
    pub(crate) async fn open(&self, request: Request<Body>) -> Result<Response> {
        match self.0.clone().oneshot(request).await {
            Ok(response) => Ok(response),
            Err(never) => match never {},
        }
    }

    /// Sends a request, and returns the body of the response, which must be a success.
    pub(crate) async fn done(&self, request: Request<Body>) -> Result<Vec<u8>> {
        let response = self.open(request).await?;
        let status = response.status();
        let body = response.into_body().collect().await?.to_bytes().to_vec();
        match status {
            StatusCode::OK | StatusCode::CREATED => Ok(body),
            status => Err(format!("{status} {}", String::from_utf8_lossy(&body)).into()),
        }
    }

    /// Sends a request, and returns the JSON of the response.
    pub(crate) async fn json(&self, request: Request<Body>) -> Result<Value> {
        let path = request.uri().path().to_owned();
        let body = self.done(request).await.map_err(|error| format!("{path}: {error}"))?;
        Ok(serde_json::from_slice(&body)?)
    }
}

/// Returns the issuer of the users' tokens.
pub(crate) fn issuer() -> Result<LocalIssuer> {
    Ok(LocalIssuer::new(JwtSettings::new("bench", "bench"), &[7; 32])?)
}

/// Returns the token of a user.
pub(crate) fn token(issuer: &LocalIssuer, user_id: &str, now: Timestamp) -> String {
    let principal = Principal {
        id: user_id.to_owned(),
        email: Some(format!("{user_id}@example.org")),
        email_verified: true,
        roles: Vec::new(),
    };
    issuer.token(&principal, now)
}

/// Returns the environment of a service, without rate limits and without logs.
pub(crate) fn host(identity: Arc<dyn Authenticator>, records: Arc<dyn Records>) -> Host {
    Host::new(identity, records).log(NoLog).throttle(Throttle::new(ThrottleSettings::unlimited()))
}

/// Returns a request of a user, with its idempotency key if it has one.
pub(crate) fn request(
    method: Method,
    path: &str,
    token: &str,
    key: Option<&str>,
    body: String,
) -> Result<Request<Body>> {
    let mut request = Request::builder().method(method).uri(path);
    if let Some(key) = key {
        request = request.header("idempotency-key", key);
    }
    Ok(request
        .header("authorization", format!("Bearer {token}"))
        .header("content-type", "application/json")
        .body(Body::from(body))?)
}

/// Returns a text in a response.
pub(crate) fn text(value: &Value, name: &str) -> Result<String> {
    Ok(value[name]
        .as_str()
        .ok_or_else(|| format!("a response without {name}: {value}"))?
        .to_owned())
}

/// Checks that the engine leaves the very rows that the service does, when it repeats what the service has sent.
#[cfg(test)]
pub(crate) fn assert_repeated<S: Subject>(table: &str) {
    let rows = |database: &Database| {
        let (mut rows, mut scan) = (Vec::new(), Scan::new(table));
        loop {
            let page = database.scan(scan).unwrap();
            rows.extend(page.items.iter().map(|row| row.to_item()));
            let Some(last) = page.last_evaluated_key else { return rows };
            scan = Scan::new(table).exclusive_start_key(last);
        }
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let location = DatabaseLocation { mode: Mode::Memory, directory: Path::new(".") };
    let subject = runtime.block_on(S::prepare(location, 2, 1)).unwrap();
    let databases = subject.databases();
    let before = rows(&databases.engine);
    for &act in S::ACTS {
        let limit = Limit { duration: Duration::from_secs(600), calls_max: 20 };
        let service = runtime.block_on(subject.service_slice(act, 0, limit)).unwrap();
        let engine = runtime.block_on(subject.engine_slice(act, 0, limit)).unwrap();
        assert!(service.operations > 0);
        assert_eq!(service.operations, engine.operations);
    }
    let (service, engine) = (rows(&databases.service), rows(&databases.engine));
    assert!(service.len() > before.len());
    let different = service.iter().zip(&engine).find(|(one, other)| one != other);
    assert_eq!((different, service.len()), (None, engine.len()));
}
