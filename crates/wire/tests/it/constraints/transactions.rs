//! Constraints of TransactGetItems and TransactWriteItems.

use crate::fixture::{NOT_FOUND, VALIDATION as INVALID, check_refusals};

const CAPACITY: &str = "Value 'a' at 'returnConsumedCapacity' failed to satisfy constraint: Member \
    must satisfy enum value set: [INDEXES, TOTAL, NONE]";

fn repeated(element: &str, count: usize) -> String {
    format!(r#"{{"TransactItems":[{}]}}"#, vec![element; count].join(","))
}

#[test]
fn a_transaction_has_1_to_100_actions() {
    const NULL: &str = "1 validation error detected: Value null at 'transactItems' failed to \
        satisfy constraint: Member must not be null";
    const NONE: &str = "1 validation error detected: Value '[]' at 'transactItems' failed to \
        satisfy constraint: Member must have length greater than or equal to 1";
    const MANY: &str = "1 validation error detected: Value '[...]' at 'transactItems' failed to \
        satisfy constraint: Member must have length less than or equal to 100";
    let gets = repeated(r#"{"Get":{"TableName":"plain","Key":{}}}"#, 101);
    let puts = repeated(r#"{"Put":{"TableName":"plain","Item":{}}}"#, 101);
    check_refusals(&[
        ("TransactGetItems", "{}", INVALID, NULL),
        ("TransactWriteItems", "{}", INVALID, NULL),
        ("TransactGetItems", r#"{"TransactItems":[]}"#, INVALID, NONE),
        ("TransactWriteItems", r#"{"TransactItems":[]}"#, INVALID, NONE),
        ("TransactGetItems", &gets, INVALID, MANY),
        ("TransactWriteItems", &puts, INVALID, MANY),
    ]);
}

#[test]
fn a_transactional_get_lists_its_broken_constraints() {
    let joined = format!(
        "3 validation errors detected: Value null at 'transactItems.1.member.get' failed to \
         satisfy constraint: Member must not be null; Value null at \
         'transactItems.2.member.get.key' failed to satisfy constraint: Member must not be null; \
         {CAPACITY}"
    );
    check_refusals(&[
        (
            "TransactGetItems",
            r#"{"TransactItems":[{},{"Get":{"TableName":"plain"}}],
                "ReturnConsumedCapacity":"a"}"#,
            INVALID,
            &joined,
        ),
        (
            "TransactGetItems",
            r#"{"TransactItems":[{"Get":{"TableName":"good","Key":{}}},
                {"Get":{"TableName":"bad!name","Key":{}}},{"Get":{"Key":{}}},
                {"Get":{"TableName":"ab","Key":{}}}]}"#,
            INVALID,
            "3 validation errors detected: Value 'bad!name' at \
             'transactItems.2.member.get.tableName' failed to satisfy constraint: Member must \
             satisfy regular expression pattern: [a-zA-Z0-9_.-]+; Value null at \
             'transactItems.3.member.get.tableName' failed to satisfy constraint: Member must not \
             be null; Value 'ab' at 'transactItems.4.member.get.tableName' failed to satisfy \
             constraint: Member must have length greater than or equal to 3",
        ),
        (
            "TransactGetItems",
            r#"{"TransactItems":[{"Get":{"TableName":"absent","Key":{}}}]}"#,
            NOT_FOUND,
            "Requested resource not found",
        ),
    ]);
}

#[test]
fn a_transactional_write_lists_its_broken_constraints() {
    let joined = format!(
        "5 validation errors detected: Value '' at 'clientRequestToken' failed to satisfy \
         constraint: Member must have length greater than or equal to 1; {CAPACITY}; Value 'b' at \
         'returnItemCollectionMetrics' failed to satisfy constraint: Member must satisfy enum \
         value set: [SIZE, NONE]; Value 'c' at \
         'transactItems.1.member.put.returnValuesOnConditionCheckFailure' failed to satisfy \
         constraint: Member must satisfy enum value set: [ALL_OLD, NONE]; Value 'd' at \
         'transactItems.2.member.conditionCheck.returnValuesOnConditionCheckFailure' failed to \
         satisfy constraint: Member must satisfy enum value set: [ALL_OLD, NONE]"
    );
    check_refusals(&[
        (
            "TransactWriteItems",
            r#"{"TransactItems":[{"Put":{"ReturnValuesOnConditionCheckFailure":"c"}},
                {"ConditionCheck":{"ReturnValuesOnConditionCheckFailure":"d"}}],
                "ClientRequestToken":"","ReturnConsumedCapacity":"a",
                "ReturnItemCollectionMetrics":"b"}"#,
            INVALID,
            &joined,
        ),
        (
            "TransactWriteItems",
            r#"{"TransactItems":[{}],"ClientRequestToken":"0123456789012345678901234567890123456"}"#,
            INVALID,
            "1 validation error detected: Value '0123456789012345678901234567890123456' at \
             'clientRequestToken' failed to satisfy constraint: Member must have length less than \
             or equal to 36",
        ),
    ]);
}

#[test]
fn an_element_is_one_action() {
    const NO_ACTION: &str =
        "Invalid Request: TransactWriteRequest should contain Delete or Put or Update request";
    check_refusals(&[
        ("TransactWriteItems", r#"{"TransactItems":[{}]}"#, INVALID, NO_ACTION),
        ("TransactWriteItems", r#"{"TransactItems":[{"Put":null}]}"#, INVALID, NO_ACTION),
        (
            "TransactWriteItems",
            r#"{"TransactItems":[{"Put":{},"Delete":{}}]}"#,
            INVALID,
            "TransactItems can only contain one of Check, Put, Update or Delete",
        ),
    ]);
}

#[test]
fn actions_have_their_members() {
    check_refusals(&[(
        "TransactWriteItems",
        r#"{"TransactItems":[{"Put":{}},{"Update":{"TableName":"good"}},
                {"Delete":{"TableName":"bad name","Key":{}}},
                {"ConditionCheck":{"TableName":"ab"}}]}"#,
        INVALID,
        "8 validation errors detected: Value null at 'transactItems.1.member.put.tableName' \
             failed to satisfy constraint: Member must not be null; Value null at \
             'transactItems.1.member.put.item' failed to satisfy constraint: Member must not be \
             null; Value null at 'transactItems.2.member.update.key' failed to satisfy constraint: \
             Member must not be null; Value null at \
             'transactItems.2.member.update.updateExpression' failed to satisfy constraint: Member \
             must not be null; Value 'bad name' at 'transactItems.3.member.delete.tableName' \
             failed to satisfy constraint: Member must satisfy regular expression pattern: \
             [a-zA-Z0-9_.-]+; Value 'ab' at 'transactItems.4.member.conditionCheck.tableName' \
             failed to satisfy constraint: Member must have length greater than or equal to 3; \
             Value null at 'transactItems.4.member.conditionCheck.key' failed to satisfy \
             constraint: Member must not be null; Value null at \
             'transactItems.4.member.conditionCheck.conditionExpression' failed to satisfy \
             constraint: Member must not be null",
    )]);
}

#[test]
fn a_transaction_names_an_item_once() {
    const REPEATED: &str = "Transaction request cannot include multiple operations on one item";
    check_refusals(&[
        (
            "TransactGetItems",
            r#"{"TransactItems":[{"Get":{"TableName":"plain","Key":{"id":{"S":"a"}}}},
                {"Get":{"TableName":"plain","Key":{"id":{"S":"a"}}}}]}"#,
            INVALID,
            REPEATED,
        ),
        (
            "TransactWriteItems",
            r#"{"TransactItems":[{"Put":{"TableName":"plain","Item":{"id":{"S":"a"}}}},
                {"ConditionCheck":{"TableName":"plain","Key":{"id":{"S":"a"}},
                "ConditionExpression":"attribute_exists(id)"}}]}"#,
            INVALID,
            REPEATED,
        ),
    ]);
}
