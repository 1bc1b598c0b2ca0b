//! Every conditional write and transaction that the seed prints.

use monotable::dynamodb::{
    Error, PutItem, ReturnOnConditionFailure, ReturnValues, TransactWriteItems, UpdateItem,
};
use monotable::{Item, item};

use super::{MEMBERSHIP, PLAYER, TABLE, TEAM, TEAM_ID, USER_ID, load, primary_key, team};
use crate::support::literal;
use crate::support::reading::{get, upper_key};
use crate::support::stores::on_both_stores;
use crate::support::tables::create_table;

/// "Conditional Writes".
fn create(item: Item) -> PutItem {
    PutItem::new(TABLE, item).condition("attribute_not_exists(PK) AND attribute_not_exists(SK)")
}

/// "Atomic Transactions": team and membership succeed or fail together.
fn create_team(team_item: Item, membership_item: Item) -> TransactWriteItems {
    let put = |item| PutItem::new(TABLE, item).condition("attribute_not_exists(PK)");
    TransactWriteItems::new().action(put(team_item)).action(put(membership_item))
}

#[test]
fn a_put_with_both_not_exists_conditions_creates_once() {
    on_both_stores(|db| {
        create_table(db, TABLE, ["PK", "SK"], 5);
        db.put_item(create(literal::item(TEAM))).unwrap();
        let mut impostor = literal::item(TEAM);
        impostor.insert("name".to_owned(), "Impostors".into());
        let refused = db.put_item(create(impostor)).unwrap_err();
        assert_eq!(refused.code(), "ConditionalCheckFailedException");
        assert_eq!(refused.to_string(), "The conditional request failed");
        let key = primary_key(&literal::item(TEAM));
        assert_eq!(get(db, TABLE, key), Some(literal::item(TEAM)));
    });
}

#[test]
fn conditions_see_one_row_and_not_its_partition() {
    on_both_stores(|db| {
        create_table(db, TABLE, ["PK", "SK"], 5);
        db.put_item(create(literal::item(TEAM))).unwrap();
        db.put_item(create(literal::item(PLAYER))).unwrap();
    });
}

#[test]
fn a_failed_put_returns_the_existing_item_if_requested() {
    on_both_stores(|db| {
        load(db);
        let request =
            create(team(TEAM_ID)).return_on_condition_failure(ReturnOnConditionFailure::AllOld);
        let Err(Error::ConditionalCheckFailed { item }) = db.put_item(request) else {
            panic!("the team exists");
        };
        assert_eq!(item.as_deref(), Some(&literal::item(TEAM)));
    });
}

#[test]
fn team_and_membership_are_created_together() {
    on_both_stores(|db| {
        create_table(db, TABLE, ["PK", "SK"], 5);
        let (team, membership) = (literal::item(TEAM), literal::item(MEMBERSHIP));
        db.transact_write_items(create_team(team.clone(), membership.clone())).unwrap();
        assert_eq!(get(db, TABLE, primary_key(&team)), Some(team));
        assert_eq!(get(db, TABLE, primary_key(&membership)), Some(membership));
    });
}

#[test]
fn an_existing_membership_prevents_the_team() {
    on_both_stores(|db| {
        create_table(db, TABLE, ["PK", "SK"], 5);
        db.put_item(PutItem::new(TABLE, literal::item(MEMBERSHIP))).unwrap();
        let request = create_team(literal::item(TEAM), literal::item(MEMBERSHIP));
        let cancelled = db.transact_write_items(request).unwrap_err();
        assert_eq!(cancelled.code(), "TransactionCanceledException");
        assert_eq!(
            cancelled.to_string(),
            "Transaction cancelled, please refer cancellation reasons for specific reasons [None, \
             ConditionalCheckFailed]"
        );
        assert_eq!(get(db, TABLE, primary_key(&literal::item(TEAM))), None);
    });
}

#[test]
fn an_existing_team_prevents_the_membership() {
    on_both_stores(|db| {
        create_table(db, TABLE, ["PK", "SK"], 5);
        db.put_item(PutItem::new(TABLE, literal::item(TEAM))).unwrap();
        let request = create_team(team(TEAM_ID), literal::item(MEMBERSHIP));
        let Err(Error::TransactionCanceled { reasons }) = db.transact_write_items(request) else {
            panic!("the team exists");
        };
        let codes: Vec<&str> = reasons.iter().map(|reason| reason.code()).collect();
        assert_eq!(codes, ["ConditionalCheckFailed", "None"]);
        assert_eq!(get(db, TABLE, primary_key(&literal::item(MEMBERSHIP))), None);
    });
}

#[test]
fn a_modification_refreshes_updated_at_and_leaves_the_rest() {
    on_both_stores(|db| {
        load(db);
        let request = UpdateItem::new(TABLE, upper_key(format!("USER#{USER_ID}"), "METADATA"))
            .update("SET firstName = :name, updatedAt = :now")
            .condition("attribute_exists(PK)")
            .value(":name", "Johnny")
            .value(":now", "2025-11-15T12:00:00.000Z")
            .return_values(ReturnValues::UpdatedNew);
        let updated = db.update_item(request).unwrap().attributes.unwrap();
        let expected = item! { "firstName" => "Johnny", "updatedAt" => "2025-11-15T12:00:00.000Z" };
        assert_eq!(updated, expected);
        let stored = get(db, TABLE, upper_key(format!("USER#{USER_ID}"), "METADATA")).unwrap();
        assert_eq!(stored["createdAt"], "2025-10-25T12:00:00.000Z".into());
        assert_eq!(stored["lastName"], "Doe".into());
    });
}
