//! The service in memory with a gateway that tests command, and what most tests begin with.

use std::ops::Deref;
use std::sync::Arc;

use monotable::dynamodb::GetItem;
use monotable::{Database, Item, ManualClock, item};
use monotable_codekurukshetra::gateway::Simulator;
use monotable_codekurukshetra::table::{Changes, CodeKurukshetra, Config};
use monotable_codekurukshetra::{App, CodeKurukshetraService};
use monotable_host::Service;
use monotable_kit::Principal;
use monotable_testkit::service::{self, Backing, Response, Setting, Subject};
use serde_json::Value;

use crate::storage;

/// A process of the service.
pub(crate) type World = service::World<Hackathon>;

/// CodeKurukshetra, for its tests.
pub(crate) struct Hackathon;

impl Subject for Hackathon {
    type App = App;
    type Table = CodeKurukshetra;

    const HIDDEN_FIELDS: &'static [&'static str] = &["PK", "SK", "razorpay_signature", "code_hash"];

    fn service() -> Box<dyn Service> {
        Box::new(CodeKurukshetraService::default())
    }

    /// `admin` is an administrator, and users whose names begin with `judge` are judges.
    fn principal(user: &str) -> Principal {
        let role = if user.starts_with("judge") { "judge" } else { user };
        let roles = [role.to_owned()].into_iter().filter(|role| ["admin", "judge"].contains(&role.as_str()));
        let email = Some(format!("{user}@example.org"));
        Principal { id: user.to_owned(), email, email_verified: true, roles: roles.collect() }
    }

    fn backend(database: &Database, clock: &Arc<ManualClock>) -> Backing {
        storage::backend(database, clock)
    }
}

/// A process of the service with the gateway that its teams pay at.
pub(crate) struct Event {
    pub(crate) world: Arc<World>,
    pub(crate) gateway: Arc<Simulator>,
}

impl Deref for Event {
    type Target = World;

    fn deref(&self) -> &World {
        &self.world
    }
}

impl Event {
    /// Opens an event that accepts registrations: 500 teams of 2 to 4 people, for 999 rupees.
    pub(crate) async fn new() -> Self {
        Self::with(|_| {}).await
    }

    /// Opens an event with other settings.
    pub(crate) async fn with(change: impl FnOnce(&mut Config)) -> Self {
        let event = Self::empty().await;
        let mut config = config();
        change(&mut config);
        event.app.db.create(&config).await.unwrap();
        event
    }

    /// Opens the service without settings of an event.
    pub(crate) async fn empty() -> Self {
        let gateway = Arc::new(Simulator::new([3; 32]));
        let service = CodeKurukshetraService::default().gateway(Arc::clone(&gateway) as _);
        let world = Arc::new(World::set(Setting::new(service)).await);
        Self { world, gateway }
    }

    /// Returns a row as it is stored.
    pub(crate) fn row(&self, partition: &str, sort: &str) -> Option<Item> {
        let get = GetItem::new(self.table.as_str(), item! { "PK" => partition, "SK" => sort });
        self.database.get_item(get).unwrap().item.map(|item| item.to_item())
    }

    /// Returns whether the table has such a row.
    pub(crate) fn has(&self, partition: &str, sort: &str) -> bool {
        self.row(partition, sort).is_some()
    }
}

/// The settings of an event that is open when tests start, 2027-01-15.
pub(crate) fn config() -> Config {
    let at = |text: &str| text.parse().unwrap();
    let tracks = ["ai-ml", "web-mobile", "blockchain", "open-innovation"];
    Config {
        event_name: "CodeKurukshetra".to_owned(),
        registration_open: true,
        registration_start: at("2027-01-01T00:00:00Z"),
        registration_end: at("2027-02-15T23:59:59Z"),
        event_start: at("2027-02-20T10:00:00Z"),
        event_end: at("2027-02-22T18:00:00Z"),
        team_fee: 99_900,
        max_team_size: 4,
        min_team_size: 2,
        max_teams: 500,
        tracks: tracks.map(id).to_vec(),
        currency: "INR".to_owned(),
        timezone: "Asia/Kolkata".to_owned(),
        hold_hours: 24,
        retention_days: 180,
        contact_email: Some("desk@example.org".to_owned()),
        stamps: Changes::default(),
    }
}

/// Checks the status of a response, and returns its data, or the error of a refusal.
pub(crate) fn done(response: Response, status: u16) -> Value {
    assert_eq!(response.status, status, "{}", response.text);
    let part = if status < 400 { "data" } else { "error" };
    response.value()[part].clone()
}

/// An id.
pub(crate) fn id<I: std::str::FromStr<Err: std::fmt::Debug>>(text: &str) -> I {
    text.parse().unwrap()
}
