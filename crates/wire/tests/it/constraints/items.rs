//! Constraints of PutItem, GetItem, UpdateItem and DeleteItem.

use crate::fixture::{NOT_FOUND, VALIDATION as INVALID, check_refusals};

const NO_TABLE: &str = "1 validation error detected: Value null at 'tableName' failed to satisfy \
    constraint: Member must not be null";

#[test]
fn a_missing_table_name_is_reported_alone_by_writes() {
    check_refusals(&[
        ("PutItem", "{}", INVALID, NO_TABLE),
        ("UpdateItem", r#"{"ReturnValues":"X"}"#, INVALID, NO_TABLE),
        ("DeleteItem", r#"{"TableName":null,"Key":{}}"#, INVALID, NO_TABLE),
        (
            "GetItem",
            r#"{"ReturnConsumedCapacity":"hello","AttributesToGet":[]}"#,
            INVALID,
            "4 validation errors detected: Value 'hello' at 'returnConsumedCapacity' failed to \
             satisfy constraint: Member must satisfy enum value set: [INDEXES, TOTAL, NONE]; Value \
             '[]' at 'attributesToGet' failed to satisfy constraint: Member must have length \
             greater than or equal to 1; Value null at 'tableName' failed to satisfy constraint: \
             Member must not be null; Value null at 'key' failed to satisfy constraint: Member must \
             not be null",
        ),
    ]);
}

#[test]
fn table_names_have_a_length_and_an_alphabet() {
    let long = format!(r#"{{"TableName":"{}","Key":{{}}}}"#, "a".repeat(256));
    let too_long = format!(
        "1 validation error detected: Value '{}' at 'tableName' failed to satisfy constraint: \
         Member must have length less than or equal to 255",
        "a".repeat(256)
    );
    check_refusals(&[
        (
            "PutItem",
            r#"{"TableName":"","Item":{}}"#,
            INVALID,
            "1 validation error detected: Value at 'TableName' failed to satisfy constraint: Member \
             must have length greater than or equal to 1",
        ),
        (
            "UpdateItem",
            r#"{"TableName":"no table!","Key":{}}"#,
            INVALID,
            "1 validation error detected: Value 'no table!' at 'tableName' failed to satisfy \
             constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+",
        ),
        ("GetItem", &long, INVALID, &too_long),
        ("DeleteItem", &long, INVALID, &too_long),
        ("GetItem", r#"{"TableName":"a","Key":{}}"#, NOT_FOUND, "Requested resource not found"),
    ]);
}

#[test]
fn an_item_or_key_can_not_be_left_out() {
    for (operation, member, path) in [
        ("PutItem", "Item", "item"),
        ("GetItem", "Key", "key"),
        ("UpdateItem", "Key", "key"),
        ("DeleteItem", "Key", "key"),
    ] {
        let message = format!(
            "1 validation error detected: Value null at '{path}' failed to satisfy constraint: \
             Member must not be null"
        );
        let null = format!(r#"{{"TableName":"absent","{member}":null}}"#);
        check_refusals(&[
            (operation, r#"{"TableName":"absent"}"#, INVALID, &message),
            (operation, &null, INVALID, &message),
        ]);
    }
}

#[test]
fn words_are_listed_in_the_order_of_each_operation() {
    const CAPACITY: &str = "Value 'a' at 'returnConsumedCapacity' failed to satisfy constraint: \
        Member must satisfy enum value set: [INDEXES, TOTAL, NONE]";
    const METRICS: &str = "Value 'b' at 'returnItemCollectionMetrics' failed to satisfy \
        constraint: Member must satisfy enum value set: [SIZE, NONE]";
    const VALUES: &str = "Value 'c' at 'returnValues' failed to satisfy constraint: Member must \
        satisfy enum value set: [ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]";
    const OPERATOR: &str = "Value 'd' at 'conditionalOperator' failed to satisfy constraint: \
        Member must satisfy enum value set: [OR, AND]";
    const ON_FAILURE: &str = "Value 'e' at 'returnValuesOnConditionCheckFailure' failed to satisfy \
        constraint: Member must satisfy enum value set: [ALL_OLD, NONE]";
    const KEY: &str = "Value null at 'key' failed to satisfy constraint: Member must not be null";
    const ITEM: &str = "Value null at 'item' failed to satisfy constraint: Member must not be null";
    let body = r#"{"TableName":"absent","ReturnConsumedCapacity":"a",
        "ReturnItemCollectionMetrics":"b","ReturnValues":"c","ConditionalOperator":"d",
        "ReturnValuesOnConditionCheckFailure":"e"}"#;
    for (operation, order) in [
        ("PutItem", [CAPACITY, ITEM, OPERATOR, VALUES, METRICS, ON_FAILURE]),
        ("UpdateItem", [CAPACITY, METRICS, VALUES, OPERATOR, KEY, ON_FAILURE]),
        ("DeleteItem", [CAPACITY, VALUES, METRICS, KEY, OPERATOR, ON_FAILURE]),
    ] {
        let message = format!("6 validation errors detected: {}", order.join("; "));
        check_refusals(&[(operation, body, INVALID, &message)]);
    }
}

#[test]
fn enum_values_have_other_messages_if_no_member_is_missing() {
    const CAPACITY: &str = "Value 'a' at 'returnConsumedCapacity' failed to satisfy constraint: \
        Member must satisfy enum value set: [INDEXES, TOTAL, NONE]";
    const METRICS: &str = "Value 'b' at 'returnItemCollectionMetrics' failed to satisfy \
        constraint: Member must satisfy enum value set: [SIZE, NONE]";
    const VALUES: &str = "Failed to satisfy constraint: Member must satisfy enum value set: \
        [ALL_OLD, UPDATED_OLD, ALL_NEW, UPDATE_NEW, NONE]";
    const OPERATOR: &str =
        "Failed to satisfy constraint: Member must satisfy enum value set: [ALL, OR]";
    let words = r#""ReturnConsumedCapacity":"a","ReturnItemCollectionMetrics":"b",
        "ReturnValues":"c""#;
    let one = |broken: &str| format!("1 validation error detected: {broken}");
    let put = format!("3 validation errors detected: {CAPACITY}; {VALUES}; {METRICS}");
    check_refusals(&[
        ("PutItem", &format!(r#"{{"TableName":"absent","Item":{{}},{words}}}"#), INVALID, &put),
        ("DeleteItem", &format!(r#"{{"TableName":"absent","Key":{{}},{words}}}"#), INVALID, &put),
        (
            "UpdateItem",
            &format!(r#"{{"TableName":"absent","Key":{{}},{words},"ConditionalOperator":"XOR"}}"#),
            INVALID,
            &one(VALUES),
        ),
        (
            "UpdateItem",
            r#"{"TableName":"absent","Key":{},"ConditionalOperator":"XOR",
                "ReturnConsumedCapacity":"a"}"#,
            INVALID,
            &one(OPERATOR),
        ),
        (
            "UpdateItem",
            r#"{"TableName":"absent","Key":{},"ReturnConsumedCapacity":"a"}"#,
            INVALID,
            &one(CAPACITY),
        ),
        (
            "PutItem",
            r#"{"TableName":"absent","Item":{},"ConditionalOperator":"XOR"}"#,
            INVALID,
            &one(OPERATOR),
        ),
    ]);
}

#[test]
fn a_missing_key_is_listed_with_everything_else_in_the_order_of_the_members() {
    const NAME: &str = "Value '' at 'tableName' failed to satisfy constraint: Member must have \
        length greater than or equal to 1";
    const KEY: &str = "Value null at 'key' failed to satisfy constraint: Member must not be null";
    let four = format!(
        "4 validation errors detected: Value 'a' at 'returnConsumedCapacity' failed to satisfy \
         constraint: Member must satisfy enum value set: [INDEXES, TOTAL, NONE]; {NAME}; Value 'b' \
         at 'returnValues' failed to satisfy constraint: Member must satisfy enum value set: \
         [ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]; {KEY}"
    );
    check_refusals(&[
        (
            "UpdateItem",
            r#"{"TableName":"","UpdateExpression":"REMOVE a"}"#,
            INVALID,
            &format!("2 validation errors detected: {NAME}; {KEY}"),
        ),
        (
            "UpdateItem",
            r#"{"TableName":"","UpdateExpression":"REMOVE a","ReturnConsumedCapacity":"a",
                "ReturnValues":"b"}"#,
            INVALID,
            &four,
        ),
        (
            "UpdateItem",
            r#"{"TableName":"absent","Expected":{"a":{"Exists":false},"b":{"Exists":false}},
                "ConditionalOperator":"XOR"}"#,
            INVALID,
            &format!(
                "2 validation errors detected: Value 'XOR' at 'conditionalOperator' failed to \
                 satisfy constraint: Member must satisfy enum value set: [OR, AND]; {KEY}"
            ),
        ),
    ]);
}

#[test]
fn only_updates_return_other_values_than_the_old_ones() {
    const OLD_ONLY: &str = "1 validation error detected: ReturnValues can only be ALL_OLD or NONE";
    check_refusals(&[
        (
            "PutItem",
            r#"{"TableName":"absent","Item":{},"ReturnValues":"ALL_NEW"}"#,
            INVALID,
            OLD_ONLY,
        ),
        (
            "DeleteItem",
            r#"{"TableName":"absent","Key":{},"ReturnValues":"UPDATED_NEW"}"#,
            INVALID,
            OLD_ONLY,
        ),
    ]);
}

#[test]
fn actions_of_attribute_updates_are_three_words() {
    check_refusals(&[(
        "UpdateItem",
        r#"{"TableName":"absent","Key":{},"AttributeUpdates":
            {"b":{"Action":"put"},"a":{"Action":""},"c":{"Action":"DELETE"}}}"#,
        INVALID,
        "2 validation errors detected: Value '' at 'attributeUpdates.a.member.action' failed to \
         satisfy constraint: Member must satisfy enum value set: [ADD, PUT, DELETE]; Value 'put' \
         at 'attributeUpdates.b.member.action' failed to satisfy constraint: Member must satisfy \
         enum value set: [ADD, PUT, DELETE]",
    )]);
}

#[test]
fn checks_without_a_table_precede_the_lookup_of_the_table() {
    check_refusals(&[
        (
            "PutItem",
            r#"{"TableName":"absent","Item":{"a":{"N":"x"}}}"#,
            INVALID,
            "1 validation error detected: The parameter cannot be converted to a numeric value: x",
        ),
        (
            "UpdateItem",
            r#"{"TableName":"absent","Key":{"a":{"S":""}},"UpdateExpression":""}"#,
            INVALID,
            "1 validation error detected: Invalid UpdateExpression: The expression can not be \
             empty;",
        ),
        (
            "PutItem",
            r#"{"TableName":"absent","Item":{"a":{"S":""}}}"#,
            NOT_FOUND,
            "Requested resource not found",
        ),
    ]);
}

#[test]
fn keys_fit_their_table() {
    const MISMATCH: &str = "The provided key element does not match the schema";
    check_refusals(&[
        ("GetItem", r#"{"TableName":"plain","Key":{}}"#, INVALID, MISMATCH),
        ("GetItem", r#"{"TableName":"plain","Key":{"id":{"N":"1"}}}"#, INVALID, MISMATCH),
        (
            "DeleteItem",
            r#"{"TableName":"plain","Key":{"id":{"S":"a"},"b":{"S":"a"}}}"#,
            INVALID,
            MISMATCH,
        ),
        (
            "UpdateItem",
            r#"{"TableName":"plain","Key":{"id":{"S":""}}}"#,
            INVALID,
            "One or more parameter values are not valid. The AttributeValue for a key attribute \
             cannot contain an empty string value. Key: id",
        ),
        (
            "PutItem",
            r#"{"TableName":"league","Item":{"PK":{"S":"a"}}}"#,
            INVALID,
            "One or more parameter values were invalid: Missing the key SK in the item",
        ),
        (
            "PutItem",
            r#"{"TableName":"blobs","Item":{"id":{"S":"a"}}}"#,
            INVALID,
            "One or more parameter values were invalid: Type mismatch for key id expected: B \
             actual: S",
        ),
        (
            "PutItem",
            r#"{"TableName":"league","Item":
                {"PK":{"S":"a"},"SK":{"S":"a"},"city":{"L":[]}}}"#,
            INVALID,
            "One or more parameter values were invalid: Type mismatch for Index Key city Expected: \
             S Actual: L IndexName: by-city",
        ),
    ]);
}
