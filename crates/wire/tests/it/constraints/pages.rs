//! Constraints of Query and Scan.

use crate::fixture::{NOT_FOUND, VALIDATION as INVALID, check_refusals};

#[test]
fn a_query_lists_its_broken_constraints() {
    check_refusals(&[
        (
            "Query",
            r#"{"Select":"a","IndexName":"b","ReturnConsumedCapacity":"c",
                "QueryFilter":{"d":{}},"TableName":"e!","ConditionalOperator":"f",
                "AttributesToGet":[],"KeyConditions":{"g":{}},"Limit":0}"#,
            INVALID,
            "8 validation errors detected: Value 'a' at 'select' failed to satisfy constraint: \
             Member must satisfy enum value set: [SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, \
             ALL_PROJECTED_ATTRIBUTES]; Value 'b' at 'indexName' failed to satisfy constraint: \
             Member must have length greater than or equal to 3; Value 'c' at \
             'returnConsumedCapacity' failed to satisfy constraint: Member must satisfy enum value \
             set: [INDEXES, TOTAL, NONE]; Value null at \
             'queryFilter.d.member.comparisonOperator' failed to satisfy constraint: Member must \
             not be null; Value 'e!' at 'tableName' failed to satisfy constraint: Member must \
             satisfy regular expression pattern: [a-zA-Z0-9_.-]+; Value 'f' at \
             'conditionalOperator' failed to satisfy constraint: Member must satisfy enum value \
             set: [OR, AND]; Value '[]' at 'attributesToGet' failed to satisfy constraint: Member \
             must have length greater than or equal to 1; Value null at \
             'keyConditions.g.member.comparisonOperator' failed to satisfy constraint: Member must \
             not be null",
        ),
        (
            "Query",
            r#"{"TableName":"absent","Limit":0}"#,
            INVALID,
            "1 validation error detected: Value at 'Limit' failed to satisfy constraint: Member \
             must have value greater than or equal to 1",
        ),
    ]);
}

#[test]
fn a_query_needs_a_key_condition_that_fits() {
    const VALUES: &str = r#""ExpressionAttributeValues":{":a":{"S":"a"}}"#;
    let query = |condition: &str| {
        format!(r#"{{"TableName":"league","KeyConditionExpression":"{condition}",{VALUES}}}"#)
    };
    check_refusals(&[
        (
            "Query",
            r#"{"TableName":"absent"}"#,
            INVALID,
            "Either the KeyConditions or KeyConditionExpression parameter must be specified in the \
             request.",
        ),
        (
            "Query",
            r#"{"TableName":"absent","KeyConditions":{}}"#,
            INVALID,
            "Conditions can be of length 1 or 2 only",
        ),
        (
            "Query",
            r#"{"TableName":"absent","KeyConditionExpression":"a = :a",
                "ExpressionAttributeValues":{":a":{"S":"a"}}}"#,
            NOT_FOUND,
            "Requested resource not found",
        ),
        ("Query", &query("SK = :a"), INVALID, "Query condition missed key schema element: PK"),
        ("Query", &query("PK > :a"), INVALID, "Query key condition not supported"),
        (
            "Query",
            r#"{"TableName":"league","IndexName":"absent","KeyConditionExpression":"a = :a",
                "ExpressionAttributeValues":{":a":{"S":"a"}}}"#,
            INVALID,
            "The table does not have the specified index: absent",
        ),
        (
            "Query",
            r#"{"TableName":"league","IndexName":"by-city","KeyConditionExpression":"city = :a",
                "ExpressionAttributeValues":{":a":{"S":"a"}},"ConsistentRead":true}"#,
            INVALID,
            "Consistent reads are not supported on global secondary indexes",
        ),
    ]);
}

#[test]
fn a_scan_lists_its_broken_constraints() {
    check_refusals(&[
        (
            "Scan",
            r#"{"Select":"a","IndexName":"b!c","TotalSegments":0,"ReturnConsumedCapacity":"c",
                "ConditionalOperator":"f","ScanFilter":{"d":{}},"Segment":-1,"Limit":-5,
                "AttributesToGet":[]}"#,
            INVALID,
            "10 validation errors detected: Value 'a' at 'select' failed to satisfy constraint: \
             Member must satisfy enum value set: [SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, \
             ALL_PROJECTED_ATTRIBUTES]; Value 'b!c' at 'indexName' failed to satisfy constraint: \
             Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+; Value '0' at \
             'totalSegments' failed to satisfy constraint: Member must have value greater than or \
             equal to 1; Value 'c' at 'returnConsumedCapacity' failed to satisfy constraint: \
             Member must satisfy enum value set: [INDEXES, TOTAL, NONE]; Value null at 'tableName' \
             failed to satisfy constraint: Member must not be null; Value 'f' at \
             'conditionalOperator' failed to satisfy constraint: Member must satisfy enum value \
             set: [OR, AND]; Value null at 'scanFilter.d.member.comparisonOperator' failed to \
             satisfy constraint: Member must not be null; Value '-1' at 'segment' failed to \
             satisfy constraint: Member must have value greater than or equal to 0; Value '-5' at \
             'limit' failed to satisfy constraint: Member must have value greater than or equal to \
             1; Value '[]' at 'attributesToGet' failed to satisfy constraint: Member must have \
             length greater than or equal to 1",
        ),
        (
            "Scan",
            r#"{"TableName":"absent","Segment":1000000,"TotalSegments":1000001}"#,
            INVALID,
            "2 validation errors detected: Value '1000001' at 'totalSegments' failed to satisfy \
             constraint: Member must have value less than or equal to 1000000; Value '1000000' at \
             'segment' failed to satisfy constraint: Member must have value less than or equal to \
             999999",
        ),
    ]);
}

#[test]
fn segment_and_total_segments_require_each_other() {
    check_refusals(&[
        (
            "Scan",
            r#"{"TableName":"absent","Segment":0}"#,
            INVALID,
            "The TotalSegments parameter is required but was not present in the request when \
             Segment parameter is present",
        ),
        (
            "Scan",
            r#"{"TableName":"absent","TotalSegments":1}"#,
            INVALID,
            "The Segment parameter is required but was not present in the request when parameter \
             TotalSegments is present",
        ),
        (
            "Scan",
            r#"{"TableName":"absent","Segment":5,"TotalSegments":5}"#,
            INVALID,
            "The Segment parameter is zero-based and must be less than parameter TotalSegments: \
             Segment: 5 is not less than TotalSegments: 5",
        ),
    ]);
}

#[test]
fn select_and_projection_must_agree() {
    let query = |rest: &str| {
        format!(
            r#"{{"TableName":"absent","KeyConditionExpression":"a = :a",
                "ExpressionAttributeValues":{{":a":{{"S":"a"}}}},{rest}}}"#
        )
    };
    check_refusals(&[
        (
            "Query",
            &query(r#""Select":"SPECIFIC_ATTRIBUTES""#),
            INVALID,
            "1 validation error detected: Must specify the AttributesToGet or \
             ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES",
        ),
        (
            "Query",
            &query(r#""Select":"COUNT","ProjectionExpression":"b""#),
            INVALID,
            "1 validation error detected: Cannot specify the ProjectionExpression when choosing to \
             get only the Count",
        ),
        (
            "Scan",
            r#"{"TableName":"absent","Select":"ALL_PROJECTED_ATTRIBUTES"}"#,
            INVALID,
            "ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName",
        ),
        (
            "Scan",
            r#"{"TableName":"absent","Select":"ALL_PROJECTED_ATTRIBUTES",
                "ProjectionExpression":"b"}"#,
            INVALID,
            "Cannot specify the ProjectionExpression when choosing to get ALL_PROJECTED_ATTRIBUTES",
        ),
        (
            "Query",
            &query(r#""Select":"ALL_PROJECTED_ATTRIBUTES","ProjectionExpression":"b""#),
            INVALID,
            "1 validation error detected: Cannot specify the ProjectionExpression when choosing to \
             get ALL_PROJECTED_ATTRIBUTES",
        ),
        (
            "Scan",
            r#"{"TableName":"absent","Select":"ALL_ATTRIBUTES","ProjectionExpression":"b"}"#,
            INVALID,
            "Cannot specify the ProjectionExpression when choosing to get ALL_ATTRIBUTES",
        ),
    ]);
}

#[test]
fn start_keys_must_be_valid_keys() {
    let scan = |key: &str| format!(r#"{{"TableName":"plain","ExclusiveStartKey":{key}}}"#);
    check_refusals(&[
        (
            "Scan",
            &scan(r#"{"id":{}}"#),
            INVALID,
            "The provided starting key is invalid: Supplied AttributeValue is empty, must contain \
             exactly one of the supported datatypes",
        ),
        (
            "Scan",
            &scan(r#"{"id":{"N":"one"}}"#),
            INVALID,
            "The parameter cannot be converted to a numeric value: one",
        ),
        (
            "Scan",
            &scan(r#"{"id":{"S":"a"},"more":{"S":"a"}}"#),
            INVALID,
            "The provided starting key is invalid: The provided key element does not match the \
             schema",
        ),
        (
            "Query",
            r#"{"TableName":"league","KeyConditionExpression":"PK = :a",
                "ExpressionAttributeValues":{":a":{"S":"a"}},
                "ExclusiveStartKey":{"PK":{"S":"b"},"SK":{"S":"b"}}}"#,
            INVALID,
            "The provided starting key is outside query boundaries based on provided conditions",
        ),
    ]);
}
