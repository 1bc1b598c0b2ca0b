//! The service in memory, with its own clock, people with identities and tokens, and requests to it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::Router;
use axum::body::{Body, Bytes};
use http::header::AUTHORIZATION;
use http::{HeaderMap, Method, Request};
use http_body_util::BodyExt;
use monotable::dynamodb::Scan;
use monotable::model::backend::Backend;
use monotable::{Clock, Database, ManualClock, Options};
use monotable_btl_run::table::BtlRun;
use monotable_btl_run::tokens::MatchTokens;
use monotable_btl_run::{App, service};
use monotable_kit::{
    Host, JwtSettings, LocalIssuer, NoLog, Principal, SystemRandomness, Throttle, ThrottleSettings,
};
use serde_json::{Value, json};
use tower::ServiceExt;

use crate::storage;

/// When the tests start: 2027-01-15T08:00:00Z.
pub(crate) const START_MS: u64 = 1_800_000_000_000;
/// The table's name.
pub(crate) const TABLE: &str = "btlrun_kv";
/// The media type of server-sent events.
const EVENTS: &str = "text/event-stream";

pub(crate) struct Served {
    pub(crate) app: Arc<App>,
    pub(crate) clock: Arc<ManualClock>,
    pub(crate) database: Database,
    pub(crate) router: Router,
    issuer: LocalIssuer,
    /// Processes on one table do not use a key twice.
    pub(crate) keys: Arc<AtomicU64>,
}

/// What came back.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

/// Who asks.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Who<'a> {
    Nobody,
    /// Somebody with an identity; those named `kv:…` have that role.
    User(&'a str),
    /// The bearer of a token.
    Token(&'a str),
}

impl Served {
    pub(crate) async fn new() -> Self {
        Self::set_up(|app| app).await
    }

    /// The service, set up like this.
    pub(crate) async fn set_up(set_up: impl FnOnce(App) -> App) -> Self {
        let clock = Arc::new(ManualClock::new(START_MS));
        let options = Options { clock: Arc::clone(&clock) as Arc<dyn Clock>, ..Options::default() };
        let database = Database::memory_with(options);
        let backend = storage::backend(&database, &clock).await;
        Self::over(database, clock, backend, set_up).await
    }

    /// Another process on the same table.
    pub(crate) async fn beside(&self) -> Self {
        let beside = Self::on(self.database.clone(), Arc::clone(&self.clock)).await;
        Self { keys: Arc::clone(&self.keys), ..beside }
    }

    pub(crate) async fn on(database: Database, clock: Arc<ManualClock>) -> Self {
        let backend = storage::backend(&database, &clock).await;
        Self::over(database, clock, backend, |app| app).await
    }

    /// A process that reaches the table by this backend, and is set up like this.
    pub(crate) async fn over(
        database: Database,
        clock: Arc<ManualClock>,
        backend: impl Backend,
        set_up: impl FnOnce(App) -> App,
    ) -> Self {
        let db = BtlRun::open(backend).await.unwrap();
        let settings = JwtSettings::new("https://issuer.example", "btl-run");
        let issuer = LocalIssuer::new(settings, &[7; 32]).unwrap();
        let throttle = ThrottleSettings::unlimited();
        let identity = MatchTokens::before(db.clone(), Arc::new(issuer.authenticator()));
        let host = Host::new(identity, Arc::new(db.clone()))
            .throttle(Throttle::new(throttle))
            .secrets_key([9; 32])
            .log(NoLog);
        let app = Arc::new(set_up(App::new(db, Arc::new(SystemRandomness))));
        let router = service().router(Arc::clone(&app), host);
        Self { app, clock, database, router, issuer, keys: Arc::default() }
    }

    /// A request. One that writes has a new `Idempotency-Key` unless it brings one.
    pub(crate) async fn ask(
        &self,
        who: Who<'_>,
        method: Method,
        path: &str,
        body: Value,
        headers: &[(&str, &str)],
    ) -> Answer {
        self.ask_at(self.router.clone(), who, method, path, body, headers).await
    }

    /// The same service with these limits.
    pub(crate) fn router_with(&self, throttle: Throttle) -> Router {
        let identity =
            MatchTokens::before(self.app.db.clone(), Arc::new(self.issuer.authenticator()));
        let host = Host::new(identity, Arc::new(self.app.db.clone())).throttle(throttle).log(NoLog);
        service().router(Arc::clone(&self.app), host)
    }

    /// A request to a router of the service.
    pub(crate) async fn ask_at(
        &self,
        router: Router,
        who: Who<'_>,
        method: Method,
        path: &str,
        body: Value,
        headers: &[(&str, &str)],
    ) -> Answer {
        let has_key = headers.iter().any(|(name, _)| *name == "idempotency-key");
        let takes_key =
            method == Method::POST && !path.starts_with("/kv") && !path.ends_with("/export");
        let mut request = Request::builder().method(method).uri(path);
        if takes_key && !has_key {
            let number = self.keys.fetch_add(1, Ordering::Relaxed);
            request = request.header("idempotency-key", format!("key-{number}"));
        }
        if let Some(token) = self.token(who) {
            request = request.header(AUTHORIZATION, format!("Bearer {token}"));
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let body = match body {
            Value::Null => Body::empty(),
            body => {
                request = request.header("content-type", "application/json");
                Body::from(body.to_string())
            }
        };
        let response = router.oneshot(request.body(body).unwrap()).await.unwrap();
        let (head, body) = response.into_parts();
        // Events go on for as long as somebody listens.
        let goes_on = head.headers.get("content-type").is_some_and(|kind| kind == EVENTS);
        let bytes = match goes_on {
            true => Bytes::new(),
            false => body.collect().await.unwrap().to_bytes(),
        };
        Answer {
            status: head.status.as_u16(),
            headers: head.headers,
            text: String::from_utf8(bytes.to_vec()).unwrap(),
        }
    }

    pub(crate) fn token(&self, who: Who<'_>) -> Option<String> {
        match who {
            Who::Nobody => None,
            Who::Token(token) => Some(token.to_owned()),
            Who::User(id) => {
                let roles = if id.starts_with("kv:") { vec![id.to_owned()] } else { Vec::new() };
                let email_verified = false;
                let principal = Principal { id: id.to_owned(), email: None, email_verified, roles };
                Some(self.issuer.token(&principal, self.app.db.now()))
            }
        }
    }

    pub(crate) async fn get(&self, who: Who<'_>, path: &str) -> Answer {
        self.ask(who, Method::GET, path, Value::Null, &[]).await
    }

    pub(crate) async fn post(&self, who: Who<'_>, path: &str, body: Value) -> Answer {
        self.ask(who, Method::POST, path, body, &[]).await
    }

    /// A match of `ann` with tributes that nobody plays: its id, the host's token and its code.
    pub(crate) async fn open_match(&self, fields: Value) -> Opened {
        let mut body = json!({ "mode": "quick" });
        body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        let created = self.post(Who::User("ann"), "/match", body).await;
        assert_eq!(created.status, 201, "{}", created.text);
        let told = created.json();
        let text = |name: &str| told[name].as_str().unwrap().to_owned();
        Opened { id: text("matchId"), host: text("adminToken"), code: text("inviteCode") }
    }

    /// Every row of the table, by its keys.
    pub(crate) fn rows(&self) -> Vec<monotable::Item> {
        let page = self.database.scan(Scan::new(TABLE)).unwrap();
        assert!(page.last_evaluated_key.is_none(), "the table has more than a page");
        page.items.iter().map(|row| row.to_item()).collect()
    }
}

/// A match that was opened.
#[derive(Clone, Debug)]
pub(crate) struct Opened {
    pub(crate) id: String,
    pub(crate) host: String,
    pub(crate) code: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap()
    }

    /// Status and code, such as `409 NAME_TAKEN`, or `200 -`.
    pub(crate) fn told(&self) -> String {
        let body: Value = serde_json::from_str(&self.text).unwrap_or_default();
        format!("{} {}", self.status, body["code"].as_str().unwrap_or("-"))
    }
}
