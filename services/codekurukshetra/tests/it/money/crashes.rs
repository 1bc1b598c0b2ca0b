//! The process is killed at every call to the storage and to the gateway that a command makes, before the call and
//! after it. What must always hold does; when the process is back and has worked, so does the rest; and the command
//! can be repeated.

use monotable::model::backend::Embedded;
use monotable_codekurukshetra::table::{RegistrationStatus, TeamId};
use monotable_kit::payment_gateway::{Attempt, GatewayPayment, OrderId};
use monotable_testkit::failing::{Failing, MOMENTS, Moment};
use monotable_testkit::service::{Response, Testing};
use serde_json::json;

use super::dying::Dying;
use super::{MINUTE_MS, check, check_quiet, copy_of, finish, over, paying_at, restarted};
use crate::world::{Event, team_body};

/// More calls than any command makes.
const CALLS_MAX: usize = 300;

/// A command, and what must be so when it is done.
struct Command {
    name: &'static str,
    run: for<'a> fn(&'a Event, &'a Paying) -> Testing<'a, Option<Response>>,
    /// The registration of the team when all is over.
    ends_as: RegistrationStatus,
}

/// A team that is to pay.
struct Paying {
    team_id: TeamId,
    order_id: OrderId,
    payment: Option<GatewayPayment>,
}

/// Sends one of the webhooks that wait, and leaves it to be delivered again.
async fn send_webhook(event: &Event, containing: &str) -> Option<Response> {
    let all = event.webhooks();
    let webhook = all.iter().find(|it| it.body.contains(containing)).cloned();
    all.into_iter().for_each(|webhook| event.gateway.return_webhook(webhook));
    Some(event.webhook(&webhook?).await)
}

const CREATE_ORDER: Command = Command {
    name: "creates an order",
    run: |event, paying| {
        Box::pin(async move {
            let body = json!({ "team_id": paying.team_id });
            Some(event.post("ann", "/hackathon/payment/create-order", body).await)
        })
    },
    ends_as: RegistrationStatus::Expired,
};

const CAPTURED: Command = Command {
    name: "takes the webhook of a capture",
    run: |event, _| Box::pin(send_webhook(event, "payment.captured")),
    ends_as: RegistrationStatus::Confirmed,
};

const FAILED: Command = Command {
    name: "takes the webhook of a failure",
    run: |event, _| Box::pin(send_webhook(event, "payment.failed")),
    ends_as: RegistrationStatus::Expired,
};

const VERIFY: Command = Command {
    name: "verifies a payment",
    run: |event, paying| {
        Box::pin(async move { Some(event.verify("ann", paying.payment.as_ref()?).await) })
    },
    ends_as: RegistrationStatus::Confirmed,
};

const REFUND: Command = Command {
    name: "refunds a payment",
    run: |event, paying| {
        Box::pin(async move {
            let path = format!("/hackathon/admin/refund/{}", paying.team_id);
            let headers = [("idempotency-key", "once")];
            let body = json!({ "reason": "The team has withdrawn." });
            let response =
                event.request("admin", "POST".parse().unwrap(), &path, body, &headers).await;
            let _ = event.app.work().await;
            Some(response)
        })
    },
    ends_as: RegistrationStatus::Refunded,
};

const WORK: Command = Command {
    name: "works",
    run: |event, _| {
        Box::pin(async move {
            let _ = event.app.work().await;
            None
        })
    },
    ends_as: RegistrationStatus::Expired,
};

/// Kills the process at every call of a command.
async fn kill(start: &Event, paying: &Paying, command: &Command) {
    let mut calls = 0;
    for moment in MOMENTS {
        for call in 0..CALLS_MAX {
            if !at_storage_call(start, paying, command, (call, moment)).await {
                break;
            }
            calls += 1;
        }
        for call in 0..CALLS_MAX {
            if !at_gateway_call(start, paying, command, (call, moment)).await {
                break;
            }
            eprintln!("killed {moment:?} call {call} to the gateway: {}", command.name);
            calls += 1;
        }
    }
    assert!(calls > 2, "{} makes no calls", command.name);
}

async fn at_storage_call(
    start: &Event,
    paying: &Paying,
    command: &Command,
    (call, moment): (usize, Moment),
) -> bool {
    let when = format!("{}, killed {moment:?} storage call {call}", command.name);
    let event = copy_of(start).await;
    let failing = Failing::at(&Embedded::new(event.database.clone()), call, moment);
    let dying = over(&event, failing.clone()).await;
    (command.run)(&dying, paying).await;
    recovered(&event, paying, command, &when).await;
    failing.has_died()
}

async fn at_gateway_call(
    start: &Event,
    paying: &Paying,
    command: &Command,
    (call, moment): (usize, Moment),
) -> bool {
    let when = format!("{}, killed {moment:?} gateway call {call}", command.name);
    let event = copy_of(start).await;
    let gateway = Dying::at(&event.gateway, call, moment);
    let world = event.another_process_with(paying_at(gateway.clone())).await;
    let process = Event { world: world.into(), gateway: event.gateway.clone() };
    let has_died = tokio::select! {
        biased;
        () = gateway.died() => true,
        _ = (command.run)(&process, paying) => false,
    };
    recovered(&event, paying, command, &when).await;
    has_died
}

/// Starts the process again, lets it work, and sends the command again, before the work and after it.
async fn recovered(event: &Event, paying: &Paying, command: &Command, when: &str) {
    check(event, when).await;
    let other = copy_of(event).await;
    for (event, repeats_first) in [(event, true), (&other, false)] {
        let event = restarted(event).await;
        let when = format!("{when}, repeated first: {repeats_first}");
        if repeats_first {
            again(&event, paying, command, &when).await;
        }
        finish(&event, &when).await;
        check_quiet(&event, &when).await;
        again(&event, paying, command, &when).await;
        event.clock.advance_ms(26 * 60 * MINUTE_MS);
        finish(&event, &when).await;
        check_quiet(&event, &when).await;
        let team = event.team(&paying.team_id).await;
        assert_eq!(team.registration(), command.ends_as, "{when}");
    }
}

async fn again(event: &Event, paying: &Paying, command: &Command, when: &str) {
    let response = (command.run)(event, paying).await;
    let status = response.as_ref().map_or(200, |response| response.status);
    assert!(status < 500, "{when}: {response:?}");
}

async fn registered() -> (Event, Paying) {
    let event = Event::new().await;
    let (team_id, order_id) = event.order("ann", &["bo", "cy"]).await;
    (event, Paying { team_id, order_id, payment: None })
}

async fn attempted(attempt: Attempt) -> (Event, Paying) {
    let (event, mut paying) = registered().await;
    paying.payment = Some(event.gateway.attempt(&paying.order_id, attempt).unwrap());
    (event, paying)
}

#[tokio::test]
async fn ck_d20_an_order_survives_at_every_call() {
    let event = Event::new().await;
    // The gateway does not respond while the team registers.
    for call in 0..20 {
        let failure = monotable_kit::payment_gateway::CallFailure::BeforeEffect;
        event.gateway.fail_call(call, failure);
    }
    let body = team_body("Team ann", &["ann", "bo"]);
    let team = event.post("ann", "/hackathon/register/team", body).await;
    assert_eq!(team.status, 201, "{}", team.text);
    event.gateway.answer_calls();
    let team_id = team.value()["data"]["team_id"].as_str().unwrap().parse().unwrap();
    assert_eq!(event.payment(&team_id).await.razorpay_order_id, None);
    let paying = Paying { team_id, order_id: "order_none".parse().unwrap(), payment: None };
    kill(&event, &paying, &CREATE_ORDER).await;
}

#[tokio::test]
async fn a_capture_survives_at_every_call() {
    let (event, paying) = attempted(Attempt::Succeeds).await;
    kill(&event, &paying, &CAPTURED).await;
    kill(&event, &paying, &VERIFY).await;
}

#[tokio::test]
async fn a_failure_survives_at_every_call() {
    let (event, paying) = attempted(Attempt::Fails).await;
    kill(&event, &paying, &FAILED).await;
}

#[tokio::test]
async fn a_refund_survives_at_every_call() {
    let (event, paying) = attempted(Attempt::Succeeds).await;
    event.deliver().await;
    kill(&event, &paying, &REFUND).await;
}

#[tokio::test]
async fn work_survives_at_every_call() {
    let (event, paying) = registered().await;
    event.clock.advance_ms(25 * 60 * MINUTE_MS);
    kill(&event, &paying, &WORK).await;
}

#[tokio::test]
async fn reconciliation_survives_at_every_call() {
    let (event, paying) = attempted(Attempt::Succeeds).await;
    // Every event was lost.
    event.webhooks();
    event.clock.advance_ms(11 * MINUTE_MS);
    kill(&event, &paying, &Command { ends_as: RegistrationStatus::Confirmed, ..WORK }).await;
}

#[tokio::test]
async fn money_that_comes_too_late_is_returned_at_every_call() {
    let event = Event::with(|config| config.max_teams = 1).await;
    let (team_id, order_id) = event.order("ann", &["bo"]).await;
    event.work_after(25).await;
    let (other, _) = event.paid("eve", &["fay"]).await;
    assert_eq!(event.team(&other).await.registration(), RegistrationStatus::Confirmed);
    let payment = event.gateway.attempt(&order_id, Attempt::Succeeds).unwrap();
    let paying = Paying { team_id, order_id, payment: Some(payment) };
    let returned = RegistrationStatus::Expired;
    kill(&event, &paying, &Command { ends_as: returned, ..CAPTURED }).await;
    kill(&event, &paying, &Command { ends_as: returned, ..VERIFY }).await;
}
