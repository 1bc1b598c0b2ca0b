//! The service in memory, with its own clock, and requests to it.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Body;
use http::header::AUTHORIZATION;
use http::request::Parts;
use http::{HeaderMap, Method, Request};
use http_body_util::BodyExt;
use monotable::prelude::*;
use monotable::{Clock, Database, ManualClock, Options};
use monotable_kit::outbox::{Letter, Mailer, Mailing};
use monotable_kit::{
    Authenticating, Authenticator, Grant, Host, Ids, KeptPages, LogSink, MemoryLog,
    MetricsRegistry, Principal, Problem, SignIn, SignInSettings, SignInStore as _,
    SystemRandomness,
};
use monotable_metrics::Page;
use serde_json::Value;
use tower::ServiceExt;

use crate::shelf::{App, Service, Shelf, service};

/// When the tests start: 2027-01-15T08:00:00Z.
const START_MS: u64 = 1_800_000_000_000;

pub(crate) struct World {
    pub(crate) router: Router,
    pub(crate) log: Arc<MemoryLog>,
    metrics: MetricsRegistry,
    pub(crate) clock: Arc<ManualClock>,
    pub(crate) database: Database,
    pub(crate) db: monotable::model::Store<Shelf>,
    pub(crate) sign_in: SignIn,
    pub(crate) letters: Arc<Letters>,
    pub(crate) app: Arc<App>,
}

/// Keeps the letters that are sent.
#[derive(Default)]
pub(crate) struct Letters(Mutex<Vec<Letter>>);

impl Letters {
    /// Returns the path of the link in the last letter, behind the service's name.
    pub(crate) fn last_link(&self) -> String {
        let letters = self.0.lock().unwrap();
        let text = &letters.last().unwrap().text;
        let start = text.find("/shelf/").unwrap() + "/shelf".len();
        text[start..].split_whitespace().next().unwrap().to_owned()
    }
}

impl Mailer for Letters {
    fn deliver<'a>(&'a self, letter: &'a Letter) -> Mailing<'a> {
        self.0.lock().unwrap().push(letter.clone());
        Box::pin(std::future::ready(Ok(())))
    }
}

/// What came back.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

impl World {
    pub(crate) async fn new() -> Self {
        Self::with(|host| host).await
    }

    /// With a host that is changed.
    pub(crate) async fn with(change: impl FnOnce(Host) -> Host) -> Self {
        Self::of(service(), change).await
    }

    /// Another service on the same shelf, with a host that is changed.
    pub(crate) async fn of(service: Service, change: impl FnOnce(Host) -> Host) -> Self {
        let clock = Arc::new(ManualClock::new(START_MS));
        let options = Options { clock: Arc::clone(&clock) as Arc<dyn Clock>, ..Options::default() };
        Self::over(Database::memory_with(options), clock, service, change).await
    }

    /// Another process over the same table, with a host that is changed.
    pub(crate) async fn restarted(
        &self,
        service: Service,
        change: impl FnOnce(Host) -> Host,
    ) -> Self {
        Self::over(self.database.clone(), Arc::clone(&self.clock), service, change).await
    }

    async fn over(
        database: Database,
        clock: Arc<ManualClock>,
        service: Service,
        change: impl FnOnce(Host) -> Host,
    ) -> Self {
        let db = Shelf::open(Embedded::new(database.clone())).await.unwrap();
        let log = Arc::new(MemoryLog::default());
        let letters = Arc::new(Letters::default());
        let grant = Grant {
            service: "shelf".to_owned(),
            role: "librarian".to_owned(),
            email: "ann@example.org".to_owned(),
        };
        let settings = SignInSettings {
            key: [7; 32],
            mailer: Some(Arc::clone(&letters) as Arc<dyn Mailer>),
            grants: vec![grant],
            origin: "https://books.example".to_owned(),
            randomness: Arc::new(SystemRandomness),
        };
        let sign_in = SignIn::new(db.sign_in_rows(), settings);
        let host = Host::new(Arc::new(ByName), Arc::new(db.clone())).sign_in(sign_in.clone());
        let host = change(host.log(Arc::clone(&log) as Arc<dyn LogSink>));
        let app =
            Arc::new(App { db: db.clone(), ids: Ids::default(), pages: KeptPages::default() });
        let metrics = host.metrics.clone();
        let router = Router::new().nest("/shelf", service.router(Arc::clone(&app) as _, host));
        Self { router, log, metrics, clock, database, db, sign_in, letters, app }
    }

    /// The metrics as Prometheus reads them.
    pub(crate) fn metrics(&self) -> String {
        let mut page = Page::default();
        self.metrics.write(&mut page);
        page.finish()
    }

    /// Asks as Ada.
    pub(crate) async fn request(&self, method: Method, path: &str, body: Value) -> Answer {
        self.ask_with(method, path, body, &[]).await
    }

    /// Asks as Ada, with further headers.
    pub(crate) async fn ask_with(
        &self,
        method: Method,
        path: &str,
        body: Value,
        headers: &[(&str, &str)],
    ) -> Answer {
        let mut request = Request::builder()
            .method(method)
            .uri(format!("/shelf{path}"))
            .header(AUTHORIZATION, "Bearer ada");
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
        self.send(request.body(body).unwrap()).await
    }

    /// Sends a request as it is.
    pub(crate) async fn send(&self, request: Request<Body>) -> Answer {
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (head, body) = response.into_parts();
        let bytes = body.collect().await.unwrap().to_bytes();
        Answer {
            status: head.status.as_u16(),
            headers: head.headers,
            text: String::from_utf8(bytes.to_vec()).unwrap(),
        }
    }
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap()
    }

    /// Status and code, such as `409 TITLE_TAKEN`.
    pub(crate) fn outcome(&self) -> String {
        let body: Value = serde_json::from_str(&self.text).unwrap_or_default();
        format!("{} {}", self.status, body["code"].as_str().unwrap_or("-"))
    }

    /// A header; empty if it is not there.
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}

/// Takes the bearer token for the name; nobody proves that they are `expired`.
struct ByName;

impl Authenticator for ByName {
    fn authenticate<'a>(&'a self, head: &'a Parts, _now: Timestamp) -> Authenticating<'a> {
        let named = head.headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
        let found = match named.and_then(|text| text.strip_prefix("Bearer ")) {
            Some("expired") => Err(Problem::unauthenticated("The token has expired.")),
            named => Ok(named.map(|name| Principal {
                id: name.to_owned(),
                email: Some(format!("{name}@example.org")),
                email_verified: true,
                roles: Vec::new(),
            })),
        };
        Box::pin(std::future::ready(found))
    }
}
