//! Parameters that cannot be combined, and placeholders that no expression uses.

use crate::fixture::{Refusal, VALIDATION as INVALID, check_refusals, reported};

const KEY: &str = r#""TableName":"absent","Key":{"a":{"S":"a"}}"#;
const ITEM: &str = r#""TableName":"absent","Item":{"a":{"S":"a"}}"#;
const TABLE: &str = r#""TableName":"absent""#;

/// Sends requests that start with valid members.
#[track_caller]
fn check(start: &str, refusals: &[(&str, &str, &str)]) {
    let bodies: Vec<String> =
        refusals.iter().map(|(_, rest, _)| format!("{{{start},{rest}}}")).collect();
    let messages: Vec<String> =
        refusals.iter().map(|(operation, _, message)| reported(operation, message)).collect();
    let refusals: Vec<Refusal<'_>> = refusals
        .iter()
        .zip(bodies.iter().zip(&messages))
        .map(|((operation, ..), (body, message))| (*operation, body.as_str(), INVALID, &**message))
        .collect();
    check_refusals(&refusals);
}

/// AWS's message about legacy parameters and expressions in one request.
macro_rules! mixture {
    ($old:literal, $new:literal) => {
        concat!(
            "Can not use both expression and non-expression parameters in the same request: ",
            "Non-expression parameters: {",
            $old,
            "} Expression parameters: {",
            $new,
            "}"
        )
    };
}

#[test]
fn old_and_new_parameters_of_writes_do_not_mix() {
    check(
        ITEM,
        &[
            (
                "PutItem",
                r#""Expected":{},"ConditionExpression":"""#,
                mixture!("Expected", "ConditionExpression"),
            ),
            (
                "PutItem",
                r#""Expected":{},"ConditionalOperator":"OR","ConditionExpression":"""#,
                mixture!("Expected, ConditionalOperator", "ConditionExpression"),
            ),
        ],
    );
    check(
        KEY,
        &[
            (
                "DeleteItem",
                r#""Expected":{},"ConditionExpression":"""#,
                mixture!("Expected", "ConditionExpression"),
            ),
            (
                "UpdateItem",
                r#""AttributeUpdates":{},"Expected":{},"UpdateExpression":"",
                    "ConditionExpression":"""#,
                mixture!("AttributeUpdates, Expected", "UpdateExpression, ConditionExpression"),
            ),
            (
                "UpdateItem",
                r#""AttributeUpdates":{},"ConditionExpression":"""#,
                mixture!("AttributeUpdates", "ConditionExpression"),
            ),
        ],
    );
}

#[test]
fn old_and_new_parameters_of_reads_do_not_mix() {
    check(
        KEY,
        &[(
            "GetItem",
            r#""AttributesToGet":["a"],"ProjectionExpression":"""#,
            mixture!("AttributesToGet", "ProjectionExpression"),
        )],
    );
    check(
        TABLE,
        &[
            (
                "Query",
                r#""AttributesToGet":["a"],"QueryFilter":{},"ConditionalOperator":"AND",
                    "KeyConditions":{},"ProjectionExpression":"","FilterExpression":"",
                    "KeyConditionExpression":"""#,
                mixture!(
                    "AttributesToGet, QueryFilter, ConditionalOperator, KeyConditions",
                    "ProjectionExpression, FilterExpression, KeyConditionExpression"
                ),
            ),
            (
                "Query",
                r#""KeyConditions":{},"KeyConditionExpression":"""#,
                mixture!("KeyConditions", "KeyConditionExpression"),
            ),
            (
                "Scan",
                r#""AttributesToGet":["a"],"ScanFilter":{},"ConditionalOperator":"AND",
                    "ProjectionExpression":"","FilterExpression":"""#,
                mixture!(
                    "AttributesToGet, ScanFilter, ConditionalOperator",
                    "ProjectionExpression, FilterExpression"
                ),
            ),
        ],
    );
    check_refusals(&[(
        "BatchGetItem",
        r#"{"RequestItems":{"one":{"Keys":[{}],"AttributesToGet":["a"]},
            "two":{"Keys":[{}],"ProjectionExpression":"a"}}}"#,
        INVALID,
        mixture!("AttributesToGet", "ProjectionExpression"),
    )]);
}

#[test]
fn names_need_an_expression() {
    const NO_EXPRESSION: &str =
        "ExpressionAttributeNames can only be specified when using expressions";
    let names = r#""ExpressionAttributeNames":{}"#;
    check(ITEM, &[("PutItem", names, NO_EXPRESSION)]);
    check(
        KEY,
        &[
            ("GetItem", names, NO_EXPRESSION),
            ("UpdateItem", names, NO_EXPRESSION),
            ("DeleteItem", names, NO_EXPRESSION),
        ],
    );
    check(TABLE, &[("Query", names, NO_EXPRESSION), ("Scan", names, NO_EXPRESSION)]);
    check_refusals(&[
        (
            "BatchGetItem",
            r#"{"RequestItems":{"absent":{"Keys":[{}],"ExpressionAttributeNames":{"a":"b"}}}}"#,
            INVALID,
            NO_EXPRESSION,
        ),
        (
            "TransactGetItems",
            r#"{"TransactItems":[{"Get":{"TableName":"absent","Key":{},
                "ExpressionAttributeNames":{"a":"b"}}}]}"#,
            INVALID,
            NO_EXPRESSION,
        ),
    ]);
}

#[test]
fn values_need_an_expression_and_reads_name_it() {
    let values = r#""ExpressionAttributeValues":{}"#;
    check(
        ITEM,
        &[(
            "PutItem",
            values,
            "ExpressionAttributeValues can only be specified when using expressions",
        )],
    );
    check(
        KEY,
        &[
            (
                "UpdateItem",
                values,
                "ExpressionAttributeValues can only be specified when using expressions",
            ),
            (
                "DeleteItem",
                values,
                "ExpressionAttributeValues can only be specified when using expressions",
            ),
        ],
    );
    check(
        TABLE,
        &[
            (
                "Query",
                values,
                "ExpressionAttributeValues can only be specified when using expressions: \
                 FilterExpression and KeyConditionExpression are null",
            ),
            (
                "Scan",
                values,
                "ExpressionAttributeValues can only be specified when using expressions: \
                 FilterExpression is null",
            ),
        ],
    );
}

#[test]
fn placeholders_are_well_formed_and_used() {
    let names = |names: &str| {
        format!(r#""ConditionExpression":"a = :a","ExpressionAttributeNames":{names}"#)
    };
    let values = |values: &str| {
        format!(r#""ConditionExpression":"a = :a","ExpressionAttributeValues":{values}"#)
    };
    check(
        ITEM,
        &[
            ("PutItem", &names("{}"), "ExpressionAttributeNames must not be empty"),
            (
                "PutItem",
                &names(r#"{"a":"b"}"#),
                r#"ExpressionAttributeNames contains invalid key: Syntax error; key: "a""#,
            ),
            ("PutItem", &values("{}"), "ExpressionAttributeValues must not be empty"),
            (
                "PutItem",
                &values(r#"{"a":{"S":""}}"#),
                r#"ExpressionAttributeValues contains invalid key: Syntax error; key: "a""#,
            ),
            (
                "PutItem",
                &values(r#"{":b":{"S":""}}"#),
                "Invalid ConditionExpression: An expression attribute value used in expression is \
                 not defined; attribute value: :a",
            ),
            (
                "PutItem",
                &values(r#"{":a":{"S":""},":c":{"S":""},":b":{"S":""}}"#),
                "Value provided in ExpressionAttributeValues unused in expressions: keys: {:b, :c}",
            ),
            (
                "PutItem",
                &values(r##"{":a":{"S":""}},"ExpressionAttributeNames":{"#n":"n"}"##),
                "Value provided in ExpressionAttributeNames unused in expressions: keys: {#n}",
            ),
        ],
    );
}
