//! The service in memory, with its own clock, people with tokens, and requests to it.

#[path = "world/rows.rs"]
mod rows;

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use http::header::AUTHORIZATION;
use http::{HeaderMap, Method, Request};
use http_body_util::BodyExt;
use monotable::dynamodb::{PutItem, Scan};
use monotable::model::backend::Backend;
use monotable::{Clock, Database, ManualClock, Options};
use monotable_hacktracker::table::{HackTracker, Role, TeamType};
use monotable_hacktracker::{App, service};
use monotable_kit::outbox::Mailer;
use monotable_kit::{
    Host, JwtSettings, LocalIssuer, NoLog, Principal, Service, SystemRandomness, Throttle,
    ThrottleSettings,
};
use serde_json::{Value, json};
use tower::ServiceExt;

use crate::storage;

/// When the tests start: 2027-01-15T08:00:00Z.
const START_MS: u64 = 1_800_000_000_000;
/// The table's name.
pub(crate) const TABLE: &str = "hacktracker-dev";
/// The media type of server-sent events.
const EVENTS: &str = "text/event-stream";

/// The operations and what they declare.
static SERVICE: LazyLock<Service> = LazyLock::new(service);

pub(crate) struct World {
    pub(crate) app: Arc<App>,
    pub(crate) clock: Arc<ManualClock>,
    pub(crate) database: Database,
    router: Router,
    issuer: LocalIssuer,
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
        Self::at(START_MS).await
    }

    async fn at(now_ms: u64) -> Self {
        let clock = Arc::new(ManualClock::new(now_ms));
        let options = Options { clock: Arc::clone(&clock) as Arc<dyn Clock>, ..Options::default() };
        Self::on(Database::memory_with(options), clock).await
    }

    /// Another process on the same table.
    pub(crate) async fn beside(&self) -> Self {
        Self::on(self.database.clone(), Arc::clone(&self.clock)).await
    }

    async fn on(database: Database, clock: Arc<ManualClock>) -> Self {
        let backend = storage::backend(&database, &clock).await;
        Self::over(database, clock, backend).await
    }

    /// The same rows in a table of their own.
    pub(crate) async fn copy(&self) -> Self {
        let copy = Self::at(self.clock.now_ms()).await;
        let mut scan = Scan::new(TABLE);
        loop {
            let page = self.database.scan(scan).unwrap();
            for row in &page.items {
                copy.database.put_item(PutItem::new(TABLE, row.to_item())).unwrap();
            }
            let Some(last) = page.last_evaluated_key else { return copy };
            scan = Scan { exclusive_start_key: Some(last), ..Scan::new(TABLE) };
        }
    }

    /// Another process on the same table, which spreads its lists over so many partitions.
    pub(crate) async fn spread(&self, list_shards: u16) -> Self {
        let (database, clock) = (self.database.clone(), Arc::clone(&self.clock));
        let backend = storage::backend(&database, &clock).await;
        Self::with(database, clock, backend, |app| app.list_shards(list_shards)).await
    }

    /// Another process on the same table, which delivers letters.
    pub(crate) async fn mailing(&self, mailer: Arc<dyn Mailer>) -> Self {
        let (database, clock) = (self.database.clone(), Arc::clone(&self.clock));
        let backend = storage::backend(&database, &clock).await;
        Self::with(database, clock, backend, |app| app.mailer(mailer).unwrap()).await
    }

    /// A process that reaches the table by this backend.
    pub(crate) async fn over(
        database: Database,
        clock: Arc<ManualClock>,
        backend: impl Backend,
    ) -> Self {
        Self::with(database, clock, backend, |app| app).await
    }

    async fn with(
        database: Database,
        clock: Arc<ManualClock>,
        backend: impl Backend,
        change: impl FnOnce(App) -> App,
    ) -> Self {
        let db = HackTracker::open(backend).await.unwrap();
        let settings = JwtSettings::new("https://issuer.example", "hacktracker");
        let issuer = LocalIssuer::new(settings, &[7; 32]).unwrap();
        let throttle = ThrottleSettings::unlimited();
        let host = Host::new(Arc::new(issuer.authenticator()), Arc::new(db.clone()))
            .throttle(Throttle::new(throttle))
            .secrets_key([9; 32])
            .log(NoLog);
        let app = App::new(db, Arc::new(SystemRandomness)).secrets_key(&[9; 32]);
        let app = Arc::new(change(app));
        let router = service().router(Arc::clone(&app), host);
        Self { app, clock, database, router, issuer }
    }

    /// Somebody who is known.
    pub(crate) fn principal(&self, user: &str) -> Principal {
        let roles = if user == "admin" { vec!["admin".to_owned()] } else { Vec::new() };
        let email = Some(format!("{user}@example.org"));
        Principal { id: user.to_owned(), email, email_verified: true, roles }
    }

    /// A request of somebody; nobody has no name.
    pub(crate) async fn ask(
        &self,
        user: &str,
        method: Method,
        path: &str,
        body: Value,
        headers: &[(&str, &str)],
    ) -> Answer {
        let principal = (!user.is_empty()).then(|| self.principal(user));
        self.ask_as(principal.as_ref(), method, path, body, headers).await
    }

    /// A request with what a token says, or without a token.
    pub(crate) async fn ask_as(
        &self,
        principal: Option<&Principal>,
        method: Method,
        path: &str,
        body: Value,
        headers: &[(&str, &str)],
    ) -> Answer {
        let mut request = Request::builder().method(&method).uri(path);
        if let Some(principal) = principal {
            let token = self.issuer.token(principal, self.app.db.now());
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
        let response = self.router.clone().oneshot(request.body(body).unwrap()).await.unwrap();
        let (head, body) = response.into_parts();
        // Events go on for as long as somebody listens.
        let goes_on = head.headers.get("content-type").is_some_and(|kind| kind == EVENTS);
        let bytes = match goes_on {
            true => Bytes::new(),
            false => body.collect().await.unwrap().to_bytes(),
        };
        let (status, text) = (head.status.as_u16(), String::from_utf8(bytes.to_vec()).unwrap());
        // An operation returns no refusal that it does not list.
        SERVICE.check_response(&method, path, status, &text).unwrap();
        Answer { status, headers: head.headers, text }
    }

    pub(crate) async fn get(&self, user: &str, path: &str) -> Answer {
        self.ask(user, Method::GET, path, Value::Null, &[]).await
    }

    pub(crate) async fn post(&self, user: &str, path: &str, body: Value) -> Answer {
        self.ask(user, Method::POST, path, body, &[]).await
    }

    pub(crate) async fn put(&self, user: &str, path: &str, body: Value) -> Answer {
        self.ask(user, Method::PUT, path, body, &[]).await
    }

    pub(crate) async fn delete(&self, user: &str, path: &str) -> Answer {
        self.ask(user, Method::DELETE, path, Value::Null, &[]).await
    }

    /// A response whose body goes on.
    pub(crate) async fn open(&self, user: &str, path: &str) -> axum::response::Response {
        self.open_with_token_of(user, path, 0).await
    }

    /// A response whose body goes on, to a token that was issued so many seconds ago.
    pub(crate) async fn open_with_token_of(
        &self,
        user: &str,
        path: &str,
        seconds: u64,
    ) -> axum::response::Response {
        let issued_at = self.app.db.now() - Duration::from_secs(seconds);
        let token = self.issuer.token(&self.principal(user), issued_at);
        let request = Request::builder()
            .uri(path)
            .header(AUTHORIZATION, format!("Bearer {token}"))
            .body(Body::empty());
        self.router.clone().oneshot(request.unwrap()).await.unwrap()
    }

    /// The team `red` of owner ann, manager meg, scorekeeper sam and player pat, with nine players.
    pub(crate) async fn red() -> Self {
        let world = Self::new().await;
        let members = [
            ("ann", Role::Owner),
            ("meg", Role::Manager),
            ("sam", Role::Scorekeeper),
            ("pat", Role::Player),
        ];
        world.team("red", TeamType::Managed, &members, 9).await;
        world
    }

    /// A game of the team `red` with its lineup, as the fields say, and its id.
    pub(crate) async fn game(&self, fields: Value) -> String {
        let mut body = json!({ "teamId": "red", "lineup": lineup() });
        body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        let created = self.post("sam", "/games", body).await;
        assert_eq!(created.status, 201, "{}", created.text);
        created.json()["gameId"].as_str().unwrap().to_owned()
    }

    /// A plate appearance of a player of `red`, recorded by the scorekeeper, and its id.
    pub(crate) async fn at_bat(&self, game: &str, player: usize, fields: Value) -> String {
        let mut body = json!({ "playerId": format!("red-{player}"), "result": "1B" });
        body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        let recorded = self.post("sam", &format!("/games/{game}/atbats"), body).await;
        assert_eq!(recorded.status, 201, "{}", recorded.text);
        recorded.json()["atBatId"].as_str().unwrap().to_owned()
    }
}

/// The nine players of `red`.
pub(crate) fn lineup() -> Vec<String> {
    (1..=9).map(|number| format!("red-{number}")).collect()
}

/// An id.
pub(crate) fn id<I: std::str::FromStr<Err: std::fmt::Debug>>(text: &str) -> I {
    text.parse().unwrap()
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap()
    }

    /// Status and code, such as `409 NUMBER_TAKEN`, or `200 -`.
    pub(crate) fn told(&self) -> String {
        let body: Value = serde_json::from_str(&self.text).unwrap_or_default();
        format!("{} {}", self.status, body["code"].as_str().unwrap_or("-"))
    }

    /// A header; empty if it is not there.
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}
