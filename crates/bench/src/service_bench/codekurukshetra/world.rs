//! An event that is open, with teams that are to pay, made through the service.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::body::Body;
use http::{Method, Request};
use monotable::model::Table as _;
use monotable::prelude::Embedded;
use monotable::{Clock, ManualClock};
use monotable_bench::Result;
use monotable_codekurukshetra::App;
use monotable_codekurukshetra::app::AppSettings;
use monotable_codekurukshetra::table::{Changes, CodeKurukshetra, Config};
use monotable_kit::payment_gateway::Gateway;
use monotable_kit::{FieldKeys, LocalIssuer, Principal, SystemRandomness};
use serde_json::{Value, json};

use super::till::{Till, order_of};
use crate::recorded::Sent;
use crate::subject::{DatabaseLocation, Databases, ServiceClient, host, issuer, request, token};

/// The table's name.
pub(super) const TABLE: &str = CodeKurukshetra::META.table_name;
/// When the event takes registrations: 2027-01-15T08:00:00Z.
const NOW_MS: u64 = 1_800_000_000_000;
/// Teams of each client in a slice whose payments are reported. Tests need a few.
const PAID_EACH: usize = if cfg!(test) { 2 } else { 40 };
/// Members of a team: as many as the event allows.
pub(super) const MEMBERS: usize = 4;
const FEE: u64 = 99_900;
const TRACKS: [&str; 4] = ["ai-ml", "web-mobile", "blockchain", "open-innovation"];

/// What every call does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    /// A team registers with all its members, and gets an order of the gateway.
    Register,
    /// The gateway reports the payment of a team by two events, each twice.
    Capture,
}

/// A team that is to pay.
#[derive(Clone, Debug)]
pub(super) struct Team {
    team_id: String,
}

/// An event of the gateway.
#[derive(Clone)]
pub(super) struct Webhook {
    body: String,
    signature: String,
    event_id: String,
}

impl Webhook {
    pub(super) fn request(&self) -> Result<Request<Body>> {
        Ok(Request::post("/hackathon/payment/webhook")
            .header("content-type", "application/json")
            .header("x-razorpay-signature", &self.signature)
            .header("x-razorpay-event-id", &self.event_id)
            .body(Body::from(self.body.clone()))?)
    }
}

impl Team {
    /// Returns the webhooks of its payment.
    pub(super) fn payment_webhooks(&self, desk: &Desk) -> Result<[Webhook; 2]> {
        let Self { team_id } = self;
        let order_id = order_of(team_id)?;
        let payment = json!({ "entity": {
            "id": format!("pay_{team_id}"), "order_id": order_id, "amount": FEE, "currency": "INR",
            "status": "captured", "method": "upi",
        }});
        let order = json!({ "entity": {
            "id": order_id, "amount": FEE, "currency": "INR", "receipt": team_id, "status": "paid",
        }});
        let webhook = |name: &str, payload: Value| {
            let body = json!({ "event": name, "payload": payload }).to_string();
            let signature = desk.till.signatures().of_webhook(body.as_bytes());
            Webhook { body, signature, event_id: format!("{name}-{team_id}") }
        };
        Ok([
            webhook("payment.captured", json!({ "payment": payment })),
            webhook("order.paid", json!({ "payment": payment, "order": order })),
        ])
    }
}

/// What the clients share.
#[derive(Clone)]
pub(super) struct Desk {
    pub(super) service: ServiceClient,
    till: Arc<Till>,
    issuer: Arc<LocalIssuer>,
    clock: Arc<ManualClock>,
    teams: Arc<AtomicUsize>,
    /// What each client has sent to the table in the last slice, call by call.
    sent: Arc<Mutex<Vec<Vec<Vec<Sent>>>>>,
}

impl Desk {
    /// Returns what the clients of the last slice have sent.
    pub(super) fn sent(&self) -> MutexGuard<'_, Vec<Vec<Vec<Sent>>>> {
        self.sent.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the registration of a new team, by an account of its own.
    pub(super) fn registration(&self) -> Result<(usize, Request<Body>)> {
        let number = self.teams.fetch_add(1, Ordering::Relaxed);
        let person = |member: usize| {
            json!({
                "first_name": "Anjali", "last_name": "Iyer",
                "email": format!("{}@example.org", user(number, member)),
                "phone": "9876543210", "college": "Example University", "year": "3rd Year",
                "is_leader": member == 0,
            })
        };
        let members: Vec<Value> = (0..MEMBERS).map(person).collect();
        let track = TRACKS[number % TRACKS.len()];
        let body = json!({ "name": format!("Team {number}"), "track": track, "members": members });
        let token = token(&self.issuer, &user(number, 0), self.now()?);
        let key = format!("bench-{number:012}");
        let path = "/hackathon/register/team";
        Ok((number, request(Method::POST, path, &token, Some(&key), body.to_string())?))
    }

    /// Returns the token of an organiser.
    pub(super) fn organiser(&self) -> Result<String> {
        let organiser = Principal {
            id: "organiser".to_owned(),
            email: Some("organiser@example.org".to_owned()),
            email_verified: true,
            roles: vec!["admin".to_owned()],
        };
        Ok(self.issuer.token(&organiser, self.now()?))
    }

    fn now(&self) -> Result<monotable::model::time::Timestamp> {
        let now = i64::try_from(self.clock.now_ms())?;
        Ok(monotable::model::time::Timestamp::from_ms(now).map_err(|error| error.to_string())?)
    }
}

fn user(team: usize, member: usize) -> String {
    format!("user-{team}-{member}")
}

/// The service with its teams.
pub(super) struct World {
    pub(super) desk: Desk,
    pub(super) databases: Databases,
    pub(super) teams: Vec<Team>,
    pub(super) callers: usize,
    pub(super) slices: usize,
}

impl World {
    pub(super) async fn new(
        location: DatabaseLocation<'_>,
        callers: usize,
        slices: usize,
    ) -> Result<Self> {
        let clock = Arc::new(ManualClock::new(NOW_MS));
        let databases = location.databases(&(Arc::clone(&clock) as Arc<dyn Clock>))?;
        let db = CodeKurukshetra::open(databases.backend()).await?;
        db.create(&config()?).await?;
        let till = Arc::new(Till::new());
        let field_keys = FieldKeys::read(&[b'5'; 32]).map_err(|error| error.to_string())?;
        let settings = AppSettings {
            key: [7; 32],
            gateway: Arc::clone(&till) as Arc<dyn Gateway>,
            field_keys,
            url: "https://bench.example".to_owned(),
        };
        let app = Arc::new(App::new(db.clone(), Arc::new(SystemRandomness), settings));
        let issuer = Arc::new(issuer()?);
        let host = host(Arc::new(issuer.authenticator()), Arc::new(db));
        let service = ServiceClient(monotable_codekurukshetra::service().router(app, host));
        let desk =
            Desk { service, till, issuer, clock, teams: Arc::default(), sent: Arc::default() };
        let mut world = Self { desk, databases, teams: Vec::new(), callers, slices };
        world.teams = world.register(callers * slices * PAID_EACH).await?;
        CodeKurukshetra::open(Embedded::new(world.databases.engine.clone())).await?;
        world.databases.copy(TABLE)?;
        Ok(world)
    }

    /// Registers this many teams.
    pub(super) async fn register(&self, teams: usize) -> Result<Vec<Team>> {
        let mut registered = Vec::with_capacity(teams);
        for _ in 0..teams {
            let (_, request) = self.desk.registration()?;
            let answer = self.desk.service.json(request).await?;
            registered.push(Team { team_id: crate::subject::text(&answer["data"], "team_id")? });
        }
        Ok(registered)
    }
}

/// Returns an event without a limit of participants.
fn config() -> Result<Config> {
    let config = json!({
        "event_name": "CodeKurukshetra", "registration_open": true,
        "registration_start": "2027-01-01T00:00:00Z", "registration_end": "2027-02-15T23:59:59Z",
        "event_start": "2027-02-20T10:00:00Z", "event_end": "2027-02-22T18:00:00Z",
        "team_fee": FEE, "max_team_size": MEMBERS, "min_team_size": 2, "max_teams": 10_000_000,
        "tracks": TRACKS, "currency": "INR", "timezone": "Asia/Kolkata", "hold_hours": 24,
        "retention_days": 180,
    });
    Ok(Config { stamps: Changes::default(), ..serde_json::from_value(config)? })
}
