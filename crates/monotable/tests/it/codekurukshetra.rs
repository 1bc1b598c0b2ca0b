//! CodeKurukshetra, seed 004: hackathon registration with payments and overloaded indexes.
//!
//! The printed items lack the sort keys of their indexes, so the printed queries find nothing until
//! the rows get them: both are shown.

mod indexes;
mod registration;

use monotable::dynamodb::{DescribeTable, UpdateTimeToLive};
use monotable::{Database, Item, item, list, map};

use crate::support::literal;
use crate::support::reading::{get, put_all};
use crate::support::stores::on_both_stores;
use crate::support::tables::create_table;

const TABLE: &str = "codekurukshetra_main";

pub(crate) const PARTICIPANT: &str = r#"
{
  "PK": "PARTICIPANT#01234567-89ab-cdef-0123-456789abcdef",
  "SK": "PROFILE",
  "GSI1PK": "EMAIL#john.doe@example.com",
  "GSI2PK": "TEAM#team-uuid",
  "GSI3PK": "COLLEGE#example-university",
  "entity_type": "participant",
  "participant_id": "01234567-89ab-cdef-0123-456789abcdef",
  "first_name": "John",
  "last_name": "Doe",
  "email": "john.doe@example.com",
  "phone": "+91-9876543210",
  "college": "Example University",
  "year": "3rd Year",
  "github_username": "johndoe",
  "linkedin": "https://linkedin.com/in/johndoe",
  "student_status": true,
  "registration_type": "team_member",
  "team_id": "team-uuid-here",
  "payment_status": "paid",
  "is_leader": true,
  "firebase_uid": "firebase-user-uid",
  "created_at": "2025-08-27T10:00:00Z",
  "updated_at": "2025-08-27T10:00:00Z",
  "ttl": 1735689600  // Optional: Auto-delete after event
}
"#;

pub(crate) const TEAM: &str = r#"
{
  "PK": "TEAM#team-uuid-here",
  "SK": "PROFILE", 
  "GSI1PK": "PAYMENT_STATUS#paid",
  "GSI2PK": "TRACK#ai-ml",
  "GSI3PK": "LEADER#participant-uuid",
  "entity_type": "team",
  "team_id": "team-uuid-here",
  "name": "Code Warriors",
  "track": "ai-ml",
  "leader_participant_id": "01234567-89ab-cdef-0123-456789abcdef",
  "payment_status": "paid",
  "payment_order_id": "order_razorpay_id",
  "payment_id": "pay_razorpay_id", 
  "amount": 99900,
  "currency": "INR",
  "member_count": 4,
  "max_members": 4,
  "registration_complete": true,
  "created_at": "2025-08-27T10:00:00Z",
  "updated_at": "2025-08-27T10:00:00Z"
}
"#;

pub(crate) const PAYMENT: &str = r#"
{
  "PK": "PAYMENT#payment-uuid",
  "SK": "TRANSACTION",
  "GSI1PK": "TEAM#team-uuid",
  "GSI2PK": "STATUS#paid",
  "GSI3PK": "DATE#2025-08-27",
  "entity_type": "payment",
  "payment_id": "payment-uuid",
  "razorpay_order_id": "order_razorpay_id",
  "razorpay_payment_id": "pay_razorpay_id",
  "team_id": "team-uuid-here",
  "amount": 99900,
  "currency": "INR", 
  "status": "paid",
  "payment_method": "card",
  "razorpay_signature": "signature_hash",
  "webhook_verified": true,
  "metadata": {
    "user_agent": "Mozilla/5.0...",
    "ip_address": "192.168.1.1",
    "payment_timestamp": "2025-08-27T10:30:00Z"
  },
  "created_at": "2025-08-27T10:00:00Z",
  "updated_at": "2025-08-27T10:30:00Z"
}
"#;

pub(crate) const CONFIG: &str = r#"
{
  "PK": "CONFIG",
  "SK": "HACKATHON",
  "entity_type": "config",
  "event_name": "CodeKurukshetra",
  "registration_open": true,
  "registration_start": "2025-08-01T00:00:00Z",
  "registration_end": "2025-09-15T23:59:59Z",
  "event_start": "2025-09-20T10:00:00Z",
  "event_end": "2025-09-22T18:00:00Z",
  "team_fee": 99900,
  "max_team_size": 4,
  "min_team_size": 2,
  "max_teams": 500,
  "tracks": [
    "ai-ml",
    "web-mobile", 
    "blockchain",
    "iot-hardware",
    "social-impact",
    "open-innovation"
  ],
  "updated_at": "2025-08-27T10:00:00Z"
}
"#;

const EXAMPLES: [&str; 4] = [PARTICIPANT, TEAM, PAYMENT, CONFIG];

/// "Initial Setup Script", without rows.
fn create(db: &Database) {
    create_table(db, TABLE, ["PK", "SK"], 3);
    db.update_time_to_live(UpdateTimeToLive::enable(TABLE, "ttl")).unwrap();
}

/// Returns a row that enters an index under a sort key for each partition key it carries.
fn indexed(mut row: Item, sort: &str) -> Item {
    for index in ["GSI1", "GSI2", "GSI3"] {
        if row.contains_key(&format!("{index}PK")) {
            row.insert(format!("{index}SK"), sort.into());
        }
    }
    row
}

/// Returns the example participant as one of a team, with complete index keys.
fn participant(id: &str, email: &str, team_id: &str) -> Item {
    let mut row = literal::item(PARTICIPANT);
    row.extend(item! {
        "PK" => format!("PARTICIPANT#{id}"),
        "participant_id" => id,
        "email" => email,
        "team_id" => team_id,
        "GSI1PK" => format!("EMAIL#{email}"),
        "GSI2PK" => format!("TEAM#{team_id}"),
    });
    row.remove("ttl");
    indexed(row, &format!("PARTICIPANT#{id}"))
}

/// Returns the example team with complete index keys.
fn team(id: &str, track: &str, status: &str) -> Item {
    let mut row = literal::item(TEAM);
    row.extend(item! {
        "PK" => format!("TEAM#{id}"),
        "team_id" => id,
        "track" => track,
        "payment_status" => status,
        "GSI1PK" => format!("PAYMENT_STATUS#{status}"),
        "GSI2PK" => format!("TRACK#{track}"),
    });
    indexed(row, &format!("TEAM#{id}"))
}

fn primary_key(item: &Item) -> Item {
    item! { "PK" => item["PK"].clone(), "SK" => item["SK"].clone() }
}

#[test]
fn every_item_example_loads_verbatim() {
    on_both_stores(|db| {
        create(db);
        for example in EXAMPLES.map(literal::item) {
            put_all(db, TABLE, [example.clone()]);
            assert_eq!(get(db, TABLE, primary_key(&example)), Some(example));
        }
    });
}

#[test]
fn printed_values_have_the_types_of_json() {
    on_both_stores(|db| {
        create(db);
        put_all(db, TABLE, EXAMPLES.map(literal::item));
        let stored = |example| get(db, TABLE, primary_key(&literal::item(example))).unwrap();
        assert_eq!(stored(PARTICIPANT)["ttl"], 1_735_689_600.into());
        assert_eq!(stored(PARTICIPANT)["student_status"], true.into());
        assert_eq!(stored(TEAM)["amount"], 99_900.into());
        let metadata = map! {
            "user_agent" => "Mozilla/5.0...",
            "ip_address" => "192.168.1.1",
            "payment_timestamp" => "2025-08-27T10:30:00Z",
        };
        assert_eq!(stored(PAYMENT)["metadata"], metadata);
        let tracks = list![
            "ai-ml",
            "web-mobile",
            "blockchain",
            "iot-hardware",
            "social-impact",
            "open-innovation"
        ];
        assert_eq!(stored(CONFIG)["tracks"], tracks);
    });
}

#[test]
fn items_as_printed_are_in_no_index() {
    on_both_stores(|db| {
        create(db);
        put_all(db, TABLE, EXAMPLES.map(literal::item));
        let table = db.describe_table(DescribeTable::new(TABLE)).unwrap().table;
        assert_eq!(table.item_count, 4);
        let entries = table.global_secondary_indexes.iter().map(|index| index.item_count);
        assert_eq!(entries.collect::<Vec<_>>(), [0, 0, 0]);
    });
}

#[test]
fn the_printed_ttl_has_passed_and_the_participant_is_swept() {
    on_both_stores(|db| {
        create(db);
        put_all(db, TABLE, EXAMPLES.map(literal::item));
        assert_eq!(db.sweep_expired().unwrap(), 1);
        assert_eq!(get(db, TABLE, primary_key(&literal::item(PARTICIPANT))), None);
        assert!(get(db, TABLE, primary_key(&literal::item(TEAM))).is_some());
    });
}
