//! The service in memory with a gateway that tests command, and what most tests begin with.

use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use monotable::dynamodb::GetItem;
use monotable::{Database, Item, ManualClock, item};
use monotable_codekurukshetra::table::{
    Changes, CodeKurukshetra, CodeKurukshetraReads as _, Config, Payment, Team, TeamId, TotalStats,
};
use monotable_codekurukshetra::{App, CodeKurukshetraService};
use monotable_host::Service;
use monotable_kit::Principal;
use monotable_kit::payment_gateway::{
    Attempt, Gateway as _, GatewayPayment, OrderId, Simulator, Webhook,
};
use monotable_testkit::service::{self, Backing, Response, Setting, Subject, Testing, oracle};
use serde_json::{Value, json};

use crate::storage;

/// A process of the service.
pub(crate) type World = service::World<Hackathon>;

/// CodeKurukshetra, for its tests.
pub(crate) struct Hackathon;

impl Subject for Hackathon {
    type App = App;
    type Table = CodeKurukshetra;

    const HIDDEN_FIELDS: &'static [&'static str] = &["PK", "SK", "razorpay_signature", "code_hash"];
    const PERSONAL_DATA: &'static [&'static str] = &["@example.org", "9876543210", "192.0.2."];

    fn service() -> Box<dyn Service> {
        Box::new(CodeKurukshetraService::default())
    }

    /// `admin` is an administrator, and users whose names begin with `judge` are judges.
    fn principal(user: &str) -> Principal {
        let role = if user.starts_with("judge") { "judge" } else { user };
        let roles = [role.to_owned()]
            .into_iter()
            .filter(|role| ["admin", "judge"].contains(&role.as_str()));
        let email = Some(format!("{user}@example.org"));
        Principal { id: user.to_owned(), email, email_verified: true, roles: roles.collect() }
    }

    fn backend(database: &Database, clock: &Arc<ManualClock>) -> Backing {
        storage::backend(database, clock)
    }

    /// Compares the indexes with the table, and asks the service's own audit, which counts everything again.
    fn invariants(world: &World) -> Testing<'_, Vec<String>> {
        Box::pin(async {
            let mut wrong = oracle::index_differences(world);
            if world.app.db.config().await.unwrap().is_some() {
                let audit = world.post("admin", "/hackathon/admin/check", json!({})).await;
                let audit = done(audit, 200);
                let findings = audit["findings"].as_array().unwrap().iter();
                wrong.extend(findings.map(|finding| format!("the audit finds {finding}")));
            }
            wrong
        })
    }

    /// Works until no job is left.
    fn finish_work(world: &World) -> Testing<'_, bool> {
        Box::pin(async {
            for _ in 0..20 {
                world.app.work().await.unwrap();
                if world.app.db.job_tickets().page().await.unwrap().rows.is_empty() {
                    return true;
                }
                // A job that a dead worker had taken is free again after a while.
                world.clock.advance_ms(60 * 1_000);
            }
            false
        })
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
        let mut config = config();
        change(&mut config);
        Self::empty().await.configured(config).await
    }

    /// Opens an event whose indexes lag behind the table.
    pub(crate) async fn lagging(lag: Duration) -> Self {
        let set = |setting| Setting { index_lag: Some(lag), ..setting };
        Self::set(set).await.configured(config()).await
    }

    /// Opens the service without settings of an event.
    pub(crate) async fn empty() -> Self {
        Self::set(|setting| setting).await
    }

    async fn set(change: impl FnOnce(Setting) -> Setting) -> Self {
        let gateway = Arc::new(Simulator::new([3; 32]));
        let service = CodeKurukshetraService::default().gateway(Arc::clone(&gateway) as _);
        let world = Arc::new(World::set(change(Setting::new(service))).await);
        Self { world, gateway }
    }

    async fn configured(self, config: Config) -> Self {
        self.app.db.create(&config).await.unwrap();
        self
    }

    /// Registers a team, and returns the registration.
    pub(crate) async fn register(&self, leader: &str, name: &str, others: &[&str]) -> Value {
        let body = team_body(name, &[&[leader], others].concat());
        done(self.post(leader, "/hackathon/register/team", body).await, 201)
    }

    /// Registers a team, and returns its id and the order that it pays.
    pub(crate) async fn order(&self, leader: &str, others: &[&str]) -> (TeamId, OrderId) {
        let team = self.register(leader, &format!("Team {leader}"), others).await;
        let team_id = team["team_id"].as_str().unwrap();
        let body = json!({ "team_id": team_id });
        let order = done(self.post(leader, "/hackathon/payment/create-order", body).await, 200);
        (id(team_id), id(order["order_id"].as_str().unwrap()))
    }

    /// Registers a team that pays, and returns its id and the payment of the gateway.
    pub(crate) async fn paid(&self, leader: &str, others: &[&str]) -> (TeamId, GatewayPayment) {
        let (team_id, order_id) = self.order(leader, others).await;
        let payment = self.gateway.attempt(&order_id, Attempt::Succeeds).unwrap();
        for response in self.deliver().await {
            done(response, 200);
        }
        (team_id, payment)
    }

    /// Delivers a webhook.
    pub(crate) async fn webhook(&self, webhook: &Webhook) -> Response {
        let headers = [
            ("x-razorpay-signature", webhook.signature.as_str()),
            ("x-razorpay-event-id", webhook.event_id.as_str()),
        ];
        self.post_text("/hackathon/payment/webhook", &webhook.body, &headers).await
    }

    /// Takes the webhooks that wait.
    pub(crate) fn webhooks(&self) -> Vec<Webhook> {
        std::iter::from_fn(|| self.gateway.take_webhook(0)).collect()
    }

    /// Delivers the webhooks that wait, in their order.
    pub(crate) async fn deliver(&self) -> Vec<Response> {
        let mut responses = Vec::new();
        for webhook in self.webhooks() {
            responses.push(self.webhook(&webhook).await);
        }
        responses
    }

    /// Brings the result of a payment back from the gateway, as a browser does.
    pub(crate) async fn verify(&self, leader: &str, payment: &GatewayPayment) -> Response {
        let signature =
            self.gateway.signatures().of_payment(&payment.order_id, &payment.payment_id);
        let body = json!({
            "razorpay_order_id": payment.order_id, "razorpay_payment_id": payment.payment_id,
            "razorpay_signature": signature,
        });
        self.post(leader, "/hackathon/payment/verify", body).await
    }

    /// Returns a team as it is stored.
    pub(crate) async fn team(&self, team_id: &TeamId) -> Team {
        self.app.db.team(team_id).await.unwrap().unwrap()
    }

    /// Returns the payment of a team as it is stored.
    pub(crate) async fn payment(&self, team_id: &TeamId) -> Payment {
        let payment_id = self.team(team_id).await.payment_uuid.unwrap();
        self.app.db.payment(&payment_id).await.unwrap().unwrap()
    }

    /// Returns the counters of the event.
    pub(crate) async fn totals(&self) -> TotalStats {
        self.app.db.totals().await.unwrap().unwrap()
    }

    /// Does the background work after so many hours.
    pub(crate) async fn work_after(&self, hours: u64) {
        self.clock.advance_ms(hours * 60 * 60 * 1_000);
        self.app.work().await.unwrap();
    }

    /// Returns the subjects of the e-mails that wait, with their recipients.
    pub(crate) async fn letters(&self) -> Vec<(String, String)> {
        let lane = id("mail");
        let messages = self.app.db.outbox(&lane).all().await.unwrap();
        messages.into_iter().map(|it| (it.letter.recipient, it.letter.subject)).collect()
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

/// Returns the registration of a team; the first member leads it. Addresses are the names at `example.org`.
pub(crate) fn team_body(name: &str, members: &[&str]) -> Value {
    let member = |(position, member): (usize, &&str)| {
        let mut member = person(member);
        member["is_leader"] = (position == 0).into();
        member
    };
    let members: Vec<Value> = members.iter().enumerate().map(member).collect();
    json!({ "name": name, "track": "ai-ml", "members": members })
}

/// What somebody enters who has the account of this name.
pub(crate) fn person(name: &str) -> Value {
    let first_name: String = name.chars().filter(|one| one.is_alphabetic()).collect();
    json!({
        "first_name": first_name, "last_name": "Iyer", "email": format!("{name}@example.org"),
        "phone": "9876543210", "college": "Example University", "year": "3rd Year",
    })
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
