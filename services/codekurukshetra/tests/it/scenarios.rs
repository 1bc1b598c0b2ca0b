//! The acceptance scenarios of registration and money, with requests at the same time.

use std::sync::Arc;

use monotable_codekurukshetra::table::{
    CodeKurukshetraReads as _, PaymentStatus, RegistrationStatus,
};
use monotable_kit::payment_gateway::{Attempt, Forgery, Gateway as _, GatewayPaymentStatus};

use crate::registration::{REGISTER, code};
use crate::world::{Event, done, id, team_body};

/// Two teams register at the same time and share an address.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn ck_d03_one_of_two_teams_with_the_same_address_registers() {
    for round in 0..20 {
        let event = Arc::new(Event::new().await);
        let register = |leader: &'static str| {
            let event = Arc::clone(&event);
            tokio::spawn(async move {
                let body = team_body(&format!("Team {leader}"), &[leader, "shared"]);
                event.post(leader, REGISTER, body).await
            })
        };
        let (one, other) = (register("ann"), register("bo"));
        let mut statuses = [one.await.unwrap().status, other.await.unwrap().status];
        statuses.sort_unstable();
        assert_eq!(statuses, [201, 409], "round {round}");
        let totals = event.totals().await;
        assert_eq!((totals.registrations, totals.participants, totals.slots_used), (1, 2, 1));
        let profiles = event
            .rows()
            .into_iter()
            .filter(|row| row["PK"].as_s().is_some_and(|key| key.starts_with("PARTICIPANT#")));
        assert_eq!(profiles.count(), 2, "nothing of the other team remains");
    }
}

/// 600 teams want 500 places.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn ck_d10_no_team_gets_a_place_that_is_not_there() {
    let event = Arc::new(Event::new().await);
    let mut running = tokio::task::JoinSet::new();
    for number in 0..600 {
        let event = Arc::clone(&event);
        running.spawn(async move {
            let (leader, other) = (format!("l{number}"), format!("m{number}"));
            let body = team_body(&format!("Team {number}"), &[&leader, &other]);
            event.post(&leader, REGISTER, body).await
        });
    }
    let mut confirmed = 0;
    for response in running.join_all().await {
        match response.status {
            201 => confirmed += 1,
            _ => assert_eq!(code(response, 409), "EVENT_FULL"),
        }
    }
    assert_eq!(confirmed, 500);
    assert_eq!(event.totals().await.slots_used, 500);
    let pending = event.app.db.teams_by_status(PaymentStatus::Pending).count().await.unwrap();
    assert_eq!(pending, 500);
}

/// An administrator closes registration while teams register.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn ck_d11_no_team_registers_after_the_close() {
    let event = Arc::new(Event::new().await);
    let mut running = tokio::task::JoinSet::new();
    for number in 0..50 {
        let event = Arc::clone(&event);
        running.spawn(async move {
            let (leader, other) = (format!("l{number}"), format!("m{number}"));
            let body = team_body(&format!("Team {number}"), &[&leader, &other]);
            event.post(&leader, REGISTER, body).await
        });
    }
    tokio::task::yield_now().await;
    let config = event.app.db.config().await.unwrap().unwrap();
    event.app.db.edit(config, |config| config.registration_open = false).await.unwrap();
    let at_close = event.app.db.totals().await.unwrap().map_or(0, |totals| totals.registrations);
    let mut registered = 0;
    for response in running.join_all().await {
        match response.status {
            201 => registered += 1,
            _ => assert_eq!(code(response, 409), "REGISTRATION_CLOSED"),
        }
    }
    assert_eq!(registered, at_close);
}

/// The browser and the gateway report the same payment at the same time, the gateway five times, and a failure comes
/// afterwards.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_payment_counts_once_however_often_it_is_reported() {
    for _ in 0..10 {
        let event = Arc::new(Event::new().await);
        let (team_id, order_id) = event.order("ann", &["bo"]).await;
        event.gateway.attempt(&order_id, Attempt::Fails).unwrap();
        let failures = event.webhooks();
        let payment = event.gateway.attempt(&order_id, Attempt::Succeeds).unwrap();
        let mut running = tokio::task::JoinSet::new();
        for webhook in event.webhooks() {
            for _ in 0..5 {
                let (event, webhook) = (Arc::clone(&event), webhook.clone());
                running.spawn(async move { event.webhook(&webhook).await });
            }
        }
        let (event2, payment2) = (Arc::clone(&event), payment.clone());
        running.spawn(async move { event2.verify("ann", &payment2).await });
        for response in running.join_all().await {
            done(response, 200);
        }
        for webhook in &failures {
            done(event.webhook(webhook).await, 200);
        }
        let totals = event.totals().await;
        assert_eq!(
            (totals.payments_paid, totals.revenue_minor, totals.teams_confirmed),
            (1, 99_900, 1)
        );
        assert_eq!((totals.payments_failed, totals.payments_attempted), (0, 1));
        let letters = event.letters().await;
        let confirmed = letters.iter().filter(|(_, subject)| subject.starts_with("You take part"));
        assert_eq!(confirmed.count(), 2, "one e-mail for each member: {letters:?}");
        assert_eq!(event.payment(&team_id).await.status, PaymentStatus::Paid);
    }
}

#[tokio::test]
async fn forged_webhooks_change_nothing() {
    let event = Event::new().await;
    let (team_id, order_id) = event.order("ann", &["bo"]).await;
    event.gateway.attempt(&order_id, Attempt::Succeeds).unwrap();
    let before = event.stored();
    for webhook in event.webhooks() {
        for forgery in Forgery::ALL {
            let forged = event.gateway.forged(&webhook, forgery).unwrap();
            let response = event.webhook(&forged).await;
            match forgery {
                Forgery::AlteredAmount
                | Forgery::AlteredOrder
                | Forgery::AlteredBody
                | Forgery::OtherSecret
                | Forgery::NoSignature => {
                    assert_eq!(done(response, 401)["code"], "INVALID_SIGNATURE");
                }
                // An authorized payment is noted only; its capture is compared.
                Forgery::SignedAmount | Forgery::SignedCurrency => {
                    assert!(matches!(response.status, 200 | 409), "{}", response.text);
                }
                Forgery::SignedOrder => assert_eq!(done(response, 200)["result"], "ignored"),
            }
        }
    }
    assert_eq!(event.team(&team_id).await.registration(), RegistrationStatus::PendingPayment);
    assert_eq!(event.totals().await.payments_paid, 0);
    let alerts = event.app.db.alerts(&id("202701")).all().await.unwrap();
    assert!(alerts.iter().all(|it| ["unknown_order", "other_amount"].contains(&it.kind.as_str())));
    assert!(before.len() <= event.stored().len());
}

/// A hold has ended, the same people have registered again, and then the money for the first registration comes.
#[tokio::test]
async fn late_money_of_a_team_that_lost_its_place_is_returned() {
    let event = Event::new().await;
    let (first, order_id) = event.order("ann", &["bo"]).await;
    event.work_after(25).await;
    let (second, _) = event.order("ann", &["bo"]).await;
    let payment = event.gateway.attempt(&order_id, Attempt::Succeeds).unwrap();
    event.deliver().await;
    let stored = event.payment(&first).await;
    assert_eq!((stored.status, stored.needs_refund), (PaymentStatus::Paid, Some(true)));
    event.work_after(0).await;
    let stored = event.payment(&first).await;
    assert_eq!((stored.status, stored.needs_refund), (PaymentStatus::Refunded, Some(false)));
    assert!(stored.refund_id.is_some());
    assert_eq!(event.team(&first).await.registration(), RegistrationStatus::Expired);
    assert_eq!(event.team(&second).await.registration(), RegistrationStatus::PendingPayment);
    let state = event.gateway.order(&order_id).await.unwrap();
    let returned = state.payments.iter().find(|one| one.payment_id == payment.payment_id).unwrap();
    assert_eq!(returned.status, GatewayPaymentStatus::Refunded);
    let totals = event.totals().await;
    assert_eq!(
        (totals.revenue_minor, totals.refunded_minor, totals.slots_used),
        (99_900, 99_900, 1)
    );
    // The events of the refund say what is known.
    event.deliver().await;
    assert_eq!(event.totals().await.refunds, 1);
}
