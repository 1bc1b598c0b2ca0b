//! One test for each defect of the older programs that moved money, apart from those of registration.

use monotable_codekurukshetra::table::{
    CodeKurukshetraReads as _, OrderLookup, PaymentStatus, RegistrationStatus, Stamps, TeamId,
};
use monotable_kit::payment_gateway::{Attempt, Gateway as _, NewOrder};
use serde_json::json;

use crate::payments::refund;
use crate::world::{Event, done, id};

/// Returns the teams of a status and of a track, on both routes of the design document.
async fn listed(event: &Event, status: PaymentStatus) -> (Vec<TeamId>, Vec<TeamId>) {
    let db = &event.app.db;
    let teams = db.teams_by_status(status).all().await.unwrap();
    let facets = db.status_facets(status).all().await.unwrap();
    (
        teams.into_iter().map(|team| team.team_id).collect(),
        facets.into_iter().map(|facet| facet.team_id).collect(),
    )
}

#[tokio::test]
async fn ck_d04_and_d05_index_keys_facets_and_copies_move_with_the_status() {
    let event = Event::new().await;
    let (team_id, order_id) = event.order("ann", &["bo"]).await;
    let is_listed = async |status| {
        let (teams, facets) = listed(&event, status).await;
        assert_eq!(teams, facets, "both routes list the same teams");
        teams == [team_id.clone()]
    };
    assert!(is_listed(PaymentStatus::Pending).await);
    event.gateway.attempt(&order_id, Attempt::Fails).unwrap();
    event.deliver().await;
    assert!(is_listed(PaymentStatus::Failed).await && !is_listed(PaymentStatus::Pending).await);
    event.gateway.attempt(&order_id, Attempt::Succeeds).unwrap();
    event.deliver().await;
    assert!(is_listed(PaymentStatus::Paid).await && !is_listed(PaymentStatus::Failed).await);
    let paid = event.app.db.payments_by_status(PaymentStatus::Paid).count().await.unwrap();
    assert_eq!(paid, 1, "the payment's own index key");
    refund(&event, &team_id).await;
    event.work_after(0).await;
    assert!(is_listed(PaymentStatus::Refunded).await && !is_listed(PaymentStatus::Paid).await);
    let members = event.app.db.members(&team_id).all().await.unwrap();
    assert!(members.iter().all(|member| member.payment_status == PaymentStatus::Refunded));
}

#[tokio::test]
async fn ck_d06_an_order_leads_to_its_payment() {
    let event = Event::new().await;
    let (team_id, order_id) = event.order("ann", &["bo"]).await;
    let lookup = event.app.db.order(&order_id).await.unwrap().unwrap();
    assert_eq!(lookup.team_id, team_id);
    assert_eq!(lookup.payment_id, event.payment(&team_id).await.payment_id);
}

#[tokio::test]
async fn ck_d07_a_payment_is_created_once_and_then_changed() {
    let event = Event::new().await;
    let (team_id, order_id) = event.order("ann", &["bo"]).await;
    let created = event.payment(&team_id).await;
    event.gateway.attempt(&order_id, Attempt::Succeeds).unwrap();
    event.deliver().await;
    let paid = event.payment(&team_id).await;
    assert_eq!(
        (paid.payment_id, paid.stamps.created),
        (created.payment_id, created.stamps.created)
    );
    assert_eq!(event.app.db.payments_of(&team_id).count().await.unwrap(), 1);
}

#[tokio::test]
async fn ck_d09_a_hold_ends_by_a_transaction_and_not_by_an_expiry() {
    let event = Event::new().await;
    let (team_id, _) = event.order("ann", &["bo"]).await;
    let kept_until = crate::world::config().people_kept_until();
    let members = event.app.db.members(&team_id).all().await.unwrap();
    assert!(members.iter().all(|member| member.ttl == Some(kept_until)));
    event.work_after(25).await;
    let members = event.app.db.members(&team_id).all().await.unwrap();
    let week = (event.now() + std::time::Duration::from_secs(7 * 24 * 60 * 60)).epoch_seconds();
    assert!(members.iter().all(|member| member.ttl == Some(week)), "only then rows may go");
    assert_eq!(event.totals().await.slots_used, 0);
}

#[tokio::test]
async fn ck_d12_the_two_payment_ids_have_names_of_their_own() {
    let event = Event::new().await;
    let (team_id, payment) = event.paid("ann", &["bo"]).await;
    let settled = done(event.verify("ann", &payment).await, 200);
    assert_eq!(settled["gatewayPaymentId"], payment.payment_id.as_str());
    let team = event.team(&team_id).await;
    assert_eq!(settled["paymentId"], team.payment_uuid.unwrap().as_str());
}

#[tokio::test]
async fn ck_d13_the_client_does_not_choose_the_team_nor_the_amount() {
    let event = Event::new().await;
    let (team_id, order_id) = event.order("ann", &["bo"]).await;
    let payment = event.gateway.attempt(&order_id, Attempt::Succeeds).unwrap();
    let stored = event.payment(&team_id).await;
    let db = &event.app.db;
    // The rows say that the team owes something else than the order has.
    db.edit(stored, |stored| stored.amount += 1).await.unwrap();
    assert_eq!(done(event.verify("ann", &payment).await, 409)["code"], "AMOUNT_MISMATCH");
    for response in event.deliver().await {
        assert!(matches!(response.status, 200 | 409), "{}", response.text);
    }
    assert_eq!(event.team(&team_id).await.registration(), RegistrationStatus::PendingPayment);
}

#[tokio::test]
async fn ck_d14_events_in_any_order_end_in_the_same_state() {
    for turn in 0..6 {
        let event = Event::new().await;
        let (team_id, order_id) = event.order("ann", &["bo"]).await;
        event.gateway.attempt(&order_id, Attempt::Fails).unwrap();
        event.gateway.attempt(&order_id, Attempt::Succeeds).unwrap();
        let mut webhooks = event.webhooks();
        let length = webhooks.len();
        webhooks.rotate_left(turn % length);
        if turn >= 3 {
            webhooks.reverse();
        }
        for webhook in webhooks.iter().chain(&webhooks) {
            done(event.webhook(webhook).await, 200);
        }
        let team = event.team(&team_id).await;
        assert_eq!(team.registration(), RegistrationStatus::Confirmed, "turn {turn}");
        assert_eq!(event.payment(&team_id).await.status, PaymentStatus::Paid);
        let totals = event.totals().await;
        assert_eq!((totals.payments_attempted, totals.payments_paid), (1, 1));
    }
}

/// A team has two orders, and both are paid.
#[tokio::test]
async fn ck_d15_money_that_comes_twice_is_returned_once() {
    let event = Event::new().await;
    let (team_id, first) = event.order("ann", &["bo"]).await;
    let payment = event.payment(&team_id).await;
    let price = event.gateway.order(&first).await.unwrap().order.price;
    let order = NewOrder { price, receipt: team_id.to_string() };
    let second = event.gateway.create_order(&order).await.unwrap().order_id;
    let lookup = OrderLookup {
        order_id: second.clone(),
        payment_id: payment.payment_id.clone(),
        team_id: team_id.clone(),
        stamps: Stamps::default(),
    };
    event.app.db.create(&lookup).await.unwrap();
    let one = event.gateway.attempt(&first, Attempt::Succeeds).unwrap();
    let two = event.gateway.attempt(&second, Attempt::Succeeds).unwrap();
    event.deliver().await;
    done(event.verify("ann", &two).await, 200);
    assert_eq!(event.payment(&team_id).await.razorpay_payment_id, Some(one.payment_id));
    event.work_after(0).await;
    let surplus = event.app.db.payment(&id(two.payment_id.as_str())).await.unwrap().unwrap();
    assert_eq!((surplus.status, surplus.needs_refund), (PaymentStatus::Refunded, Some(false)));
    let team = event.team(&team_id).await;
    assert_eq!(
        (team.registration(), team.payment_status),
        (RegistrationStatus::Confirmed, PaymentStatus::Paid)
    );
    let totals = event.totals().await;
    assert_eq!((totals.revenue_minor, totals.refunded_minor), (2 * 99_900, 99_900));
    assert_eq!((totals.teams_confirmed, totals.slots_used), (1, 1));
}

#[tokio::test]
async fn ck_d16_days_are_those_of_the_event() {
    let event = Event::new().await;
    // 20:00 UTC is half past one on the next day in India.
    event.clock.advance_ms(12 * 60 * 60 * 1_000);
    let (team_id, order_id) = event.order("ann", &["bo"]).await;
    let created = event.payment(&team_id).await;
    assert_eq!(created.day, Some("2027-01-16".parse().unwrap()));
    event.clock.advance_ms(23 * 60 * 60 * 1_000);
    event.gateway.attempt(&order_id, Attempt::Succeeds).unwrap();
    event.deliver().await;
    assert_eq!(event.payment(&team_id).await.day, created.day, "it is listed where it was created");
    let day = |day: &str| event.app.db.stats_of_day(day.parse().unwrap());
    assert_eq!(day("2027-01-16").await.unwrap().unwrap().revenue_minor, 0);
    assert_eq!(day("2027-01-17").await.unwrap().unwrap().revenue_minor, 99_900);
}

/// The rush itself is `ck_d10_no_team_gets_a_place_that_is_not_there`; this is what a registration is: 20 rows of which two
/// are shared by all.
#[tokio::test]
async fn ck_d18_a_registration_fits_into_a_transaction() {
    let event = Event::with(|config| config.max_team_size = 10).await;
    let others: Vec<String> = (0..9).map(|number| format!("m{number}")).collect();
    let others: Vec<&str> = others.iter().map(String::as_str).collect();
    event.register("ann", "One", &others).await;
    assert_eq!(event.totals().await.participants, 10);
}

#[tokio::test]
async fn ck_d23_whether_a_registration_is_complete_follows_from_its_status() {
    let event = Event::new().await;
    let (team_id, _) = event.paid("ann", &["bo"]).await;
    let team = event.team(&team_id).await;
    assert!(team.registration_complete && team.registration() == RegistrationStatus::Confirmed);
    refund(&event, &team_id).await;
    event.work_after(0).await;
    assert!(!event.team(&team_id).await.registration_complete);
    let (team_id, _) = event.order("cy", &["di"]).await;
    assert!(!event.team(&team_id).await.registration_complete);
    let body = json!({ "team_id": team_id });
    done(event.post("cy", "/hackathon/payment/create-order", body).await, 200);
}
