//! Every query of the design document as a plain DynamoDB request, on the rows of the service: before and after a payment, a
//! refund and a change of track.

use std::collections::BTreeSet;

use monotable::dynamodb::{GetItem, Query};
use monotable::{Item, item};
use monotable_codekurukshetra::table::TeamId;
use serde_json::json;

use crate::world::{Event, done};

/// Queries an index as the document does: by its partition key alone.
fn query(event: &Event, index: &str, value: &str) -> Vec<Item> {
    let query = Query::new(event.table.as_str())
        .index(index)
        .key_condition(format!("{index}PK = :value").as_str())
        .value(":value", value);
    let page = event.database.query(query).unwrap();
    page.items.into_iter().map(|row| row.to_item()).collect()
}

fn get(event: &Event, partition: &str, sort: &str) -> Item {
    let get = GetItem::new(event.table.as_str(), item! { "PK" => partition, "SK" => sort });
    event.database.get_item(get).unwrap().item.unwrap().to_item()
}

/// Returns a text of each row.
fn texts(rows: &[Item], attribute: &str) -> BTreeSet<String> {
    rows.iter().map(|row| row[attribute].as_s().unwrap().to_owned()).collect()
}

/// Checks which of two teams each query of teams finds.
fn check_teams(event: &Event, expected: &[(&str, &[&TeamId])]) {
    for (partition, teams) in expected {
        let teams: BTreeSet<String> = teams.iter().map(|team| team.to_string()).collect();
        let own = if partition.starts_with("TRACK#") { "GSI2" } else { "GSI1" };
        for index in [own, "GSI3"] {
            let rows = query(event, index, partition);
            assert_eq!(texts(&rows, "team_id"), teams, "{index} {partition}");
            let kind = if index == "GSI3" { "team_facet" } else { "team" };
            assert!(rows.iter().all(|row| row["entity_type"] == kind.into()), "{index} {rows:?}");
            assert!(
                rows.iter().all(|row| row.contains_key("name") && row.contains_key("member_count"))
            );
        }
    }
}

#[tokio::test]
async fn the_documents_queries_find_what_the_service_wrote() {
    let event = Event::new().await;
    let (red, _) = event.order("ann", &["al"]).await;
    let (blue, _) = event.order("bo", &["bob", "bea"]).await;
    let nobody: &[&TeamId] = &[];
    // Check if e-mail exists.
    let found = query(&event, "GSI1", "EMAIL#al@example.org");
    assert_eq!((found.len(), &found[0]["first_name"]), (1, &"al".into()));
    assert!(query(&event, "GSI1", "EMAIL#user@example.com").is_empty());
    // Get team with all members.
    let team = get(&event, &format!("TEAM#{blue}"), "PROFILE");
    for attribute in [
        "entity_type",
        "team_id",
        "name",
        "track",
        "leader_participant_id",
        "payment_status",
        "payment_order_id",
        "amount",
        "currency",
        "member_count",
        "max_members",
        "registration_complete",
        "created_at",
        "updated_at",
    ] {
        assert!(team.contains_key(attribute), "{attribute}");
    }
    let members = query(&event, "GSI2", &format!("TEAM#{blue}"));
    assert_eq!(texts(&members, "entity_type"), BTreeSet::from(["participant".to_owned()]));
    assert_eq!(members.len(), 3);
    for attribute in [
        "participant_id",
        "first_name",
        "last_name",
        "email",
        "phone",
        "college",
        "year",
        "registration_type",
        "team_id",
        "payment_status",
        "is_leader",
        "created_at",
        "updated_at",
    ] {
        assert!(members.iter().all(|member| member.contains_key(attribute)), "{attribute}");
    }
    // Participants of a college, and teams of a leader.
    assert_eq!(query(&event, "GSI3", "COLLEGE#example-university").len(), 5);
    let leader = team["leader_participant_id"].as_s().unwrap();
    assert_eq!(query(&event, "GSI3", &format!("LEADER#{leader}")).len(), 1);
    // Get all paid teams, and statistics by track: before anything is paid …
    check_teams(
        &event,
        &[
            ("PAYMENT_STATUS#pending", &[&red, &blue]),
            ("PAYMENT_STATUS#paid", nobody),
            ("TRACK#ai-ml", &[&red, &blue]),
        ],
    );
    // … after a payment …
    let (paid, _) = event.paid("cy", &["cyd"]).await;
    check_teams(
        &event,
        &[
            ("PAYMENT_STATUS#pending", &[&red, &blue]),
            ("PAYMENT_STATUS#paid", &[&paid]),
            ("TRACK#ai-ml", &[&red, &blue, &paid]),
        ],
    );
    // … a change of track …
    let path = format!("/hackathon/team/{blue}");
    done(event.put("bo", &path, json!({ "track": "blockchain" })).await, 200);
    check_teams(&event, &[("TRACK#ai-ml", &[&red, &paid]), ("TRACK#blockchain", &[&blue])]);
    // … and a refund.
    let reason = json!({ "reason": "They have withdrawn." });
    done(event.post("admin", &format!("/hackathon/admin/refund/{paid}"), reason).await, 200);
    check_teams(
        &event,
        &[
            ("PAYMENT_STATUS#paid", nobody),
            ("PAYMENT_STATUS#refunded", &[&paid]),
            ("TRACK#ai-ml", &[&red, &paid]),
        ],
    );
}

#[tokio::test]
async fn payments_settings_and_statistics_have_the_keys_and_attributes_of_the_document() {
    let event = Event::new().await;
    let (team_id, gateway_payment) = event.paid("ann", &["al"]).await;
    let payment_id = event.team(&team_id).await.payment_uuid.unwrap();
    let payment = get(&event, &format!("PAYMENT#{payment_id}"), "TRANSACTION");
    for attribute in [
        "entity_type",
        "payment_id",
        "razorpay_order_id",
        "razorpay_payment_id",
        "team_id",
        "amount",
        "currency",
        "status",
        "payment_method",
        "webhook_verified",
        "metadata",
        "created_at",
        "updated_at",
    ] {
        assert!(payment.contains_key(attribute), "{attribute}");
    }
    assert_eq!(payment["razorpay_payment_id"], gateway_payment.payment_id.as_str().into());
    for (index, partition) in [
        ("GSI1", format!("TEAM#{team_id}")),
        ("GSI2", "STATUS#paid".to_owned()),
        ("GSI3", "DATE#2027-01-15".to_owned()),
    ] {
        let rows = query(&event, index, &partition);
        assert_eq!(texts(&rows, "payment_id"), BTreeSet::from([payment_id.to_string()]), "{index}");
    }
    let config = get(&event, "CONFIG", "HACKATHON");
    assert_eq!(config["tracks"].as_l().map(<[_]>::len), Some(4));
    let day = get(&event, "STATS", "DAILY#2027-01-15");
    assert_eq!((&day["registrations"], &day["revenue_minor"]), (&1.into(), &99_900.into()));
    let stats = Query::new(event.table.as_str())
        .key_condition("PK = :pk AND SK BETWEEN :from AND :to")
        .value(":pk", "STATS")
        .value(":from", "DAILY#2027-01-01")
        .value(":to", "DAILY#2027-01-31");
    assert_eq!(event.database.query(stats).unwrap().items.len(), 1);
}
