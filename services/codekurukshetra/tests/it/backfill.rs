//! Rows of older programs: what is read of them, and the backfill that brings them up to date.

use monotable::dynamodb::{DescribeTimeToLive, UpdateTimeToLive};
use monotable::{Item, item};
use monotable_codekurukshetra::table::{
    CodeKurukshetraReads as _, College, Email, PaymentStatus, RegistrationStatus,
};
use monotable_testkit::service::{Act, Crash};
use serde_json::{Value, json};

use crate::world::{Event, done, id, team_body};

const THEN: &str = "2027-01-14T20:00:00Z";

/// A participant as the design document shows one: without sort keys of indexes, and with an expiry that was over before
/// it was created.
fn participant(number: &str, team: &str, status: &str) -> Item {
    let email = format!("{number}@example.com");
    let mut row = item! {
        "PK" => format!("PARTICIPANT#{number}"), "SK" => "PROFILE",
        "GSI1PK" => format!("EMAIL#{email}"), "GSI2PK" => format!("TEAM#{team}"),
        "GSI3PK" => "COLLEGE#example-university", "entity_type" => "participant",
        "participant_id" => number, "first_name" => "John", "last_name" => "Doe", "email" => email,
        "phone" => "098765 43210", "college" => "Example University", "year" => "3rd Year",
        "github_username" => "johndoe", "linkedin" => "https://linkedin.com/in/johndoe",
        "student_status" => true, "registration_type" => "team_member", "team_id" => team,
        "payment_status" => status, "is_leader" => number.ends_with('1'),
        "created_at" => THEN, "updated_at" => THEN, "ttl" => 1_735_689_600,
    };
    if number.ends_with('1') {
        row.insert("firebase_uid".to_owned(), format!("uid-{number}").into());
    }
    row
}

/// A team of two, as the design document shows one.
fn team(team: &str, status: &str) -> Item {
    item! {
        "PK" => format!("TEAM#{team}"), "SK" => "PROFILE", "GSI1PK" => format!("PAYMENT_STATUS#{status}"),
        "GSI2PK" => "TRACK#ai-ml", "GSI3PK" => format!("LEADER#{team}1"), "entity_type" => "team",
        "team_id" => team, "name" => format!("Old {team}"), "track" => "ai-ml",
        "leader_participant_id" => format!("{team}1"), "payment_status" => status,
        "payment_order_id" => format!("order_{team}"), "payment_id" => format!("pay_{team}"),
        "amount" => 99_900, "currency" => "INR", "member_count" => 2, "max_members" => 4,
        "registration_complete" => true, "created_at" => THEN, "updated_at" => THEN,
    }
}

/// A payment, as the design document shows one.
fn payment(team: &str, status: &str) -> Item {
    let mut row = item! {
        "PK" => format!("PAYMENT#p-{team}"), "SK" => "TRANSACTION", "GSI1PK" => format!("TEAM#{team}"),
        "GSI2PK" => format!("STATUS#{status}"), "GSI3PK" => "DATE#2027-01-15", "entity_type" => "payment",
        "payment_id" => format!("p-{team}"), "razorpay_order_id" => format!("order_{team}"),
        "team_id" => team, "amount" => 99_900, "currency" => "INR", "status" => status,
        "payment_method" => "card", "razorpay_signature" => "signature_hash", "webhook_verified" => true,
        "metadata" => item! {
            "user_agent" => "Mozilla/5.0...", "ip_address" => "192.168.1.1", "payment_timestamp" => THEN,
        },
        "created_at" => THEN, "updated_at" => THEN,
    };
    if status == "paid" {
        row.insert("razorpay_payment_id".to_owned(), format!("pay_{team}").into());
    }
    row
}

/// What an older program left: a team that has paid, and one that has not.
fn old_rows() -> Vec<Item> {
    let mut rows = Vec::new();
    for (name, status) in [("red", "paid"), ("blue", "pending")] {
        rows.extend([team(name, status), payment(name, status)]);
        rows.extend(["1", "2"].map(|number| participant(&format!("{name}{number}"), name, status)));
    }
    rows
}

async fn report(event: &Event) -> Value {
    serde_json::from_str(&event.running.backfill().await.unwrap()).unwrap()
}

async fn findings(event: &Event) -> Value {
    let report = done(event.post("admin", "/hackathon/admin/check", json!({})).await, 200);
    report["findings"].clone()
}

/// All documented queries of an index return nothing before the backfill, because the rows have no sort keys.
#[tokio::test]
async fn ck_d01_rows_without_sort_keys_are_in_no_index_until_the_backfill() {
    let event = Event::new().await;
    event.put_rows(old_rows());
    let db = &event.app.db;
    let college = College("Example University".to_owned());
    let found = || async {
        [
            db.participants_by_email(&Email("red1@example.com".to_owned())).count().await.unwrap(),
            db.members(&id("red")).count().await.unwrap(),
            db.participants_by_college(&college).count().await.unwrap(),
            db.teams_by_status(PaymentStatus::Paid).count().await.unwrap(),
            db.status_facets(PaymentStatus::Paid).count().await.unwrap(),
            db.teams_by_track(&id("ai-ml")).count().await.unwrap(),
            db.track_facets(&id("ai-ml")).count().await.unwrap(),
            db.teams_led_by(&id("red1")).count().await.unwrap(),
            db.payments_of(&id("red")).count().await.unwrap(),
            db.payments_by_status(PaymentStatus::Paid).count().await.unwrap(),
            db.payments_on("2027-01-15".parse().unwrap()).count().await.unwrap(),
        ]
    };
    assert_eq!(found().await, [0; 11]);
    let first = report(&event).await;
    assert_eq!(first["conflicts"], json!([]), "{first}");
    assert_eq!(found().await, [1, 2, 4, 1, 1, 2, 2, 1, 1, 1, 2]);
    assert_eq!(
        (&first["teams"], &first["participants"], &first["payments"]),
        (&json!(2), &json!(4), &json!(2))
    );
    assert_eq!(findings(&event).await, json!([]));
    // Once more, nothing changes.
    let before = event.stored();
    let second = report(&event).await;
    assert_eq!(event.stored(), before);
    for name in ["teams", "participants", "payments", "derivedRows"] {
        assert_eq!(second[name], 0, "{second}");
    }
}

/// A program that wrote the sort keys, but no guards: its participants are known by their addresses.
#[tokio::test]
async fn participants_without_a_guard_are_found_by_their_address() {
    let event = Event::new().await;
    event.put_rows(old_rows());
    for (number, user) in [("red1", "ann"), ("red2", "bo")] {
        let email = format!("{user}@example.org");
        let mut row = participant(number, "red", "paid");
        row.insert("GSI1PK".to_owned(), format!("EMAIL#{email}").into());
        row.insert("GSI1SK".to_owned(), format!("PARTICIPANT#{number}").into());
        row.insert("email".to_owned(), email.into());
        if number == "red1" {
            row.insert("firebase_uid".to_owned(), user.into());
        }
        event.put_rows([row]);
        let me = done(event.get(user, "/hackathon/me").await, 200);
        assert_eq!(me["participant"]["participant_id"], number, "{me}");
        assert_eq!(me["team"]["team_id"], "red");
    }
    let stranger = done(event.get("cy", "/hackathon/me").await, 200);
    assert_eq!(stranger["participant"], Value::Null);
}

#[tokio::test]
async fn teams_get_their_status_members_payment_guards_and_counters() {
    let event = Event::new().await;
    event.put_rows(old_rows());
    report(&event).await;
    let (red, blue) = (event.team(&id("red")).await, event.team(&id("blue")).await);
    assert_eq!(red.registration_status, Some(RegistrationStatus::Confirmed));
    assert_eq!(blue.registration_status, Some(RegistrationStatus::PendingPayment));
    assert_eq!(
        blue.hold_until,
        Some("2027-01-15T20:00:00Z".parse().unwrap()),
        "a day after it registered"
    );
    assert!(red.registration_complete && !blue.registration_complete);
    assert_eq!(red.member_ids, ["red1", "red2"].map(id));
    assert_eq!(
        (red.payment_uuid, red.day),
        (Some(id("p-red")), Some("2027-01-15".parse().unwrap()))
    );
    assert!(red.stamps.version > 0);
    for key in [
        ["EMAIL#red1@example.com", "UNIQUE"],
        ["EMAIL#blue2@example.com", "UNIQUE"],
        ["UID#uid-red1", "UNIQUE"],
        ["TEAMNAME#old%20red", "UNIQUE"],
        ["ORDER#order_blue", "LOOKUP"],
        ["TEAM#red", "IDX#PAYMENT_STATUS"],
        ["TEAM#blue", "IDX#TRACK"],
    ] {
        assert!(event.has(key[0], key[1]), "{key:?}");
    }
    let totals = event.totals().await;
    assert_eq!((totals.registrations, totals.participants, totals.slots_used), (2, 4, 2));
    assert_eq!(
        (totals.teams_confirmed, totals.payments_paid, totals.revenue_minor),
        (1, 1, 99_900)
    );
    // What they guard, others can't take.
    let taken = team_body("Old  RED", &["ann", "al"]);
    let refused = event.post("ann", "/hackathon/register/team", taken).await;
    assert_eq!(refused.outcome(), "409 TEAM_NAME_TAKEN");
    let mut body = team_body("New", &["ann", "al"]);
    body["members"][1]["email"] = json!("Red2@example.com");
    let refused = event.post("ann", "/hackathon/register/team", body).await;
    assert_eq!(refused.outcome(), "409 DUPLICATE_EMAIL");
    // The hold of the other team ends as always.
    event.work_after(13).await;
    assert_eq!(event.team(&id("blue")).await.registration(), RegistrationStatus::Expired);
    assert!(!event.has("EMAIL#blue1@example.com", "UNIQUE"));
    assert_eq!(findings(&event).await, json!([]));
}

#[tokio::test]
async fn personal_data_is_encrypted_in_one_form() {
    let event = Event::new().await;
    event.put_rows(old_rows());
    let mut odd = participant("green1", "red", "paid");
    odd.insert("phone".to_owned(), "ask my brother".into());
    event.put_rows([odd]);
    let path = "/hackathon/admin/export/json?pii=true&reason=test";
    let shown = |event: &Event| {
        let event = event.world.clone();
        async move { done(event.get("admin", path).await, 200)["participants"].clone() }
    };
    let before = shown(&event).await;
    let report = report(&event).await;
    let odd = json!({ "kind": "oddPhone", "participantId": "green1" });
    assert!(report["conflicts"].as_array().unwrap().contains(&odd), "{report}");
    let rows = format!("{:?}", event.rows());
    for secret in ["98765", "linkedin.com", "192.168.1.1", "ask my brother"] {
        assert!(!rows.contains(secret), "{secret}");
    }
    let after = shown(&event).await;
    let phones = |people: &Value| -> Vec<String> {
        let people = people.as_array().unwrap().iter();
        people.map(|person| person["phone"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(phones(&before), phones(&after), "older numbers are read in any spelling");
    assert!(phones(&after).contains(&"+91-9876543210".to_owned()));
}

/// The expiry of the sample is eight months before its time of creation: the row was never there for anybody who keeps to it.
#[tokio::test]
async fn ck_d08_an_expiry_in_the_past_counts_for_nothing_while_the_team_has_its_place() {
    let event = Event::new().await;
    event.put_rows(old_rows());
    let team = done(event.get("admin", "/hackathon/admin/export/json").await, 200);
    assert_eq!(team["participants"].as_array().unwrap().len(), 4, "they are visible");
    report(&event).await;
    for row in event.rows() {
        assert!(
            !row.contains_key("ttl") || row["PK"].as_s().unwrap().starts_with("RATE#"),
            "{row:?}"
        );
    }
    event.database.sweep_expired().unwrap();
    assert_eq!(event.app.db.members(&id("red")).count().await.unwrap(), 2);
    // Whoever has given up the place may go.
    event.work_after(24).await;
    assert_eq!(event.team(&id("blue")).await.registration(), RegistrationStatus::Expired);
    event.clock.advance_ms(8 * 24 * 60 * 60 * 1_000);
    event.database.sweep_expired().unwrap();
    assert!(!event.has("PARTICIPANT#blue1", "PROFILE") && event.has("PARTICIPANT#red1", "PROFILE"));
}

/// The nightly work comes before an administrator has thought of the backfill.
#[tokio::test]
async fn ck_d08_the_nightly_work_removes_nobody_of_a_team_that_has_its_place() {
    for is_configured in [true, false] {
        let event = if is_configured { Event::new().await } else { Event::empty().await };
        event.put_rows(old_rows());
        for _ in 0..2 {
            event.app.sweep().await.unwrap();
            assert!(event.has("PARTICIPANT#red1", "PROFILE"), "configured: {is_configured}");
        }
    }
}

/// The table of an older program removes nothing before the backfill has looked at its rows.
#[tokio::test]
async fn ck_d08_expiry_is_switched_on_by_the_backfill() {
    let event = Event::empty().await;
    let table = event.table.as_str();
    let attribute = || {
        let describe = DescribeTimeToLive::new(table);
        event.database.describe_time_to_live(describe).unwrap().attribute_name
    };
    assert_eq!(attribute().as_deref(), Some("ttl"), "a table that the service makes has it");
    let off = UpdateTimeToLive::disable(table, "ttl");
    event.database.update_time_to_live(off).unwrap();
    let beside = event.another_process().await;
    assert_eq!(attribute(), None, "it stays off");
    beside.running.backfill().await.unwrap();
    assert_eq!(attribute().as_deref(), Some("ttl"));
}

#[tokio::test]
async fn what_contradicts_itself_is_reported_and_left() {
    let event = Event::new().await;
    event.put_rows(old_rows());
    let mut twin = participant("green2", "red", "paid");
    twin.insert("email".to_owned(), "RED1@example.com".into());
    let mut lost = participant("lost1", "nowhere", "paid");
    lost.insert("email".to_owned(), "lost1@example.com".into());
    let mut namesake = team("green", "pending");
    namesake.insert("name".to_owned(), "OLD red".into());
    event.put_rows([twin, lost, namesake]);
    let report = report(&event).await;
    let texts: Vec<String> = report["conflicts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| format!("{} {}", it["row"].as_str().unwrap(), it["text"].as_str().unwrap()))
        .collect();
    for text in [
        "PARTICIPANT#red1 PARTICIPANT#green2 has the same address",
        "PARTICIPANT#lost1 its team does not exist",
        "TEAM#red TEAM#green has the same name",
        "TEAM#red member_count is 2; there are 3 members",
        "TEAM#green its leader is not a member",
    ] {
        assert!(texts.iter().any(|it| it.contains(text)), "{text}: {texts:#?}");
    }
    assert!(!report.to_string().contains("example.com"), "no personal data: {report}");
}

#[tokio::test]
async fn it_runs_beside_the_service() {
    let event = Event::new().await;
    event.put_rows(old_rows());
    let registering = async {
        for number in 0..10 {
            let (leader, other) = (format!("ann{number}"), format!("al{number}"));
            let body = team_body(&format!("New {number}"), &[&leader, &other]);
            done(event.post(leader.as_str(), "/hackathon/register/team", body).await, 201);
        }
    };
    let (_, report) = tokio::join!(registering, report(&event));
    assert_eq!(report["conflicts"], json!([]), "{report}");
    let again = serde_json::from_str::<Value>(&event.running.backfill().await.unwrap()).unwrap();
    assert_eq!(again["conflicts"], json!([]));
    assert_eq!(findings(&event).await, json!([]));
    assert_eq!(event.totals().await.slots_used, 12);
}

#[tokio::test]
async fn it_may_be_killed_at_any_call() {
    let event = Event::new().await;
    let mut team = team("red", "paid");
    team.insert("member_count".to_owned(), 1.into());
    event.put_rows([team, payment("red", "paid"), participant("red1", "red", "paid")]);
    Crash::of(&event.world).at_every_call(Act::Backfill).await;
}
