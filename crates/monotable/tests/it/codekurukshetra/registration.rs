//! The transactions that the seed prints: a payment, and the registration of a team.

use monotable::dynamodb::{Error, PutItem, Query, Result, TransactWriteItems, UpdateItem};
use monotable::{Database, Item, item};

use super::{PAYMENT, TABLE};
use super::{create, indexed, participant, primary_key, team};
use crate::support::literal::{self, Literal};
use crate::support::reading::{get, put_all, upper_key};
use crate::support::stores::on_both_stores;
use crate::support::tables::values;

fn count(db: &Database, index: &str, partition: &str) -> u32 {
    let query = Query::new(TABLE)
        .index(index)
        .key_condition("#pk = :pk")
        .name("#pk", format!("{index}PK"))
        .value(":pk", partition);
    db.query(query).unwrap().count
}

/// "Update payment status atomically", as printed.
fn pay_as_printed(team_id: &str, payment: Item) -> TransactWriteItems {
    let key = "{'PK': 'TEAM#' + team_id, 'SK': 'PROFILE'}";
    let update = UpdateItem {
        substitutions: values(Literal::new("{':status': 'paid'}")),
        ..UpdateItem::new(TABLE, Literal::new(key).bind("team_id", team_id).item())
            .update("SET payment_status = :status")
    };
    TransactWriteItems::new().action(update).action(PutItem::new(TABLE, payment))
}

/// The same with everything that depends on the status: the index key of the team, its facet, and a
/// condition that the team was still pending.
fn pay(db: &Database, team_id: &str, payment: Item) -> Result<()> {
    let key = format!("TEAM#{team_id}");
    let update = |sort: &str, expression: &str| {
        UpdateItem::new(TABLE, upper_key(key.clone(), sort))
            .update(expression)
            .value(":partition", "PAYMENT_STATUS#paid")
    };
    let team = update("PROFILE", "SET payment_status = :status, GSI1PK = :partition")
        .condition("payment_status = :pending")
        .value(":status", "paid")
        .value(":pending", "pending");
    let facet = update("IDX#PAYMENT_STATUS", "SET GSI3PK = :partition");
    let payment = PutItem::new(TABLE, payment).condition("attribute_not_exists(PK)");
    let transaction = TransactWriteItems::new().action(team).action(facet).action(payment);
    db.transact_write_items(transaction).map(drop)
}

fn payment(id: &str) -> Item {
    let mut row = literal::item(PAYMENT);
    row.insert("PK".to_owned(), format!("PAYMENT#{id}").into());
    indexed(row, &format!("PAYMENT#{id}"))
}

fn load_pending_team(db: &Database) {
    create(db);
    let facet = item! {
        "PK" => "TEAM#t1", "SK" => "IDX#PAYMENT_STATUS",
        "GSI3PK" => "PAYMENT_STATUS#pending", "GSI3SK" => "TEAM#t1",
    };
    put_all(db, TABLE, [team("t1", "ai-ml", "pending"), facet]);
}

#[test]
fn a_payment_as_printed_changes_team_and_payment_together() {
    on_both_stores(|db| {
        load_pending_team(db);
        db.transact_write_items(pay_as_printed("t1", payment("y1"))).unwrap();
        let paid = get(db, TABLE, upper_key("TEAM#t1", "PROFILE")).unwrap();
        assert_eq!(paid["payment_status"], "paid".into());
        assert_eq!(get(db, TABLE, primary_key(&payment("y1"))), Some(payment("y1")));
        assert_eq!(count(db, "GSI1", "PAYMENT_STATUS#pending"), 1, "its index key did not move");
    });
}

#[test]
fn a_payment_moves_the_team_in_every_index_of_its_status() {
    on_both_stores(|db| {
        load_pending_team(db);
        pay(db, "t1", payment("y1")).unwrap();
        for index in ["GSI1", "GSI3"] {
            assert_eq!(count(db, index, "PAYMENT_STATUS#pending"), 0, "{index}");
            assert_eq!(count(db, index, "PAYMENT_STATUS#paid"), 1, "{index}");
        }
        assert_eq!(count(db, "GSI2", "STATUS#paid"), 1);
        let paid = get(db, TABLE, upper_key("TEAM#t1", "PROFILE")).unwrap();
        assert_eq!(paid["name"], "Code Warriors".into(), "the rest of the team stays");
    });
}

#[test]
fn a_second_payment_leaves_no_trace() {
    on_both_stores(|db| {
        load_pending_team(db);
        pay(db, "t1", payment("y1")).unwrap();
        let again = pay(db, "t1", payment("y2")).unwrap_err();
        assert_eq!(
            again.to_string(),
            "Transaction cancelled, please refer cancellation reasons for specific reasons \
             [ConditionalCheckFailed, None, None]"
        );
        assert_eq!(get(db, TABLE, primary_key(&payment("y2"))), None);
    });
}

/// "Team Registration Transaction", as printed.
fn register_as_printed(
    team_item: Item,
    members: &[Item],
    payment_item: Item,
) -> TransactWriteItems {
    let transaction = TransactWriteItems::new()
        .action(PutItem::new(TABLE, team_item).condition("attribute_not_exists(PK)"));
    let transaction = members.iter().cloned().fold(transaction, |transaction, member_item| {
        transaction
            .action(PutItem::new(TABLE, member_item).condition("attribute_not_exists(GSI1PK)"))
    });
    transaction.action(PutItem::new(TABLE, payment_item))
}

/// The same with a row for each e-mail address, whose key can exist only once.
fn register(db: &Database, team_item: Item, members: &[Item], payment: Item) -> Result<()> {
    let guards = members.iter().map(|member| {
        let guard = upper_key(member["GSI1PK"].as_s().unwrap(), "UNIQUE");
        PutItem::new(TABLE, guard).condition("attribute_not_exists(PK)")
    });
    let transaction = guards
        .fold(register_as_printed(team_item, members, payment), |transaction, guard| {
            transaction.action(guard)
        });
    db.transact_write_items(transaction).map(drop)
}

fn pair(team_id: &str, emails: [&str; 2]) -> Vec<Item> {
    let member =
        |number: usize| participant(&format!("{team_id}-{number}"), emails[number], team_id);
    vec![member(0), member(1)]
}

#[test]
fn a_registration_creates_team_members_and_payment() {
    on_both_stores(|db| {
        create(db);
        let members = pair("t1", ["a@example.com", "b@example.com"]);
        let request = register_as_printed(team("t1", "ai-ml", "pending"), &members, payment("y1"));
        db.transact_write_items(request).unwrap();
        assert!(get(db, TABLE, upper_key("TEAM#t1", "PROFILE")).is_some());
        assert_eq!(count(db, "GSI2", "TEAM#t1"), 2);
        assert_eq!(count(db, "GSI1", "EMAIL#a@example.com"), 1);
        assert!(get(db, TABLE, primary_key(&payment("y1"))).is_some());
    });
}

#[test]
fn the_printed_email_condition_lets_one_email_register_twice() {
    on_both_stores(|db| {
        create(db);
        for (team_id, other) in [("t1", "b@example.com"), ("t2", "c@example.com")] {
            let members = pair(team_id, ["a@example.com", other]);
            let team = team(team_id, "ai-ml", "pending");
            let request = register_as_printed(team, &members, payment(team_id));
            db.transact_write_items(request).unwrap();
        }
        // The condition is evaluated on the new participant's own row, which does not exist.
        assert_eq!(count(db, "GSI1", "EMAIL#a@example.com"), 2);
    });
}

#[test]
fn with_guards_an_email_is_unique_in_fact() {
    on_both_stores(|db| {
        create(db);
        let first = pair("t1", ["a@example.com", "b@example.com"]);
        register(db, team("t1", "ai-ml", "pending"), &first, payment("y1")).unwrap();
        let second = pair("t2", ["c@example.com", "a@example.com"]);
        let refused = register(db, team("t2", "ai-ml", "pending"), &second, payment("y2"));
        let Err(Error::TransactionCanceled { reasons }) = refused else {
            panic!("a@example.com is registered");
        };
        let codes: Vec<&str> = reasons.iter().map(|reason| reason.code()).collect();
        // Team, two members, payment, then the guards in the order of the members.
        assert_eq!(codes, ["None", "None", "None", "None", "None", "ConditionalCheckFailed"]);
        assert_eq!(count(db, "GSI1", "EMAIL#a@example.com"), 1);
        assert_eq!(count(db, "GSI1", "EMAIL#c@example.com"), 0);
        assert_eq!(get(db, TABLE, upper_key("TEAM#t2", "PROFILE")), None);
    });
}

#[test]
fn of_parallel_registrations_with_one_email_one_succeeds() {
    on_both_stores(|db| {
        create(db);
        let succeeded: usize = std::thread::scope(|scope| {
            let attempt = |number: usize| {
                let id = format!("t{number}");
                let own = format!("{number}@example.com");
                let members = pair(&id, ["same@example.com", &own]);
                usize::from(
                    register(db, team(&id, "ai-ml", "pending"), &members, payment(&id)).is_ok(),
                )
            };
            let threads: Vec<_> =
                (0..6).map(|number| scope.spawn(move || attempt(number))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).sum()
        });
        assert_eq!(succeeded, 1);
        assert_eq!(count(db, "GSI1", "EMAIL#same@example.com"), 1);
    });
}

#[test]
fn a_taken_team_id_refuses_the_whole_registration() {
    on_both_stores(|db| {
        create(db);
        put_all(db, TABLE, [team("t1", "ai-ml", "paid")]);
        let members = pair("t1", ["a@example.com", "b@example.com"]);
        let refused = register(db, team("t1", "ai-ml", "pending"), &members, payment("y1"));
        assert!(matches!(refused, Err(Error::TransactionCanceled { .. })));
        assert_eq!(count(db, "GSI2", "TEAM#t1"), 0);
        assert_eq!(get(db, TABLE, upper_key("EMAIL#a@example.com", "UNIQUE")), None);
    });
}
