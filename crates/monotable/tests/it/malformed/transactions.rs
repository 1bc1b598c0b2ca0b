//! Transactions: what refuses the request, and what cancels it with a reason for each action.

use monotable::dynamodb::{
    ConditionCheck, DeleteItem, Error, PutItem, TransactGet, TransactGetItems, TransactWriteItems,
    UpdateItem,
};
use monotable::{Database, item};

use super::{
    ABSENT, BINARIES, Message, NUMBERS, TABLE, VALIDATION, check, constraint, invalid, key,
    key_with, load, refused, row, row_with, too_deep, update,
};
use crate::support::stores::on_both_stores;

const TWICE: &str = "Transaction request cannot include multiple operations on one item";
const MISMATCH: &str = "The provided key element does not match the schema";

fn writes() -> TransactWriteItems {
    TransactWriteItems::new()
}

fn gets() -> TransactGetItems {
    TransactGetItems::new()
}

fn puts(count: u32) -> TransactWriteItems {
    (0..count).fold(writes(), |writes, number| {
        writes.action(PutItem::new(NUMBERS, item! { "id" => number }))
    })
}

#[test]
fn a_transaction_has_one_to_a_hundred_actions() {
    check(|| {
        let least = "have length greater than or equal to 1";
        let most = "at 'transactItems' failed to satisfy constraint: Member must have length less \
                    than or equal to 100";
        let many =
            (0..101).fold(gets(), |gets, number: u32| gets.get(NUMBERS, item! { "id" => number }));
        vec![
            constraint("no write", writes(), "[]", "transactItems", least),
            constraint("no get", gets(), "[]", "transactItems", least),
            refused(VALIDATION, "101 writes", puts(101), Message::EndsWith(most.to_owned())),
            refused(VALIDATION, "101 gets", many, Message::EndsWith(most.to_owned())),
        ]
    });
}

#[test]
fn a_transaction_names_no_item_twice() {
    check(|| {
        let put = || PutItem::new(TABLE, row());
        let condition = ConditionCheck::new(TABLE, key(), "attribute_exists(PK)");
        vec![
            invalid(
                "put and delete",
                writes().action(put()).action(DeleteItem::new(TABLE, key())),
                TWICE,
            ),
            invalid(
                "check and update",
                writes().action(condition).action(update("REMOVE a")),
                TWICE,
            ),
            invalid("get", gets().get(TABLE, key()).get(TABLE, key()), TWICE),
        ]
    });
}

#[test]
fn a_token_has_36_characters() {
    check(|| {
        let with = |token: &str| puts(1).client_request_token(token);
        let long = "t".repeat(37);
        vec![
            constraint(
                "37",
                with(&long),
                &long,
                "clientRequestToken",
                "have length less than or equal to 36",
            ),
            constraint(
                "none",
                with(""),
                "",
                "clientRequestToken",
                "have length greater than or equal to 1",
            ),
        ]
    });
}

#[test]
fn a_token_belongs_to_one_request() {
    on_both_stores(|db| {
        load(db);
        db.transact_write_items(puts(2).client_request_token("token")).unwrap();
        db.transact_write_items(puts(2).client_request_token("token")).unwrap();
        let other = db.transact_write_items(puts(3).client_request_token("token")).unwrap_err();
        assert_eq!(other.code(), "IdempotentParameterMismatchException");
    });
}

#[test]
fn actions_name_tables_with_allowed_characters() {
    check(|| {
        let pattern = "satisfy regular expression pattern: [a-zA-Z0-9_.-]+";
        let path = |action: &str| format!("transactItems.2.member.{action}.tableName");
        let second = |action: monotable::dynamodb::TransactWrite| TransactWriteItems {
            transact_items: vec![PutItem::new(TABLE, row()).into(), action],
            ..writes()
        };
        vec![
            constraint(
                "get",
                gets().get(TABLE, key()).get("bad!name", key()),
                "bad!name",
                &path("get"),
                pattern,
            ),
            constraint(
                "put",
                second(PutItem::new("bad!name", row()).into()),
                "bad!name",
                &path("put"),
                pattern,
            ),
            constraint(
                "delete",
                second(DeleteItem::new("bad!name", key()).into()),
                "bad!name",
                &path("delete"),
                pattern,
            ),
            constraint(
                "short",
                second(UpdateItem::new("ab", key()).update("REMOVE a").into()),
                "ab",
                &path("update"),
                "have length greater than or equal to 3",
            ),
        ]
    });
}

#[test]
fn actions_have_their_expressions() {
    check(|| {
        let null = |path: &str| {
            format!(
                "1 validation error detected: Value null at 'transactItems.1.member.{path}' failed \
                 to satisfy constraint: Member must not be null"
            )
        };
        let check = ConditionCheck {
            condition: None,
            ..ConditionCheck::new(TABLE, key(), "attribute_exists(PK)")
        };
        vec![
            invalid("check", writes().action(check), null("conditionCheck.conditionExpression")),
            invalid(
                "update",
                writes().action(UpdateItem::new(TABLE, key())),
                null("update.updateExpression"),
            ),
        ]
    });
}

#[test]
fn the_first_malformed_action_refuses_the_request_before_the_tables() {
    check(|| {
        let absent_first = || writes().action(PutItem::new(ABSENT, row()));
        let projected = TransactGetItems {
            transact_items: vec![TransactGet {
                table_name: ABSENT.to_owned(),
                key: key(),
                projection: Some("a, a.b".into()),
                ..TransactGet::default()
            }],
            ..gets()
        };
        vec![
            invalid(
                "too deep",
                absent_first().action(PutItem::new(TABLE, row_with("deep", too_deep()))),
                "Nesting Levels have exceeded supported limits: Attributes in the item have nested \
                 levels beyond supported limit",
            ),
            invalid(
                "no name",
                absent_first().action(PutItem::new(TABLE, row_with("", 1))),
                "Empty attribute name",
            ),
            invalid(
                "too large",
                absent_first().action(PutItem::new(TABLE, row_with("filler", "x".repeat(409_600)))),
                "Item size has exceeded the maximum allowed size",
            ),
            invalid(
                "an undefined value",
                absent_first().action(update("SET a = :v")),
                "Invalid UpdateExpression: An expression attribute value used in expression is not \
                 defined; attribute value: :v",
            ),
            invalid(
                "an empty update",
                absent_first().action(update("")),
                "Invalid UpdateExpression: The expression can not be empty;",
            ),
            invalid(
                "overlapping projections",
                projected,
                "Invalid ProjectionExpression: Two document paths overlap with each other; must \
                 remove or rewrite one of these paths; path one: [a], path two: [a, b]",
            ),
        ]
    });
}

#[test]
fn an_empty_key_refuses_the_request() {
    check(|| {
        let empty = |kind: &str, key: &str| {
            format!(
                "One or more parameter values are not valid. The AttributeValue for a key attribute \
                 cannot contain an empty {kind} value. Key: {key}"
            )
        };
        let no_bytes = || item! { "id" => monotable::AttributeValue::B(Vec::new()) };
        vec![
            invalid(
                "put",
                writes().action(PutItem::new(TABLE, row_with("SK", ""))),
                empty("string", "SK"),
            ),
            invalid(
                "delete",
                writes().action(DeleteItem::new(BINARIES, no_bytes())),
                empty("binary", "id"),
            ),
            invalid(
                "index key",
                writes().action(PutItem::new(TABLE, row_with("city", ""))),
                "One or more parameter values are not valid. A value specified for a secondary index \
                 key is not supported. The AttributeValue for a key attribute cannot contain an \
                 empty string value. IndexName: by-city, IndexKey: city",
            ),
        ]
    });
}

/// The transaction is cancelled; these are the codes and messages of the reasons.
fn check_cancelled(outcome: Result<(), Error>, reasons: &[(&str, Option<&str>)]) {
    let Err(Error::TransactionCanceled { reasons: found }) = outcome else {
        panic!("expected a cancelled transaction: {outcome:?}");
    };
    let found: Vec<(&str, Option<String>)> =
        found.iter().map(|reason| (reason.code(), reason.message())).collect();
    let expected: Vec<(&str, Option<String>)> =
        reasons.iter().map(|(code, message)| (*code, message.map(str::to_owned))).collect();
    assert_eq!(found, expected);
}

fn cancelled(db: &Database, action: impl Into<monotable::dynamodb::TransactWrite>, message: &str) {
    let fine = PutItem::new(NUMBERS, item! { "id" => 1 });
    let transaction = writes().action(fine).action(action);
    let outcome = db.transact_write_items(transaction).map(drop);
    check_cancelled(outcome, &[("None", None), ("ValidationError", Some(message))]);
}

#[test]
fn actions_that_do_not_fit_their_table_or_item_cancel_the_transaction() {
    on_both_stores(|db| {
        load(db);
        let invalid = |why: &str| format!("One or more parameter values were invalid: {why}");
        cancelled(
            db,
            PutItem::new(TABLE, row_with("PK", 1)),
            &invalid("Type mismatch for key PK expected: S actual: N"),
        );
        cancelled(db, DeleteItem::new(TABLE, key_with("PK", 1)), MISMATCH);
        cancelled(db, DeleteItem::new(TABLE, key_with("extra", 1)), MISMATCH);
        cancelled(
            db,
            ConditionCheck::new(TABLE, key_with("PK", 1), "attribute_exists(a)"),
            MISMATCH,
        );
        cancelled(
            db,
            PutItem::new(TABLE, row_with("city", 1)),
            &invalid("Type mismatch for Index Key city Expected: S Actual: N IndexName: by-city"),
        );
        cancelled(
            db,
            update("REMOVE SK"),
            &invalid("Cannot update attribute SK. This attribute is part of the key"),
        );
        cancelled(
            db,
            update("SET a.b = :v").value(":v", 1),
            "The document path provided in the update expression is invalid for update",
        );
        cancelled(
            db,
            update("ADD city2 :v, #n :v").name("#n", "name").value(":v", 1),
            "An operand in the update expression has an incorrect data type",
        );
        cancelled(
            db,
            update("SET filler = :v").value(":v", "x".repeat(409_600)),
            "Item size to update has exceeded the maximum allowed size",
        );
    });
}

#[test]
fn a_key_that_does_not_fit_cancels_transactional_gets() {
    on_both_stores(|db| {
        load(db);
        let request = gets().get(TABLE, key_with("PK", 1)).get(TABLE, key());
        let outcome = db.transact_get_items(request).map(drop);
        check_cancelled(outcome, &[("ValidationError", Some(MISMATCH)), ("None", None)]);
    });
}

#[test]
fn every_action_is_evaluated_and_every_reason_is_reported() {
    on_both_stores(|db| {
        load(db);
        let transaction = writes()
            .action(PutItem::new(TABLE, row()).condition("attribute_not_exists(PK)"))
            .action(PutItem::new(NUMBERS, item! { "id" => 1 }))
            .action(
                DeleteItem::new(TABLE, key_with("SK", "other")).condition("attribute_exists(PK)"),
            );
        let failed = ("ConditionalCheckFailed", Some("The conditional request failed"));
        let outcome = db.transact_write_items(transaction).map(drop);
        check_cancelled(outcome, &[failed, ("None", None), failed]);
    });
}
