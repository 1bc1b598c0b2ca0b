//! What organisers see and do.

mod colleges;
mod crash;
mod settings;

use std::collections::BTreeSet;

use http_body_util::BodyExt as _;
use monotable_codekurukshetra::table::{PaymentStatus, RegistrationStatus};
use monotable_kit::payment_gateway::Attempt;
use serde_json::{Value, json};

use crate::world::{Event, done, team_body};

const REGISTRATIONS: &str = "/hackathon/admin/registrations";

/// Returns a page of a list for the administrator.
pub(crate) async fn listed(event: &Event, path: &str) -> Value {
    done(event.get("admin", path).await, 200)
}

/// Returns the values of a field of a list.
fn field(page: &Value, list: &str, name: &str) -> BTreeSet<String> {
    let rows = page[list].as_array().unwrap();
    rows.iter().map(|row| row[name].as_str().unwrap().to_owned()).collect()
}

/// An event with teams in different states: ann has paid, bo's payment failed, cy has not paid, and dan has no track.
async fn teams() -> Event {
    let event = Event::new().await;
    event.paid("ann", &["al"]).await;
    let (_, order) = event.order("bo", &["bob"]).await;
    event.gateway.attempt(&order, Attempt::Fails).unwrap();
    event.deliver().await;
    event.order("cy", &["cyd"]).await;
    let mut body = team_body("Team dan", &["dan", "dee"]);
    body["track"] = Value::Null;
    body.as_object_mut().unwrap().remove("track");
    done(event.post("dan", "/hackathon/register/team", body).await, 201);
    event
}

#[tokio::test]
async fn ck_d02_both_index_routes_find_the_same_teams() {
    let event = teams().await;
    for (filter, names) in [
        ("payment_status=paid", &["Team ann"][..]),
        ("payment_status=failed", &["Team bo"]),
        ("payment_status=pending", &["Team cy", "Team dan"]),
        ("payment_status=refunded", &[]),
        ("track=ai-ml", &["Team ann", "Team bo", "Team cy"]),
        ("track=blockchain", &[]),
        ("track=ai-ml&payment_status=paid", &["Team ann"]),
    ] {
        for index in ["rows", "facets"] {
            let page = listed(&event, &format!("{REGISTRATIONS}?{filter}&index={index}")).await;
            let expected: BTreeSet<String> = names.iter().map(|name| (*name).to_owned()).collect();
            assert_eq!(field(&page, "registrations", "name"), expected, "{filter} {index}");
        }
    }
    let all = listed(&event, REGISTRATIONS).await;
    assert_eq!(all["count"], 4);
    let of_college = listed(&event, &format!("{REGISTRATIONS}?college=EXAMPLE%20university")).await;
    assert_eq!(of_college["count"], 4, "each team once, though all its members are of the college");
}

#[tokio::test]
async fn lists_come_in_pages_and_their_cursors_belong_to_them() {
    let event = teams().await;
    let mut found = BTreeSet::new();
    for filter in ["payment_status=pending", "track=ai-ml", "college=example-university", "limit=2"]
    {
        let mut names = BTreeSet::new();
        let mut path = format!("{REGISTRATIONS}?{filter}&limit=1").replace("limit=2&", "");
        loop {
            let page = listed(&event, &path).await;
            let more = field(&page, "registrations", "name");
            assert!(more.iter().all(|name| names.insert(name.clone())), "{filter}: twice {more:?}");
            let Some(next) = page["nextToken"].as_str() else { break };
            path = format!("{REGISTRATIONS}?{filter}&limit=1&nextToken={next}")
                .replace("limit=2&", "");
        }
        found.insert((filter, names.len()));
    }
    assert_eq!(
        found,
        BTreeSet::from([
            ("payment_status=pending", 2),
            ("track=ai-ml", 3),
            ("college=example-university", 4),
            ("limit=2", 4),
        ])
    );
    let page = listed(&event, &format!("{REGISTRATIONS}?track=ai-ml&limit=1")).await;
    let next = page["nextToken"].as_str().unwrap();
    for other in [
        "track=blockchain",
        "track=ai-ml&payment_status=paid",
        "payment_status=paid",
        "index=facets",
    ] {
        let path = format!("{REGISTRATIONS}?{other}&limit=1&nextToken={next}");
        assert_eq!(event.get("admin", &path).await.outcome(), "400 INVALID_CURSOR", "{other}");
    }
    let refused = event.get("admin", &format!("{REGISTRATIONS}?page=2")).await;
    assert_eq!(refused.outcome(), "400 INVALID_REQUEST");
    assert!(refused.text.contains("page"), "{}", refused.text);
}

#[tokio::test]
async fn payments_are_found_by_team_status_day_and_order() {
    let event = Event::new().await;
    let (team_id, payment) = event.paid("ann", &["al"]).await;
    let (other, _) = event.order("bo", &["bob"]).await;
    for (query, count) in [
        (format!("team_id={team_id}"), 1),
        (format!("team_id={other}"), 1),
        ("status=paid".to_owned(), 1),
        ("status=pending".to_owned(), 1),
        ("day=2027-01-15".to_owned(), 2),
        ("day=2027-01-14".to_owned(), 0),
        (String::new(), 2),
    ] {
        let page = listed(&event, &format!("/hackathon/admin/payments?{query}")).await;
        assert_eq!(page["count"], count, "{query}");
    }
    let two = "/hackathon/admin/payments?status=paid&day=2027-01-15";
    assert_eq!(event.get("admin", two).await.outcome(), "400 INVALID_REQUEST");
    let of_order = listed(&event, &format!("/hackathon/admin/orders/{}", payment.order_id)).await;
    assert_eq!(of_order["team_id"], team_id.as_str());
    assert_eq!(
        event.get("admin", "/hackathon/admin/orders/order_none").await.outcome(),
        "404 NOT_FOUND"
    );
}

/// On the team the attribute `payment_id` is the gateway's payment, and on the payment it is the service's own.
#[tokio::test]
async fn ck_d12_both_ids_of_a_payment_have_names_of_their_own() {
    let event = Event::new().await;
    let (team_id, payment) = event.paid("ann", &["al"]).await;
    let own = event.team(&team_id).await.payment_uuid.unwrap();
    let team = &listed(&event, REGISTRATIONS).await["registrations"][0];
    let listed = listed(&event, "/hackathon/admin/payments?status=paid").await;
    for shown in [team, &listed["payments"][0]] {
        assert_eq!(shown["gatewayPaymentId"], payment.payment_id.as_str());
        assert_eq!(shown["paymentId"], own.as_str());
        assert!(shown.get("payment_id").is_none() && shown.get("payment_uuid").is_none());
    }
    let row = event.row(&format!("TEAM#{team_id}"), "PROFILE").unwrap();
    assert_eq!(
        row["payment_id"],
        payment.payment_id.as_str().into(),
        "as the design document has it"
    );
}

#[tokio::test]
async fn teams_are_found_by_their_leader() {
    let event = teams().await;
    let all = listed(&event, REGISTRATIONS).await;
    for team in all["registrations"].as_array().unwrap() {
        let leader = team["leader_participant_id"].as_str().unwrap();
        let path = format!("/hackathon/admin/participants/{leader}/teams");
        assert_eq!(listed(&event, &path).await["registrations"][0]["team_id"], team["team_id"]);
    }
}

/// The statistics have a key in the design document and no attributes.
#[tokio::test]
async fn ck_d22_figures_are_counted_by_day_and_for_the_event() {
    let event = teams().await;
    let counts = listed(&event, "/hackathon/admin/statistics").await;
    assert_eq!(
        counts,
        json!({
            "total_teams": 4, "total_participants": 8, "paid_teams": 1, "revenue": 99_900,
            "payments_attempted": 2, "payments_failed": 1, "refunds": 0, "expired": 0, "slots_used": 4,
            "track_wise_distribution": { "ai-ml": 3 },
        })
    );
    let path = "/hackathon/admin/statistics/daily?from=2027-01-01&to=2027-01-31";
    let day = &listed(&event, path).await["days"][0];
    assert_eq!((&day["day"], &day["success_rate"]), (&json!("2027-01-15"), &json!(0.5)));
    assert_eq!(
        (&day["revenue_minor"], &day["per_track"]),
        (&json!(99_900), &json!({ "ai-ml": 3 }))
    );
    let path = "/hackathon/admin/statistics/daily?from=2027-01-16&to=2027-01-31";
    assert_eq!(listed(&event, path).await["count"], 0);
    let funnel = listed(&event, "/hackathon/admin/funnel").await;
    assert_eq!(
        (&funnel["registered"], &funnel["ordered"], &funnel["paid"]),
        (&json!(4), &json!(4), &json!(1))
    );
    let capacity = listed(&event, "/hackathon/admin/capacity").await;
    let expected =
        json!({ "max_teams": 500, "slots_used": 4, "places_left": 496, "waitlisted": 0 });
    assert_eq!(capacity, expected);
}

/// A day begins at midnight of the event's zone: half past six in the evening of UTC.
#[tokio::test]
async fn ck_d16_what_happens_in_the_evening_counts_for_the_next_day_of_the_event() {
    let event = Event::new().await;
    event.register("ann", "Early", &["al"]).await;
    event.clock.advance_ms(11 * 60 * 60 * 1_000);
    event.paid("bo", &["bob"]).await;
    let path = "/hackathon/admin/statistics/daily?from=2027-01-15&to=2027-01-16";
    let days = listed(&event, path).await;
    let registered: Vec<_> = days["days"]
        .as_array()
        .unwrap()
        .iter()
        .map(|day| (day["day"].as_str().unwrap().to_owned(), day["registrations"].clone()))
        .collect();
    let expected = [("2027-01-15".to_owned(), json!(1)), ("2027-01-16".to_owned(), json!(1))];
    assert_eq!(registered, expected);
    let payments = listed(&event, "/hackathon/admin/payments?day=2027-01-16").await;
    assert_eq!(payments["count"], 1);
}

#[tokio::test]
async fn a_refund_returns_the_money_and_frees_the_place_but_not_the_guards() {
    let event = Event::new().await;
    let (team_id, _) = event.paid("ann", &["al"]).await;
    let path = format!("/hackathon/admin/refund/{team_id}");
    let reason = json!({ "reason": "They have withdrawn." });
    done(event.post("admin", &path, reason.clone()).await, 200);
    event.work_after(0).await;
    let team = event.team(&team_id).await;
    assert_eq!(team.registration(), RegistrationStatus::Refunded);
    assert_eq!(team.payment_status, PaymentStatus::Refunded);
    let totals = event.totals().await;
    assert_eq!((totals.refunds, totals.refunded_minor, totals.slots_used), (1, 99_900, 0));
    let again = event.post("admin", &path, reason).await;
    assert_eq!(again.outcome(), "409 ALREADY_REFUNDED");
    let taken =
        event.post("ann", "/hackathon/register/team", team_body("Team ann", &["ann", "al"])).await;
    assert_eq!(taken.status, 409, "the guards stay");
    let audit = listed(&event, "/hackathon/admin/audit").await;
    assert_eq!(audit["entries"][0]["action"], "refund");
    assert_eq!(audit["entries"][0]["after"]["reason"], "They have withdrawn.");
    assert_eq!(check(&event).await, json!([]));
    // Until an administrator releases them.
    done(
        event.post("admin", &format!("/hackathon/admin/release/{team_id}"), Value::Null).await,
        200,
    );
    event.register("ann", "Team ann", &["al"]).await;
    assert_eq!(check(&event).await, json!([]));
    let released =
        event.post("admin", &format!("/hackathon/admin/release/{team_id}"), Value::Null).await;
    assert_eq!(released.outcome(), "409 INVALID_STATE");
}

#[tokio::test]
async fn a_team_that_has_not_paid_gets_nothing_back() {
    let event = Event::new().await;
    let (team_id, _) = event.order("ann", &["al"]).await;
    let reason = json!({ "reason": "by mistake" });
    let refused =
        event.post("admin", &format!("/hackathon/admin/refund/{team_id}"), reason.clone()).await;
    assert_eq!(refused.outcome(), "409 INVALID_STATE");
    let unknown = event.post("admin", "/hackathon/admin/refund/nobody", reason).await;
    assert_eq!(unknown.outcome(), "404 NOT_FOUND");
}

#[tokio::test]
async fn a_refund_needs_no_reason() {
    let event = Event::new().await;
    let (team_id, _) = event.paid("ann", &["al"]).await;
    let path = format!("/hackathon/admin/refund/{team_id}");
    done(event.post("admin", &path, Value::Null).await, 200);
    event.work_after(0).await;
    assert_eq!(event.payment(&team_id).await.status, PaymentStatus::Refunded);
    let audit = done(event.get("admin", "/hackathon/admin/audit").await, 200);
    let refund = audit["entries"].as_array().unwrap().iter().find(|it| it["action"] == "refund");
    assert_eq!(refund.unwrap()["after"], json!({ "amount": "99900" }));
}

#[tokio::test]
async fn payments_whose_events_were_lost_are_found_by_reconciling() {
    let event = Event::new().await;
    let (team_id, order) = event.order("ann", &["al"]).await;
    event.gateway.attempt(&order, Attempt::Succeeds).unwrap();
    let lost = event.webhooks();
    assert!(!lost.is_empty());
    event.clock.advance_ms(11 * 60 * 1_000);
    let report = done(event.post("admin", "/hackathon/admin/reconcile", Value::Null).await, 200);
    assert_eq!(report, json!({ "looked_up": 1, "changed": 1, "failed": 0 }));
    assert_eq!(event.team(&team_id).await.registration(), RegistrationStatus::Confirmed);
}

#[tokio::test]
async fn organisers_follow_the_figures() {
    let event = Event::new().await;
    let response = event.follow("admin", "/hackathon/admin/live").await;
    let mut live = response.into_body();
    let first = next(&mut live).await;
    assert!(first.contains("event: live") && first.contains("\"total_teams\":0"), "{first}");
    event.register("ann", "Team ann", &["al"]).await;
    event.app.work().await.unwrap();
    let second = next(&mut live).await;
    assert!(second.contains("\"total_teams\":1"), "{second}");
}

/// Returns the next event of a stream.
async fn next(body: &mut axum::body::Body) -> String {
    let frame = body.frame().await.unwrap().unwrap();
    String::from_utf8(frame.into_data().unwrap().to_vec()).unwrap()
}

#[tokio::test]
async fn only_administrators_are_organisers() {
    let event = teams().await;
    for (user, told) in
        [("", "401 UNAUTHORIZED"), ("ann", "403 FORBIDDEN"), ("judge", "403 FORBIDDEN")]
    {
        for path in [
            REGISTRATIONS,
            "/hackathon/admin/payments?status=paid",
            "/hackathon/admin/participants?college=mit",
            "/hackathon/admin/statistics",
            "/hackathon/admin/export/csv",
            "/hackathon/admin/export/json",
            "/hackathon/admin/config",
            "/hackathon/admin/audit",
            "/hackathon/admin/alerts",
            "/hackathon/admin/live",
        ] {
            assert_eq!(event.get(user, path).await.outcome(), told, "{user} {path}");
        }
    }
}

/// Returns what the check of rows finds.
pub(crate) async fn check(event: &Event) -> Value {
    let report = done(event.post("admin", "/hackathon/admin/check", json!({})).await, 200);
    report["findings"].clone()
}

#[tokio::test]
async fn an_expired_registration_leaves_rows_that_agree() {
    let event = teams().await;
    event.work_after(25).await;
    let expired = listed(&event, "/hackathon/admin/statistics").await;
    assert_eq!((&expired["expired"], &expired["slots_used"]), (&json!(3), &json!(1)));
    assert_eq!(check(&event).await, json!([]));
}

/// The gateway is told nothing but that the event was received, and organisers look at it.
#[tokio::test]
async fn events_of_unknown_orders_are_listed_as_alerts() {
    let (event, elsewhere) = (Event::new().await, Event::new().await);
    let (_, order) = elsewhere.order("ann", &["al"]).await;
    elsewhere.gateway.attempt(&order, Attempt::Succeeds).unwrap();
    for webhook in elsewhere.webhooks() {
        done(event.webhook(&webhook).await, 200);
    }
    let alerts = listed(&event, "/hackathon/admin/alerts").await;
    assert_eq!(alerts["alerts"][0]["kind"], "unknown_order", "{alerts}");
    assert!(!event.has("STATS", "TOTALS"), "nothing was counted");
}
