//! The nightly check: what disagrees is found, and what follows from other rows can be repaired.

use monotable::dynamodb::{DeleteItem, UpdateItem};
use monotable::{Item, item};
use monotable_codekurukshetra::table::CodeKurukshetraReads as _;
use serde_json::{Value, json};

use crate::world::{Event, done, id};

/// Returns the findings of a check as `kind row: text`.
async fn findings(event: &Event, repair: bool) -> Vec<String> {
    let body = json!({ "repair": repair });
    let report = done(event.post("admin", "/hackathon/admin/check", body).await, 200);
    let finding = |it: &Value| {
        let text = |name: &str| it[name].as_str().unwrap().to_owned();
        let repaired = if it["is_repaired"] == true { " (repaired)" } else { "" };
        format!("{} {}: {}{repaired}", text("kind"), text("row"), text("text"))
    };
    report["findings"].as_array().unwrap().iter().map(finding).collect()
}

/// Changes a row past the service, as another program does.
fn update(event: &Event, key: [&str; 2], expression: &str, values: &[(&str, Value)]) {
    let key = item! { "PK" => key[0], "SK" => key[1] };
    let mut update = UpdateItem::new(event.table.as_str(), key).update(expression);
    for (name, value) in values {
        update = match value {
            Value::Number(number) => update.value(*name, number.as_i64().unwrap()),
            value => update.value(*name, value.as_str().unwrap()),
        };
    }
    event.database.update_item(update).unwrap();
}

fn delete(event: &Event, partition: &str, sort: &str) {
    let key = item! { "PK" => partition, "SK" => sort };
    event.database.delete_item(DeleteItem::new(event.table.as_str(), key)).unwrap();
}

/// The transaction of the design document sets `payment_status` of the team and nothing else: not the key of the index,
/// not the facet, not the copies of the members, not the payment.
#[tokio::test]
async fn ck_d04_what_the_documents_own_transaction_leaves_is_found_and_repaired() {
    let event = Event::new().await;
    let (team_id, _) = event.order("ann", &["al"]).await;
    let team = format!("TEAM#{team_id}");
    assert_eq!(findings(&event, false).await, [""; 0]);
    update(&event, [&team, "PROFILE"], "SET payment_status = :s", &[(":s", json!("paid"))]);
    let found = findings(&event, false).await;
    let has = |text: &str| found.iter().any(|it| it.contains(text));
    assert!(
        has(&format!("keys {team}: keys of Team: different, mirror StatusFacet: different")),
        "{found:?}"
    );
    assert!(has("copies PARTICIPANT#"), "{found:?}");
    assert!(
        has(&format!(
            "states {team}: payment_status is paid, which a registration that is pending_payment"
        )),
        "{found:?}"
    );
    assert_eq!(found.len(), 4, "keys and facets, two copies, the state: {found:?}");
    let before = event.rows().len();
    let repaired = findings(&event, true).await;
    assert_eq!(repaired.iter().filter(|it| it.ends_with("(repaired)")).count(), 3, "{repaired:?}");
    // The contradiction stays: no money came.
    let left = findings(&event, false).await;
    assert_eq!(left.len(), 1, "{left:?}");
    assert!(left[0].starts_with(&format!("states {team}")));
    assert_eq!(event.rows().len(), before + 1, "nothing but the line of the audit is new");
    let row = event.row(&team, "PROFILE").unwrap();
    assert_eq!(row["GSI1PK"], "PAYMENT_STATUS#paid".into());
    let facets = event.app.db.status_facets(monotable_codekurukshetra::table::PaymentStatus::Paid);
    assert_eq!(facets.all().await.unwrap().len(), 1);
}

/// The status of a payment and the track of a team are in keys, too.
#[tokio::test]
async fn ck_d05_statuses_and_tracks_in_keys_are_found_when_they_are_stale() {
    let event = Event::new().await;
    let (team_id, _) = event.paid("ann", &["al"]).await;
    let payment = format!("PAYMENT#{}", event.team(&team_id).await.payment_uuid.unwrap());
    let team = format!("TEAM#{team_id}");
    update(
        &event,
        [&payment, "TRANSACTION"],
        "SET GSI2PK = :k",
        &[(":k", json!("STATUS#pending"))],
    );
    update(&event, [&team, "PROFILE"], "SET track = :t", &[(":t", json!("blockchain"))]);
    let found = findings(&event, true).await;
    assert!(
        found
            .iter()
            .any(|it| it.starts_with(&format!("keys {payment}")) && it.ends_with("(repaired)")),
        "{found:?}"
    );
    assert!(found.iter().any(|it| it.starts_with(&format!("keys {team}"))), "{found:?}");
    assert!(
        found.iter().any(|it| it.starts_with("counters STATS / TRACK#blockchain")),
        "{found:?}"
    );
    assert_eq!(findings(&event, false).await, [""; 0]);
    let track = id("blockchain");
    assert_eq!(event.app.db.teams_by_track(&track).all().await.unwrap().len(), 1);
    assert_eq!(event.app.db.track_facets(&track).all().await.unwrap().len(), 1);
}

#[tokio::test]
async fn guards_lookups_and_facets_that_are_missing_are_written_and_orphans_deleted() {
    let event = Event::new().await;
    let (team_id, payment) = event.paid("ann", &["al"]).await;
    let team = format!("TEAM#{team_id}");
    let rows = event.rows().len();
    delete(&event, "EMAIL#al@example.org", "UNIQUE");
    delete(&event, "UID#ann", "UNIQUE");
    delete(&event, "TEAMNAME#team%20ann", "UNIQUE");
    delete(&event, &format!("ORDER#{}", payment.order_id), "LOOKUP");
    delete(&event, &team, "IDX#TRACK");
    let orphan = |key: [&str; 2], kind: &str, more: &[(&str, &str)]| {
        let mut row = item! { "PK" => key[0], "SK" => key[1], "entity_type" => kind };
        row.extend(more.iter().map(|(name, value)| ((*name).to_owned(), (*value).into())));
        row
    };
    event.put_rows([
        orphan(
            ["EMAIL#gone@example.org", "UNIQUE"],
            "email_guard",
            &[("email", "gone@example.org"), ("participant_id", "p")],
        ),
        orphan(
            ["UID#gone", "UNIQUE"],
            "account",
            &[("account_id", "gone"), ("participant_id", "p")],
        ),
        orphan(["TEAMNAME#gone", "UNIQUE"], "name_guard", &[("name", "gone"), ("team_id", "t")]),
    ]);
    let repaired = findings(&event, true).await;
    assert_eq!(repaired.iter().filter(|it| it.ends_with("(repaired)")).count(), 8, "{repaired:#?}");
    assert_eq!(findings(&event, false).await, [""; 0]);
    assert_eq!(event.rows().len(), rows + 1, "all as before, and the line of the audit");
}

#[tokio::test]
async fn counters_are_compared_with_the_rows_and_repaired() {
    let event = Event::new().await;
    event.paid("ann", &["al"]).await;
    let (refunded, _) = event.paid("bo", &["bob"]).await;
    let reason = json!({ "reason": "They have withdrawn." });
    done(event.post("admin", &format!("/hackathon/admin/refund/{refunded}"), reason).await, 200);
    event.order("cy", &["cyd"]).await;
    event.work_after(25).await;
    event.register("dan", "Team dan", &["dee"]).await;
    assert_eq!(findings(&event, false).await, [""; 0]);
    let totals = event.totals().await;
    for counter in [
        "registrations",
        "participants",
        "revenue_minor",
        "slots_used",
        "teams_confirmed",
        "refunds",
    ] {
        update(&event, ["STATS", "TOTALS"], &format!("ADD {counter} :n"), &[(":n", json!(7))]);
    }
    update(&event, ["STATS", "DAILY#2027-01-15"], "SET payments_paid = :n", &[(":n", json!(0))]);
    delete(&event, "STATS", "DAILY#2027-01-16");
    let found = findings(&event, false).await;
    assert!(found.iter().all(|it| it.starts_with("counters STATS / ")), "{found:#?}");
    assert!(
        found
            .contains(&"counters STATS / TOTALS: slots_used is 9; the rows add up to 2".to_owned()),
        "{found:#?}"
    );
    let repaired = findings(&event, true).await;
    assert!(repaired.iter().all(|it| it.ends_with("(repaired)")), "{repaired:#?}");
    assert_eq!(event.totals().await, totals);
    assert_eq!(findings(&event, false).await, [""; 0]);
}

#[tokio::test]
async fn references_that_lead_nowhere_are_reported() {
    let event = Event::new().await;
    let (team_id, _) = event.paid("ann", &["al"]).await;
    let (other, _) = event.order("bo", &["bob"]).await;
    let team = event.team(&team_id).await;
    delete(&event, &format!("PARTICIPANT#{}", team.member_ids[1]), "PROFILE");
    delete(&event, &format!("PAYMENT#{}", team.payment_uuid.clone().unwrap()), "TRANSACTION");
    delete(&event, &format!("TEAM#{other}"), "PROFILE");
    let found = findings(&event, false).await;
    for text in [
        format!("references TEAM#{team_id}: member_count is 2; there are 1 members"),
        format!("references TEAM#{team_id}: its payment does not exist"),
        "its team does not exist".to_owned(),
        "no team has this facet".to_owned(),
        "a guard holds the address of another row".to_owned(),
    ] {
        assert!(found.iter().any(|it| it.contains(&text)), "{text}: {found:#?}");
    }
}

#[tokio::test]
async fn every_night_what_is_wrong_becomes_an_alert() {
    let event = Event::new().await;
    let (team_id, _) = event.order("ann", &["al"]).await;
    event.app.sweep().await.unwrap();
    let alerts = || async { done(event.get("admin", "/hackathon/admin/alerts").await, 200) };
    assert_eq!(alerts().await["count"], 0);
    let team = format!("TEAM#{team_id}");
    update(&event, [&team, "PROFILE"], "SET payment_status = :s", &[(":s", json!("paid"))]);
    event.app.sweep().await.unwrap();
    let alert = &alerts().await["alerts"][0];
    assert_eq!(alert["kind"], "drift");
    assert!(alert["text"].as_str().unwrap().contains(&team), "{alert}");
    assert!(!alert.to_string().contains("example.org"), "no personal data: {alert}");
    let row: Item = event.row(&team, "PROFILE").unwrap();
    assert_eq!(row["GSI1PK"], "PAYMENT_STATUS#pending".into(), "nothing is repaired at night");
}

/// A row that expires takes nothing with it that others count on.
#[tokio::test]
async fn ck_d09_rows_that_are_gone_leave_no_count_and_no_guard_behind() {
    let event = Event::new().await;
    let (team_id, _) = event.order("ann", &["al"]).await;
    event.work_after(25).await;
    let team = event.team(&team_id).await;
    for member in &team.member_ids {
        let row = event.row(&format!("PARTICIPANT#{member}"), "PROFILE").unwrap();
        assert!(row.contains_key("ttl"), "the rows may go");
    }
    assert!(!event.has("EMAIL#ann@example.org", "UNIQUE") && !event.has("UID#ann", "UNIQUE"));
    assert_eq!(event.totals().await.slots_used, 0);
    // A week later the storage removes them.
    event.clock.advance_ms(8 * 24 * 60 * 60 * 1_000);
    event.database.sweep_expired().unwrap();
    assert!(!event.has(&format!("PARTICIPANT#{}", team.member_ids[0]), "PROFILE"));
    assert_eq!(findings(&event, false).await, [""; 0]);
    assert_eq!(event.totals().await.participants, 2);
    let exported = event.get("admin", "/hackathon/admin/export/csv").await;
    assert_eq!(exported.text.lines().count(), 1, "only the head");
}

#[tokio::test]
async fn a_team_whose_members_are_gone_is_deleted_with_their_figures() {
    let event = Event::new().await;
    let (team_id, _) = event.order("ann", &["al"]).await;
    event.work_after(25).await;
    event.clock.advance_ms(8 * 24 * 60 * 60 * 1_000);
    event.database.sweep_expired().unwrap();
    assert_eq!(event.delete("admin", &format!("/hackathon/team/{team_id}")).await.status, 204);
    assert_eq!(event.totals().await.participants, 0);
    assert_eq!(findings(&event, false).await, [""; 0]);
}
