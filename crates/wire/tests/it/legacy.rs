//! The legacy parameters, which are older than expressions.

use expect_test::{Expect, expect};

use crate::fixture::{VALIDATION as INVALID, World, check_refusals, error_body, reported};

/// Puts one item, sends one request about it, and compares the response.
#[track_caller]
fn check(operation: &str, rest: &str, expected: Expect) {
    let world = World::new();
    world.put("plain", r#"{"id":{"S":"a"},"n":{"N":"5"},"s":{"SS":["x","y"]},"l":{"L":[]}}"#);
    let target = match operation {
        "PutItem" => r#""Item":{"id":{"S":"a"}}"#,
        _ => r#""Key":{"id":{"S":"a"}}"#,
    };
    let body = format!(r#"{{"TableName":"plain",{target},{rest}}}"#);
    expected.assert_eq(&world.call(operation, body.as_bytes()));
}

#[test]
fn attribute_updates_put_add_and_delete() {
    check(
        "UpdateItem",
        r#""AttributeUpdates":{
            "new":{"Value":{"S":"v"}},
            "n":{"Action":"ADD","Value":{"N":"0.5"}},
            "s":{"Action":"DELETE","Value":{"SS":["x"]}},
            "l":{"Action":"ADD","Value":{"L":[{"S":"e"}]}},
            "gone":{"Action":"DELETE"},
            "put":{"Action":"PUT","Value":{"BOOL":true}}},
            "ReturnValues":"ALL_NEW""#,
        expect![[
            r#"{"Attributes":{"id":{"S":"a"},"l":{"L":[{"S":"e"}]},"n":{"N":"5.5"},"new":{"S":"v"},"put":{"BOOL":true},"s":{"SS":["y"]}}}"#
        ]],
    );
}

#[test]
fn no_attribute_updates_are_an_update() {
    check("UpdateItem", r#""AttributeUpdates":{},"ReturnValues":"UPDATED_NEW""#, expect!["{}"]);
}

#[test]
fn expected_decides_about_writes() {
    let met = r#""Expected":{"n":{"Value":{"N":"5.0"}},"absent":{"Exists":false}}"#;
    let either = r#""ConditionalOperator":"OR","Expected":{
        "n":{"ComparisonOperator":"GT","AttributeValueList":[{"N":"9"}]},
        "s":{"ComparisonOperator":"CONTAINS","AttributeValueList":[{"S":"x"}]}}"#;
    let failed = r#""Expected":{"n":{"Exists":true,"Value":{"N":"6"}}},
        "ReturnValuesOnConditionCheckFailure":"ALL_OLD""#;
    for operation in ["PutItem", "UpdateItem", "DeleteItem"] {
        check(operation, met, expect!["{}"]);
        check(operation, either, expect!["{}"]);
        check(
            operation,
            failed,
            expect![[
                r#"{"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException","message":"The conditional request failed","Item":{"id":{"S":"a"},"l":{"L":[]},"n":{"N":"5"},"s":{"SS":["x","y"]}}}"#
            ]],
        );
    }
}

#[test]
fn invalid_attribute_updates_are_refused() {
    let update = |updates: &str| {
        format!(r#"{{"TableName":"absent","Key":{{}},"AttributeUpdates":{{{updates}}}}}"#)
    };
    check_refusals(&[
        (
            "UpdateItem",
            &update(r#""a":{}"#),
            INVALID,
            "1 validation error detected: One or more parameter values were invalid: Only DELETE action is allowed when no \
             attribute value is specified",
        ),
        (
            "UpdateItem",
            &update(r#""a":{"Action":"DELETE","Value":{"S":"x"}}"#),
            INVALID,
            "1 validation error detected: One or more parameter values were invalid: DELETE action with value is not supported \
             for the type S",
        ),
        (
            "UpdateItem",
            &update(r#""a":{"Action":"ADD","Value":{"BOOL":true}}"#),
            INVALID,
            "1 validation error detected: One or more parameter values were invalid: ADD action is not supported for the type \
             BOOL",
        ),
        (
            "UpdateItem",
            &update(r#""a":{"Value":{"SS":[]}}"#),
            INVALID,
            "1 validation error detected: One or more parameter values were invalid: An string set  may not be empty",
        ),
        (
            "UpdateItem",
            &update(r#""":{"Value":{"S":""}}"#),
            INVALID,
            "1 validation error detected: Empty attribute name",
        ),
        (
            "UpdateItem",
            r#"{"TableName":"plain","Key":{"id":{"S":"a"}},
                "AttributeUpdates":{"id":{"Value":{"S":"b"}}}}"#,
            INVALID,
            "One or more parameter values were invalid: Cannot update attribute id. This attribute \
             is part of the key",
        ),
    ]);
}

#[test]
fn invalid_conditions_are_refused() {
    let expected = |expected: &str| {
        format!(r#"{{"TableName":"absent","Item":{{}},"Expected":{{"a":{expected}}}}}"#)
    };
    const PREFIX: &str = "1 validation error detected: One or more parameter values were invalid: ";
    for (condition, message) in [
        ("{}", "Value must be provided when Exists is null for Attribute: a"),
        (r#"{"Exists":true}"#, "Value must be provided when Exists is true for Attribute: a"),
        (
            r#"{"Exists":false,"Value":{"S":""}}"#,
            "Value cannot be used when Exists is false for Attribute: a",
        ),
        (
            r#"{"Value":{"S":""},"AttributeValueList":[]}"#,
            "Value and AttributeValueList cannot be used together for Attribute: a",
        ),
        (
            r#"{"ComparisonOperator":"EQ","Exists":true}"#,
            "Exists and ComparisonOperator cannot be used together for Attribute: a",
        ),
        (
            r#"{"ComparisonOperator":"EQ"}"#,
            "Value or AttributeValueList must be used with ComparisonOperator: EQ for Attribute: a",
        ),
        (
            r#"{"AttributeValueList":[]}"#,
            "AttributeValueList can only be used with a ComparisonOperator for Attribute: a",
        ),
        (
            r#"{"ComparisonOperator":"BETWEEN","AttributeValueList":[{"S":""}]}"#,
            "Invalid number of argument(s) for the BETWEEN ComparisonOperator",
        ),
        (r#"{"ComparisonOperator":"eq"}"#, "Invalid comparison operator"),
    ] {
        let message = format!("{PREFIX}{message}");
        check_refusals(&[("PutItem", &expected(condition), INVALID, &message)]);
    }
}

#[test]
fn a_conditional_operator_joins_something() {
    const NOTHING: &str = "ConditionalOperator cannot be used without Filter or Expected";
    check_refusals(&[
        (
            "PutItem",
            r#"{"TableName":"absent","Item":{},"ConditionalOperator":"OR"}"#,
            INVALID,
            &reported("PutItem", NOTHING),
        ),
        ("Scan", r#"{"TableName":"absent","ConditionalOperator":"OR"}"#, INVALID, NOTHING),
        (
            "Query",
            r#"{"TableName":"absent","ConditionalOperator":"OR","KeyConditions":{}}"#,
            INVALID,
            NOTHING,
        ),
    ]);
}

#[test]
fn a_conditional_operator_joins_two_conditions_or_more() {
    const TWO: &str =
        "ConditionalOperator can only be used when Filter or Expected has two or more elements";
    let deep = format!(r#"{}{{"S":"a"}}{}"#, r#"{"L":["#.repeat(40), "]}".repeat(40));
    let scan = |value: &str| {
        format!(
            r#"{{"TableName":"absent","ConditionalOperator":"AND","ScanFilter":
                {{"a":{{"ComparisonOperator":"EQ","AttributeValueList":[{value}]}}}}}}"#
        )
    };
    check_refusals(&[
        (
            "PutItem",
            r#"{"TableName":"absent","Item":{},"ConditionalOperator":"OR",
                "Expected":{"a":{"Exists":false}}}"#,
            INVALID,
            &reported("PutItem", TWO),
        ),
        ("Scan", &scan(r#"{"S":"a"}"#), INVALID, TWO),
        (
            "Scan",
            &scan(&deep),
            INVALID,
            "Nesting Levels have exceeded supported limits: Attributes in the item have nested \
             levels beyond supported limit",
        ),
    ]);
}

#[test]
fn invalid_filters_are_refused() {
    let scan = |filter: &str| format!(r#"{{"TableName":"absent","ScanFilter":{{"a":{filter}}}}}"#);
    check_refusals(&[
        (
            "Scan",
            &scan(r#"{"ComparisonOperator":"LT","AttributeValueList":[{"SS":["a"]}]}"#),
            INVALID,
            "One or more parameter values were invalid: ComparisonOperator LT is not valid for SS \
             AttributeValue type",
        ),
        (
            "Scan",
            &scan(r#"{"ComparisonOperator":"IN","AttributeValueList":[{"N":"1"},{"S":"1"}]}"#),
            INVALID,
            "One or more parameter values were invalid: AttributeValues inside AttributeValueList \
             must be of same type",
        ),
        (
            "Query",
            r#"{"TableName":"absent","KeyConditions":
                {"a":{"ComparisonOperator":"NE","AttributeValueList":[{"S":"a"}]}}}"#,
            INVALID,
            "Attempted conditional constraint is not an indexable operation",
        ),
        (
            "Scan",
            r#"{"TableName":"absent","AttributesToGet":["a","b","a"]}"#,
            INVALID,
            "One or more parameter values were invalid: Duplicate value in attribute name: a",
        ),
        (
            "GetItem",
            r#"{"TableName":"absent","Key":{},"AttributesToGet":[""]}"#,
            INVALID,
            "Empty attribute name",
        ),
    ]);
}

#[test]
fn legacy_parameters_have_their_own_messages_for_errors_of_the_table() {
    let mismatch = "Type mismatch for attribute to update";
    for update in [
        r#""n":{"Action":"ADD","Value":{"SS":["x"]}}"#,
        r#""s":{"Action":"ADD","Value":{"N":"1"}}"#,
        r#""s":{"Action":"DELETE","Value":{"NS":["1"]}}"#,
        r#""n":{"Action":"ADD","Value":{"L":[]}}"#,
    ] {
        let error = error_body(INVALID, mismatch);
        let world = World::new();
        world.put("plain", r#"{"id":{"S":"a"},"n":{"N":"5"},"s":{"SS":["x"]}}"#);
        let body = format!(
            r#"{{"TableName":"plain","Key":{{"id":{{"S":"a"}}}},"AttributeUpdates":{{{update}}}}}"#
        );
        assert_eq!(world.call("UpdateItem", body.as_bytes()), error, "{update}");
    }
    let key =
        r#""KeyConditions":{"PK":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"a"}]}}"#;
    let query = |rest: &str| format!(r#"{{"TableName":"league",{key},{rest}}}"#);
    check_refusals(&[
        (
            "Query",
            &query(r#""QueryFilter":{"SK":{"ComparisonOperator":"NOT_NULL"}}"#),
            INVALID,
            "QueryFilter can only contain non-primary key attributes: Primary key attribute: SK",
        ),
        (
            "Query",
            &query(r#""Select":"COUNT","AttributesToGet":["a"]"#),
            INVALID,
            "1 validation error detected: Cannot specify the AttributesToGet when choosing to get \
             only the Count",
        ),
        (
            "Scan",
            r#"{"TableName":"league","Select":"ALL_ATTRIBUTES","AttributesToGet":["a"]}"#,
            INVALID,
            "Cannot specify the AttributesToGet when choosing to get ALL_ATTRIBUTES",
        ),
        (
            "Scan",
            r#"{"TableName":"league","Select":"COUNT","ProjectionExpression":"a"}"#,
            INVALID,
            "Cannot specify the ProjectionExpression when choosing to get only the Count",
        ),
    ]);
}

#[test]
fn not_contains_does_not_hold_for_a_missing_attribute() {
    let world = World::new();
    world.put("plain", r#"{"id":{"S":"a"},"n":{"N":"5"}}"#);
    let put = |attribute: &str| {
        let body = format!(
            r#"{{"TableName":"plain","Item":{{"id":{{"S":"a"}},"n":{{"N":"5"}}}},
                "Expected":{{"{attribute}":{{"ComparisonOperator":"NOT_CONTAINS",
                "AttributeValueList":[{{"S":"x"}}]}}}}}}"#
        );
        world.call("PutItem", body.as_bytes())
    };
    assert!(put("absent").contains("ConditionalCheckFailedException"));
    assert_eq!(put("n"), "{}");
}
