//! Random histories of people, banks, lost and repeated webhooks, a gateway that does not answer, processes that die,
//! and time that passes. Indexes lag behind. Whatever happened, all books agree.

use std::sync::Arc;
use std::time::Duration;

use monotable::model::backend::Embedded;
use monotable_codekurukshetra::CodeKurukshetraService;
use monotable_codekurukshetra::table::{CodeKurukshetraReads as _, Team};
use monotable_kit::payment_gateway::{
    Attempt, CallFailure, Forgery, Gateway as _, GatewayPayment, GatewayPaymentStatus, NewRefund,
    Simulator,
};
use monotable_testkit::failing::{Failing, MOMENTS};
use monotable_testkit::service::histories::Step;
use monotable_testkit::service::{Dice, Histories, History, Response, Setting, Testing};
use serde_json::{Value, json};

use super::{MINUTE_MS, check, check_quiet, finish, over};
use crate::world::{Event, World, config, team_body};

/// Places of the event: fewer than there are teams that want one.
const PLACES: u32 = 3;
/// How far indexes lag behind.
const LAG: Duration = Duration::from_secs(2);
/// People who register teams, and those whom they name as members.
const LEADERS: usize = 7;
const MEMBERS: usize = 9;

/// What happens to an event and its money.
struct Registering(Event);

/// Something that happens: who does it, with what.
async fn act(event: &Event, dice: &mut Dice) -> (String, Option<Response>) {
    match dice.roll(20) {
        0..=3 => register(event, dice).await,
        4 | 5 => pay_again(event, dice).await,
        6..=8 => attempt(event, dice).await,
        9..=12 => deliver(event, dice).await,
        13 => verify(event, dice).await,
        14 => refund(event, dice).await,
        15 => withdraw(event, dice).await,
        16 => change(event, dice).await,
        17 => {
            let response = event.post("admin", "/hackathon/admin/reconcile", Value::Null).await;
            ("reconcile".to_owned(), Some(response))
        }
        18 => {
            // Work that fails, because the gateway does not answer, is tried again.
            let result = event.app.work().await;
            (format!("work, done: {}", result.is_ok()), None)
        }
        _ => trouble(event, dice),
    }
}

/// Makes calls to the gateway and refunds fail, and lets time pass.
fn trouble(event: &Event, dice: &mut Dice) -> (String, Option<Response>) {
    match dice.roll(6) {
        0..=2 => {
            let failure = CallFailure::ALL[dice.roll(CallFailure::ALL.len())];
            let after = dice.roll(4);
            event.gateway.fail_call(after, failure);
            (format!("{failure:?} after {after} calls"), None)
        }
        3 => {
            event.gateway.decline_refund();
            ("the bank declines the next refund".to_owned(), None)
        }
        _ => {
            let minutes = [1, 11, 120, 25 * 60][dice.roll(4)];
            event.clock.advance_ms(minutes * MINUTE_MS);
            (format!("{minutes} minutes pass"), None)
        }
    }
}

fn leader(dice: &mut Dice) -> String {
    format!("lead{}", dice.roll(LEADERS))
}

async fn register(event: &Event, dice: &mut Dice) -> (String, Option<Response>) {
    let leader = leader(dice);
    let members: Vec<String> =
        (0..1 + dice.roll(3)).map(|_| format!("m{}", dice.roll(MEMBERS))).collect();
    let names: Vec<&str> = std::iter::once(&leader).chain(&members).map(String::as_str).collect();
    let mut body = team_body(&format!("Team {}", dice.roll(LEADERS)), &names);
    body["waitlist"] = (dice.roll(3) == 0).into();
    let response = event.post(leader.as_str(), "/hackathon/register/team", body).await;
    (format!("{leader} registers with {members:?}"), Some(response))
}

/// Returns a team, and the account of whoever leads it.
async fn any_team(event: &Event, dice: &mut Dice) -> Option<(Team, String)> {
    let teams = event.app.db.every_team().all().await.unwrap();
    let team = dice.of(&teams)?.clone();
    let leader = event.app.db.participant(&team.leader_participant_id).await.unwrap()?;
    let account = leader.email.0.split('@').next().unwrap_or_default().to_owned();
    Some((team, account))
}

async fn pay_again(event: &Event, dice: &mut Dice) -> (String, Option<Response>) {
    let Some((team, leader)) = any_team(event, dice).await else { return nobody() };
    let body = json!({ "team_id": team.team_id });
    let response = event.post(leader.as_str(), "/hackathon/payment/create-order", body).await;
    (format!("{leader} wants to pay for {}", team.team_id), Some(response))
}

fn nobody() -> (String, Option<Response>) {
    ("nobody is there".to_owned(), None)
}

/// Lets a bank decide about a payment.
async fn attempt(event: &Event, dice: &mut Dice) -> (String, Option<Response>) {
    let payments = payments(event, |payment| {
        matches!(payment.status, GatewayPaymentStatus::Authorized | GatewayPaymentStatus::Failed)
    });
    if dice.roll(5) == 0
        && let Some(late) = dice.of(&payments)
    {
        let result = event.gateway.succeed_late(&late.payment_id);
        return (format!("{} succeeds late: {}", late.payment_id, result.is_ok()), None);
    }
    let orders = event.gateway.orders();
    let Some(order) = dice.of(&orders) else { return nobody() };
    let order_id = &order.order.order_id;
    // People see the page of an order only after the service has taken note of it.
    if event.app.db.order(order_id).await.unwrap().is_none() {
        return nobody();
    }
    let outcomes = [Attempt::Succeeds, Attempt::Succeeds, Attempt::Fails, Attempt::IsAuthorized];
    let outcome = outcomes[dice.roll(outcomes.len())];
    let result = event.gateway.attempt(order_id, outcome);
    (format!("{order_id} is paid, {outcome:?}: {}", result.is_ok()), None)
}

fn payments(event: &Event, wanted: impl Fn(&GatewayPayment) -> bool) -> Vec<GatewayPayment> {
    let payments = event.gateway.orders().into_iter().flat_map(|order| order.payments);
    payments.filter(wanted).collect()
}

/// Delivers a webhook out of order, perhaps twice, or changed, or never.
async fn deliver(event: &Event, dice: &mut Dice) -> (String, Option<Response>) {
    let position = dice.roll(event.gateway.waiting_webhooks());
    let Some(webhook) = event.gateway.take_webhook(position) else { return nobody() };
    let what = format!("webhook {}", webhook.event_id);
    match dice.roll(10) {
        0 => (format!("{what} is lost"), None),
        1 => {
            let forgery = Forgery::ALL[dice.roll(Forgery::ALL.len())];
            let forged = event.gateway.forged(&webhook, forgery).unwrap();
            event.gateway.return_webhook(webhook);
            (format!("{what}, {forgery:?}"), Some(event.webhook(&forged).await))
        }
        2 | 3 => {
            let response = event.webhook(&webhook).await;
            event.gateway.return_webhook(webhook);
            (format!("{what}, which will come again"), Some(response))
        }
        _ => {
            let response = event.webhook(&webhook).await;
            if !response.is_success() {
                event.gateway.return_webhook(webhook);
            }
            (what, Some(response))
        }
    }
}

async fn verify(event: &Event, dice: &mut Dice) -> (String, Option<Response>) {
    let payments = payments(event, |_| true);
    let Some(payment) = dice.of(&payments) else { return nobody() };
    let Some(lookup) = event.app.db.order(&payment.order_id).await.unwrap() else {
        return nobody();
    };
    let Some(team) = event.app.db.team(&lookup.team_id).await.unwrap() else { return nobody() };
    let leader = event.app.db.participant(&team.leader_participant_id).await.unwrap();
    let Some(leader) = leader else { return nobody() };
    let account = leader.email.0.split('@').next().unwrap_or_default();
    let response = event.verify(account, payment).await;
    (format!("{account} verifies {}", payment.payment_id), Some(response))
}

/// Returns the money of a team, or a payment on the gateway's own pages.
async fn refund(event: &Event, dice: &mut Dice) -> (String, Option<Response>) {
    let captured = payments(event, |payment| payment.status == GatewayPaymentStatus::Captured);
    if dice.roll(3) == 0
        && let Some(payment) = dice.of(&captured)
    {
        let (payment_id, price) = (payment.payment_id.clone(), payment.price.clone());
        let key = format!("dashboard-{payment_id}");
        let result = event.gateway.refund(&NewRefund { payment_id, price, key }).await;
        let (id, is_made) = (&payment.payment_id, result.is_ok());
        return (format!("{id} is returned at the gateway: {is_made}"), None);
    }
    let Some((team, _)) = any_team(event, dice).await else { return nobody() };
    let path = format!("/hackathon/admin/refund/{}", team.team_id);
    let body = json!({ "reason": "The team has withdrawn." });
    (format!("refund of {}", team.team_id), Some(event.post("admin", &path, body).await))
}

/// Ends a team, by its leader or an administrator, or forgets one of its members.
async fn withdraw(event: &Event, dice: &mut Dice) -> (String, Option<Response>) {
    let Some((team, leader)) = any_team(event, dice).await else { return nobody() };
    let (team_id, leader_id) = (&team.team_id, &team.leader_participant_id);
    let erased = format!("/hackathon/participant/{leader_id}?cancel_team=true");
    let (user, path) = match dice.roll(5) {
        0 => (leader.as_str(), erased),
        1 => ("admin", erased),
        2 => {
            let Some(member) = dice.of(&team.member_ids) else { return nobody() };
            ("admin", format!("/hackathon/participant/{member}"))
        }
        3 => ("admin", format!("/hackathon/admin/release/{team_id}")),
        _ => ("admin", format!("/hackathon/team/{team_id}")),
    };
    let response = if path.contains("/release/") {
        event.post(user, &path, Value::Null).await
    } else {
        event.delete(user, &path).await
    };
    (format!("{user} ends {path}"), Some(response))
}

/// What somebody enters about a new member.
fn new_member(name: &str) -> Value {
    let mut body = team_body("", &[name])["members"][0].clone();
    body.as_object_mut().unwrap().remove("is_leader");
    body
}

/// Changes who is in a team, or what it is called.
async fn change(event: &Event, dice: &mut Dice) -> (String, Option<Response>) {
    let Some((team, leader)) = any_team(event, dice).await else { return nobody() };
    let user = leader.as_str();
    let path = format!("/hackathon/team/{}", team.team_id);
    let member = format!("m{}", dice.roll(MEMBERS));
    let last = team.member_ids.last();
    let response = match (dice.roll(8), last) {
        (0, _) => event.post(user, &format!("{path}/members"), new_member(&member)).await,
        (1, Some(gone)) => event.delete(user, &format!("{path}/members/{gone}")).await,
        (2, Some(gone)) => {
            event.put(user, &format!("{path}/members/{gone}"), new_member(&member)).await
        }
        (3, _) => {
            let heir = dice.of(&team.member_ids).cloned();
            event.post(user, &format!("{path}/leader"), json!({ "participant_id": heir })).await
        }
        (4, Some(moved)) => {
            let body = json!({ "email": format!("{member}@example.org") });
            event.put(user, &format!("/hackathon/participant/{moved}"), body).await
        }
        (5, _) => return invite(event, (user, &path), &member).await,
        (6, _) => return configure(event, dice).await,
        _ => {
            let name = format!("Team {}", dice.roll(LEADERS));
            event.put(user, &path, json!({ "name": name, "track": "web-mobile" })).await
        }
    };
    (format!("{user} changes {path}, {member}"), Some(response))
}

/// Somebody joins a team with a code from its leader.
async fn invite(
    event: &Event,
    (leader, path): (&str, &str),
    member: &str,
) -> (String, Option<Response>) {
    let what = format!("{leader} invites {member} to {path}");
    let invite = event.post(leader, &format!("{path}/invites"), json!({})).await;
    if !invite.is_success() {
        return (what, Some(invite));
    }
    let mut body = new_member(member);
    body.as_object_mut().unwrap().remove("email");
    body["code"] = invite.value()["data"]["code"].clone();
    (what, Some(event.post(member, "/hackathon/invites/accept", body).await))
}

/// Changes the fee and the holds: teams that have registered owe what they did. Closes registration for a while.
async fn configure(event: &Event, dice: &mut Dice) -> (String, Option<Response>) {
    let mut settings = serde_json::to_value(event.app.config().await.unwrap()).unwrap();
    let fee = [99_900, 0, 50_000][dice.roll(3)];
    let (is_open, hours) = (dice.roll(4) > 0, [1, 24][dice.roll(2)]);
    settings["team_fee"] = fee.into();
    settings["registration_open"] = is_open.into();
    settings["hold_hours"] = hours.into();
    let response = event.put("admin", "/hackathon/admin/config", settings).await;
    (format!("the fee is {fee}, open: {is_open}, {hours} hours"), Some(response))
}

/// Does something in a process that dies at one of its calls to the storage.
async fn die(event: &Event, dice: &mut Dice) -> (String, Option<Response>) {
    let (call, moment) = (dice.roll(25), MOMENTS[dice.roll(2)]);
    let backend = Failing::at(&Embedded::new(event.database.clone()), call, moment);
    let process = over(event, backend).await;
    let (what, _) = Box::pin(act_unless_reading(&process, event, dice)).await;
    (format!("{what}, dying {moment:?} storage call {call}"), None)
}

/// Commands choose by what is in the table, which a process that dies can't read: it gets one that needs no choice.
async fn act_unless_reading(
    process: &Event,
    event: &Event,
    dice: &mut Dice,
) -> (String, Option<Response>) {
    match dice.roll(5) {
        0 => register(process, dice).await,
        1 => {
            let Some((team, leader)) = any_team(event, dice).await else { return nobody() };
            let body = json!({ "team_id": team.team_id });
            process.post(leader.as_str(), "/hackathon/payment/create-order", body).await;
            (format!("{leader} wants to pay"), None)
        }
        2 => {
            let position = dice.roll(event.gateway.waiting_webhooks());
            let Some(webhook) = event.gateway.take_webhook(position) else { return nobody() };
            process.webhook(&webhook).await;
            event.gateway.return_webhook(webhook);
            ("a webhook comes".to_owned(), None)
        }
        3 => {
            let Some((team, _)) = any_team(event, dice).await else { return nobody() };
            let path = format!("/hackathon/admin/refund/{}", team.team_id);
            process.post("admin", &path, json!({ "reason": "Withdrawn" })).await;
            (format!("refund of {}", team.team_id), None)
        }
        _ => {
            let _ = process.app.work().await;
            ("work".to_owned(), None)
        }
    }
}

/// Does something while the clock of the machine is wrong.
async fn before_its_time(event: &Event, dice: &mut Dice) -> (String, Option<Response>) {
    let minutes = [1, 90, 25 * 60][dice.roll(3)];
    // Others move the clock at the same time, so that it is moved back by an addition that wraps around.
    event.clock.advance_ms((minutes * MINUTE_MS).wrapping_neg());
    let (what, response) = act(event, dice).await;
    event.clock.advance_ms(minutes * MINUTE_MS);
    (format!("{minutes} minutes too early: {what}"), response)
}

impl History for Registering {
    fn begin(change: fn(Setting) -> Setting) -> Testing<'static, Self> {
        Box::pin(async move {
            let gateway = Arc::new(Simulator::new([8; 32]));
            let service = CodeKurukshetraService::default().gateway(Arc::clone(&gateway) as _);
            let setting = Setting { index_lag: Some(LAG), ..Setting::new(service) };
            let world = Arc::new(World::set(change(setting)).await);
            let event = Event { world, gateway };
            let mut config = config();
            config.max_teams = PLACES;
            event.app.db.create(&config).await.unwrap();
            Self(event)
        })
    }

    fn step<'a>(&'a self, dice: &'a mut Dice) -> Testing<'a, Step> {
        Box::pin(async {
            let event = &self.0;
            event.clock.advance_ms(100);
            let (what, response) = match dice.roll(16) {
                0 | 1 => die(event, dice).await,
                2 => before_its_time(event, dice).await,
                _ => act(event, dice).await,
            };
            // That the gateway does not answer is no failure of the service.
            let response = response.filter(|it| !it.text.contains("GATEWAY_UNAVAILABLE"));
            (what, response)
        })
    }

    fn settle<'a>(&'a self, when: &'a str) -> Testing<'a, ()> {
        Box::pin(async move {
            let event = &self.0;
            check(event, when).await;
            finish(event, when).await;
            // Orders that are paid are looked up every night: events of their refunds may be lost.
            event.app.sweep().await.unwrap();
            finish(event, when).await;
            check_quiet(event, when).await;
        })
    }

    /// Loses every event that was not delivered, and lets all holds end.
    fn finish<'a>(&'a self, when: &'a str) -> Testing<'a, ()> {
        Box::pin(async move {
            let event = &self.0;
            event.webhooks();
            finish(event, when).await;
            event.clock.advance_ms(26 * 60 * MINUTE_MS);
        })
    }
}

#[test]
fn whatever_happens_to_money_all_books_agree() {
    let histories = Histories { count: 12, phases: 2, actors: 3, steps: 20 };
    histories.run::<Registering>("CodeKurukshetra's histories of money");
}

/// Two processes on a backend with faults, which die.
#[test]
fn faults_of_the_backend_leave_nothing_half_done() {
    let histories = Histories { count: 3, phases: 2, actors: 3, steps: 15 };
    histories.run_with_faults::<Registering>("CodeKurukshetra's histories with faults");
}
