//! A process of the service in memory, with a clock of its own, and requests to it.

use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use http::header::{AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use monotable::dynamodb::{PutItem, Scan};
use monotable::model::Table as _;
use monotable::model::backend::Backend;
use monotable::model::backend::request::{Action, Returns, Write};
use monotable::model::time::Timestamp;
use monotable::{Clock, Database, Faults, Item, ManualClock, Options};
use monotable_host::{HostSettings, Identity, OpenService, RunningService, Service};
use monotable_kit::blobs::{BlobStore, MemoryBlobs};
use monotable_kit::outbox::Mailer;
use monotable_kit::{
    FieldKeys, JwtSettings, LocalIssuer, MemoryLog, Principal, Randomness, SystemRandomness,
    ThrottleSettings,
};
use serde_json::Value;
use tower::ServiceExt as _;

use super::blobs::DyingBlobs;
use super::conformance::Form;
use super::fleet::Fleet;
use super::{
    Actor, Exchange, Faults as BackendFaults, Request, Response, Subject, Traffic, condition,
    conformance,
};
use crate::failing::Failing;
use crate::watched::Watched;

/// The time at which tests start: 2027-01-15T08:00:00Z.
const START_MS: u64 = 1_800_000_000_000;
/// The key of cursors and recorded secrets, the same in each process.
const KEY: [u8; 32] = [9; 32];
/// The secret of the key of encrypted fields.
const FIELD_SECRET: [u8; 32] = [b'5'; 32];
/// The secret of the tokens that the service accepts.
const TOKEN_SECRET: [u8; 32] = [7; 32];
/// The media type of streams of events, which have no end.
const EVENTS: &str = "text/event-stream";

/// The settings of a process.
#[derive(Clone)]
pub struct Setting {
    /// The service with its options.
    pub service: Arc<dyn Service>,
    /// Delivers e-mails; without it they wait.
    pub mailer: Option<Arc<dyn Mailer>>,
    /// The source of secrets.
    pub randomness: Arc<dyn Randomness>,
    /// The rate limits: unlimited by default.
    pub limits: ThrottleSettings,
    /// Stores photos and other files.
    pub blobs: MemoryBlobs,
    /// The secrets of the keys of encrypted fields, one on each line.
    pub field_secrets: Vec<u8>,
    /// What happens to expired rows.
    pub expiry: Expiry,
    /// How far indexes lag behind the table, by its clock.
    pub index_lag: Option<Duration>,
    /// Faults of the backend. With them, two other processes respond to requests, and die.
    pub faults: Option<BackendFaults>,
}

/// What happens to rows that have expired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expiry {
    /// They stay, as if they were never swept.
    Kept,
    /// They are deleted at once.
    Deleted,
}

impl Setting {
    /// Opens this service.
    pub fn new(service: impl Service + 'static) -> Self {
        Self::of(Arc::new(service))
    }

    fn of(service: Arc<dyn Service>) -> Self {
        let limits = ThrottleSettings::unlimited();
        let randomness = Arc::new(SystemRandomness);
        let field_secrets = FIELD_SECRET.to_vec();
        Self {
            service,
            mailer: None,
            randomness,
            limits,
            blobs: MemoryBlobs::default(),
            field_secrets,
            expiry: Expiry::Kept,
            index_lag: None,
            faults: None,
        }
    }
}

/// One process of a service, on a table in memory.
pub struct World<S: Subject> {
    /// The state of the service.
    pub app: Arc<S::App>,
    /// The service as a host sees it.
    pub running: Arc<dyn RunningService>,
    /// The clock of the table.
    pub clock: Arc<ManualClock>,
    /// The database with the table.
    pub database: Database,
    /// The name of the table.
    pub table: String,
    /// Responds to requests.
    pub router: Router,
    /// The requests and responses of all processes on this table.
    pub traffic: Arc<Traffic>,
    setting: Setting,
    issuer: LocalIssuer,
    log: Arc<MemoryLog>,
    api: monotable_kit::Service,
    keys: Arc<AtomicU64>,
    fleet: Option<Fleet<S>>,
}

impl<S: Subject> World<S> {
    /// Opens the service on an empty table.
    pub async fn new() -> Self {
        Self::set(Setting::of(S::service().into())).await
    }

    /// Opens the service on an empty table, with a setting.
    pub async fn set(setting: Setting) -> Self {
        let (database, clock) = memory(START_MS, setting.index_lag);
        let backend = S::backend(&database, &clock).await;
        let blobs = Arc::new(setting.blobs.clone());
        Self::open(setting, (database, clock), backend, blobs).await
    }

    /// Opens another process on the same table.
    pub async fn another_process(&self) -> Self {
        self.another_process_with(self.setting.clone()).await
    }

    /// Opens another process on the same table, with a setting.
    pub async fn another_process_with(&self, setting: Setting) -> Self {
        let backend = S::backend(&self.database, &self.clock).await;
        let blobs = Arc::new(setting.blobs.clone());
        self.process(setting, backend, blobs).await
    }

    /// Opens another process on the same table, which reaches it by this backend.
    pub async fn over(&self, backend: impl Backend) -> Self {
        let blobs = Arc::new(self.setting.blobs.clone());
        self.process(self.setting.clone(), Arc::new(backend), blobs).await
    }

    /// Opens another process on the same table, which dies at one of its calls of the table or of the blobs.
    pub async fn dying(&self, process: Failing) -> Self {
        let blobs =
            Arc::new(DyingBlobs { blobs: self.setting.blobs.clone(), process: process.clone() });
        self.process(self.setting.clone(), Arc::new(process), blobs).await
    }

    /// Opens another process on the same table, which delivers e-mails.
    pub async fn process_with_mailer(&self, mailer: Arc<dyn Mailer>) -> Self {
        self.another_process_with(Setting { mailer: Some(mailer), ..self.setting.clone() }).await
    }

    pub(super) async fn process(
        &self,
        setting: Setting,
        backend: Arc<dyn Backend>,
        blobs: Arc<dyn BlobStore>,
    ) -> Self {
        let shared = (self.database.clone(), Arc::clone(&self.clock));
        let other = Self::open(setting, shared, backend, blobs).await;
        Self { keys: Arc::clone(&self.keys), traffic: Arc::clone(&self.traffic), ..other }
    }

    /// Opens a process on a copy of the table and the blobs.
    pub async fn copy(&self) -> Self {
        let (database, clock) = memory(self.clock.now_ms(), self.setting.index_lag);
        let backend = S::backend(&database, &clock).await;
        let setting = Setting { blobs: self.setting.blobs.copy(), ..self.setting.clone() };
        let blobs = Arc::new(setting.blobs.clone());
        let copy = Self::open(setting, (database, clock), Arc::clone(&backend), blobs).await;
        for row in self.rows() {
            let write = Write {
                table: copy.table.as_str().into(),
                action: Action::Put(row),
                condition: None,
                return_on_failure: false,
                returns: Returns::Nothing,
                returns_units: false,
            };
            backend.write(write).await.expect("a row");
        }
        Self { keys: Arc::clone(&self.keys), traffic: Arc::clone(&self.traffic), ..copy }
    }

    async fn open(
        setting: Setting,
        (database, clock): (Database, Arc<ManualClock>),
        backend: Arc<dyn Backend>,
        blobs: Arc<dyn BlobStore>,
    ) -> Self {
        let (swept, expiry) = (database.clone(), setting.expiry);
        let backend = Watched::new(backend, move |sent| {
            condition::check::<S::Table>(sent);
            if expiry == Expiry::Deleted {
                swept.sweep_expired().expect("a sweep");
            }
        });
        let service = Arc::clone(&setting.service);
        let log = Arc::new(MemoryLog::default());
        let identity = Identity::local(issuer(service.name(), TOKEN_SECRET));
        let settings = HostSettings {
            mailer: setting.mailer.clone(),
            blobs,
            cursor_key: KEY,
            field_keys: FieldKeys::read(&setting.field_secrets).ok(),
            limits: setting.limits,
            log: Arc::clone(&log) as _,
            randomness: Arc::clone(&setting.randomness),
            ..HostSettings::new(Arc::new(backend), identity)
        };
        let table = service.table_name();
        let OpenService { router, running, .. } =
            service.open(table, &settings).await.expect("the service opens");
        let app: Arc<dyn Any + Send + Sync> = Arc::clone(&running) as _;
        let Ok(app) = app.downcast() else { panic!("the service runs with another type") };
        Self {
            app,
            running,
            clock,
            database,
            table: table.replace("{environment}", "dev"),
            router,
            traffic: Arc::default(),
            issuer: issuer(service.name(), TOKEN_SECRET),
            log,
            api: service.api(),
            keys: Arc::default(),
            fleet: setting.faults.clone().map(Fleet::new),
            setting,
        }
    }

    /// Returns the time of the table's clock.
    pub fn now(&self) -> Timestamp {
        Timestamp::from_ms(i64::try_from(self.clock.now_ms()).expect("a time")).expect("a time")
    }

    /// Returns the settings of the process.
    pub fn setting(&self) -> &Setting {
        &self.setting
    }

    /// Returns the log of this process.
    pub fn log_text(&self) -> String {
        self.log.text()
    }

    /// Returns a token of an actor, if it has one.
    pub fn token(&self, actor: Actor<'_>) -> Option<String> {
        match actor {
            Actor::Nobody => None,
            Actor::User(name) => Some(self.issuer.token(&S::principal(name), self.now())),
            Actor::Token(token) => Some(token.to_owned()),
        }
    }

    /// Returns a token of a user that was issued this many seconds ago.
    pub fn old_token(&self, user: &str, seconds: u64) -> String {
        let issued_at = self.now() - Duration::from_secs(seconds);
        self.issuer.token(&S::principal(user), issued_at)
    }

    /// Returns a token that another issuer has signed.
    pub fn forged_token(&self, principal: &Principal) -> String {
        issuer(self.setting.service.name(), [8; 32]).token(principal, self.now())
    }

    /// Sends a request as an actor. Where an operation needs an `Idempotency-Key`, it gets a new one
    /// unless the request has one. The response is checked against the document of the service.
    pub async fn send(&self, actor: impl Into<Actor<'_>>, request: Request<'_>) -> Response {
        let token = self.token(actor.into());
        self.send_with(token.as_deref(), request).await
    }

    /// Sends a request with the contents of a token, or without a token.
    pub async fn request_as(
        &self,
        principal: Option<&Principal>,
        method: Method,
        path: &str,
        body: Value,
        headers: &[(&str, &str)],
    ) -> Response {
        let token = principal.map(|principal| self.issuer.token(principal, self.now()));
        self.send_with(token.as_deref(), Request { method, path, body, headers }).await
    }

    async fn send_with(&self, token: Option<&str>, request: Request<'_>) -> Response {
        let body = match &request.body {
            Value::Null => None,
            body => Some(body.to_string()),
        };
        self.send_text(token, request, body).await
    }

    /// Sends a POST without a token, whose body is JSON exactly as given: it is signed.
    pub async fn post_text(&self, path: &str, body: &str, headers: &[(&str, &str)]) -> Response {
        let request = Request { method: Method::POST, path, body: Value::Null, headers };
        self.send_text(None, request, Some(body.to_owned())).await
    }

    async fn send_text(
        &self,
        token: Option<&str>,
        request: Request<'_>,
        body: Option<String>,
    ) -> Response {
        let Request { method, path, headers, .. } = request;
        let route = self.api.route_of(&method, path);
        let has_key = headers.iter().any(|(name, _)| *name == "idempotency-key");
        let mut sent = http::Request::builder().method(&method).uri(path);
        let map = sent.headers_mut().expect("a path");
        if route.is_some_and(|route| route.needs_idempotency_key) && !has_key {
            let number = self.keys.fetch_add(1, Ordering::Relaxed);
            insert(map, "idempotency-key", &format!("key-{number}"));
        }
        if let Some(token) = token {
            insert(map, AUTHORIZATION.as_str(), &format!("Bearer {token}"));
        }
        headers.iter().for_each(|(name, value)| insert(map, name, value));
        let body = match body {
            None => Body::empty(),
            Some(body) => {
                insert(map, CONTENT_TYPE.as_str(), "application/json");
                Body::from(body)
            }
        };
        let sent = sent.body(body).expect("a request");
        let process = match &self.fleet {
            Some(fleet) => Some(fleet.next(self).await),
            None => None,
        };
        let process = process.as_deref().unwrap_or(self);
        let Ok(response) = process.router.clone().oneshot(sent).await;
        let response = received(response).await;
        if let Some(route) = route {
            // Older clients send the version of the form that they use.
            let is_older = headers.iter().any(|(name, _)| *name == "accept-version");
            let form = if is_older { Form::Older } else { Form::Documented };
            conformance::check(&self.api, route, &response, form);
        }
        let hidden = if route.is_some_and(S::shows_rows) { &[] } else { S::HIDDEN_FIELDS };
        let exchange = Exchange {
            request: format!("{method} {path}"),
            token: token.map(str::to_owned),
            status: response.status,
            text: response.text.clone(),
        };
        self.traffic.record(exchange, (hidden, S::PERSONAL_DATA), &process.log);
        response
    }

    /// Sends a request in parts.
    pub async fn request(
        &self,
        actor: impl Into<Actor<'_>>,
        method: Method,
        path: &str,
        body: Value,
        headers: &[(&str, &str)],
    ) -> Response {
        self.send(actor, Request { method, path, body, headers }).await
    }

    /// Sends a GET.
    pub async fn get(&self, actor: impl Into<Actor<'_>>, path: &str) -> Response {
        self.request(actor, Method::GET, path, Value::Null, &[]).await
    }

    /// Sends a POST.
    pub async fn post(&self, actor: impl Into<Actor<'_>>, path: &str, body: Value) -> Response {
        self.request(actor, Method::POST, path, body, &[]).await
    }

    /// Sends a PUT.
    pub async fn put(&self, actor: impl Into<Actor<'_>>, path: &str, body: Value) -> Response {
        self.request(actor, Method::PUT, path, body, &[]).await
    }

    /// Sends a DELETE.
    pub async fn delete(&self, actor: impl Into<Actor<'_>>, path: &str) -> Response {
        self.request(actor, Method::DELETE, path, Value::Null, &[]).await
    }

    /// Sends a GET whose response has no end.
    pub async fn follow(
        &self,
        actor: impl Into<Actor<'_>>,
        path: &str,
    ) -> axum::response::Response {
        let mut request = http::Request::builder().uri(path);
        if let Some(token) = self.token(actor.into()) {
            request = request.header(AUTHORIZATION, format!("Bearer {token}"));
        }
        let request = request.body(Body::empty()).expect("a request");
        let Ok(response) = self.router.clone().oneshot(request).await;
        response
    }

    /// Returns every row of the table, by its keys.
    pub fn rows(&self) -> Vec<Item> {
        scan(&self.database, Scan::new(&self.table))
    }

    /// Returns every row as text, for comparisons.
    pub fn stored(&self) -> Vec<String> {
        let mut rows: Vec<String> = self.rows().iter().map(|row| format!("{row:?}")).collect();
        rows.sort();
        rows
    }

    /// Writes rows directly, as an older program did.
    pub fn put_rows(&self, rows: impl IntoIterator<Item = Item>) {
        for row in rows {
            self.database.put_item(PutItem::new(&self.table, row)).expect("a row");
        }
    }

    /// Works until nothing is left to do.
    ///
    /// # Panics
    /// Panics if the work does not end.
    pub async fn finish_work(&self, when: &str) {
        assert!(S::finish_work(self).await, "{when}: the work does not end");
    }

    /// Checks the invariants that hold at every time.
    ///
    /// # Panics
    /// Panics if one is violated.
    pub async fn check(&self, when: &str) {
        report(&S::invariants(self).await, when);
    }

    /// Checks the invariants that hold when all work is done.
    ///
    /// # Panics
    /// Panics if one is violated.
    pub async fn check_quiet(&self, when: &str) {
        if let Some(lag) = self.setting.index_lag {
            self.clock.advance_ms(u64::try_from(lag.as_millis()).expect("a short time"));
        }
        report(&S::quiet_invariants(self).await, when);
    }

    /// Returns the declaration of the table.
    pub(super) fn meta() -> &'static monotable::design::meta::TableMeta {
        S::Table::META
    }

    /// Returns the operation that a request is for, if there is one.
    pub fn route_of(&self, request: &Request<'_>) -> Option<&monotable_kit::Route> {
        self.api.route_of(&request.method, request.path)
    }

    /// Returns the operations of the service.
    pub fn routes(&self) -> &[monotable_kit::Route] {
        &self.api.routes
    }
}

/// Receives a whole response, unless it has no end.
async fn received(response: axum::response::Response) -> Response {
    let (head, body) = response.into_parts();
    let has_end = head.headers.get(CONTENT_TYPE).is_none_or(|kind| kind != EVENTS);
    let bytes =
        if has_end { to_bytes(body, usize::MAX).await.expect("a body") } else { Bytes::new() };
    Response {
        status: head.status.as_u16(),
        headers: head.headers,
        text: String::from_utf8_lossy(&bytes).into_owned(),
    }
}

fn report(wrong: &[String], when: &str) {
    assert!(wrong.is_empty(), "{when}:\n{}", wrong.join("\n"));
}

fn memory(now_ms: u64, index_lag: Option<Duration>) -> (Database, Arc<ManualClock>) {
    let clock = Arc::new(ManualClock::new(now_ms));
    let faults = Faults { index_lag, ..Faults::default() };
    let options =
        Options { clock: Arc::clone(&clock) as Arc<dyn Clock>, faults, ..Options::default() };
    (Database::memory_with(options), clock)
}

fn issuer(service: &str, secret: [u8; 32]) -> LocalIssuer {
    let settings = JwtSettings::new("https://issuer.example", service);
    LocalIssuer::new(settings, &secret).expect("a secret of 32 bytes")
}

fn insert(headers: &mut HeaderMap, name: &str, value: &str) {
    let name: HeaderName = name.parse().expect("the name of a header");
    headers.insert(name, HeaderValue::from_str(value).expect("the value of a header"));
}

/// Returns the rows of all pages of a scan.
pub(super) fn scan(database: &Database, first: Scan) -> Vec<Item> {
    let (mut rows, mut next) = (Vec::new(), Some(first.clone()));
    while let Some(scan) = next {
        let page = database.scan(scan).expect("a scan");
        rows.extend(page.items.iter().map(|row| row.to_item()));
        let start = page.last_evaluated_key;
        next = start.map(|start| Scan { exclusive_start_key: Some(start), ..first.clone() });
    }
    rows
}
