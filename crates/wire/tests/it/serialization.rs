//! Bodies that are not JSON, and members that do not have the type that AWS declares for them.

use crate::fixture::{NOT_FOUND, Refusal, SERIALIZATION, World, check_refusals};

/// The message for each kind of wrong JSON value in place of a member of one type.
type Wrong<'a> = &'a [(&'a str, &'a str)];

/// Puts every wrong value in place of `_` in the body, and compares the messages.
#[track_caller]
fn check(operation: &str, body: &str, wrong: Wrong<'_>) {
    let bodies: Vec<String> = wrong.iter().map(|(value, _)| body.replace('_', value)).collect();
    let refusals: Vec<Refusal<'_>> = wrong
        .iter()
        .zip(&bodies)
        .map(|((_, message), body)| (operation, body.as_str(), SERIALIZATION, *message))
        .collect();
    check_refusals(&refusals);
}

const NOT_A_STRING: Wrong<'_> = &[
    ("true", "TRUE_VALUE cannot be converted to String"),
    ("false", "FALSE_VALUE cannot be converted to String"),
    ("23", "NUMBER_VALUE cannot be converted to String"),
    ("-2.3", "DECIMAL_VALUE cannot be converted to String"),
    ("2e3", "DECIMAL_VALUE cannot be converted to String"),
    ("[]", "Unrecognized collection type class java.lang.String"),
    ("{}", "Start of structure or map found where not expected"),
];

const NOT_A_BOOLEAN: Wrong<'_> = &[
    ("23", "NUMBER_VALUE cannot be converted to Boolean"),
    ("2.3", "DECIMAL_VALUE cannot be converted to Boolean"),
    (r#""maybe""#, "Unexpected token received from parser"),
    ("[]", "Unrecognized collection type class java.lang.Boolean"),
    ("{}", "Start of structure or map found where not expected"),
];

const NOT_AN_INTEGER: Wrong<'_> = &[
    ("true", "TRUE_VALUE cannot be converted to Integer"),
    ("false", "FALSE_VALUE cannot be converted to Integer"),
    (r#""1""#, "STRING_VALUE cannot be converted to Integer"),
    ("[]", "Unrecognized collection type class java.lang.Integer"),
    ("{}", "Start of structure or map found where not expected"),
];

const NOT_A_LIST: Wrong<'_> = &[
    ("true", "Unexpected field type"),
    ("23", "Unexpected field type"),
    (r#""a""#, "Unexpected field type"),
    ("{}", "Start of structure or map found where not expected"),
];

const NOT_A_BLOB: Wrong<'_> = &[
    ("true", "only base-64-encoded strings are convertible to bytes"),
    ("23", "only base-64-encoded strings are convertible to bytes"),
    ("[]", "Unrecognized collection type class java.nio.ByteBuffer"),
    ("{}", "Start of structure or map found where not expected"),
    (r#""A""#, "Base64 encoded length is expected a multiple of 4 bytes but found: 1"),
    (r#""AAAAA""#, "Base64 encoded length is expected a multiple of 4 bytes but found: 5"),
    (r#""AA=A""#, "Invalid last non-pad Base64 character dectected"),
    (r#""AB==""#, "Invalid last non-pad Base64 character dectected"),
];

/// The messages for a map whose values are of this class of AWS.
macro_rules! not_a_map {
    ($class:literal) => {
        &[
            ("true", "Unexpected field type"),
            ("23", "Unexpected field type"),
            (r#""a""#, "Unexpected field type"),
            (
                "[]",
                concat!(
                    "Unrecognized collection type java.util.Map<java.lang.String, ",
                    $class,
                    ">"
                ),
            ),
        ]
    };
}

/// The messages for a structure of this class of AWS, as a named member.
macro_rules! not_a_structure {
    ($class:literal, $scalar:literal) => {
        &[
            ("true", $scalar),
            ("23", $scalar),
            (r#""a""#, $scalar),
            (
                "[]",
                concat!(
                    "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.",
                    $class
                ),
            ),
        ]
    };
}

const NOT_ATTRIBUTES: Wrong<'_> = not_a_map!("com.amazonaws.dynamodb.v20120810.AttributeValue");
const NOT_AN_ELEMENT: &str = "Unexpected value type in payload";

#[test]
fn strings_must_be_json_strings() {
    for (operation, members) in [
        (
            "PutItem",
            &[
                "TableName",
                "ConditionExpression",
                "ConditionalOperator",
                "ReturnValues",
                "ReturnValuesOnConditionCheckFailure",
                "ReturnConsumedCapacity",
                "ReturnItemCollectionMetrics",
            ][..],
        ),
        ("GetItem", &["TableName", "ProjectionExpression", "ReturnConsumedCapacity"]),
        ("UpdateItem", &["TableName", "UpdateExpression", "ConditionExpression", "ReturnValues"]),
        ("DeleteItem", &["TableName", "ConditionExpression", "ReturnValues"]),
        ("Query", &["TableName", "IndexName", "KeyConditionExpression", "Select"]),
        ("Scan", &["TableName", "IndexName", "FilterExpression", "ProjectionExpression"]),
        ("BatchGetItem", &["ReturnConsumedCapacity"]),
        ("BatchWriteItem", &["ReturnConsumedCapacity", "ReturnItemCollectionMetrics"]),
        ("TransactGetItems", &["ReturnConsumedCapacity"]),
        ("TransactWriteItems", &["ClientRequestToken", "ReturnItemCollectionMetrics"]),
    ] {
        for member in members {
            check(operation, &format!(r#"{{"{member}":_}}"#), NOT_A_STRING);
        }
    }
}

#[test]
fn booleans_and_integers_must_be_of_their_json_type() {
    for operation in ["GetItem", "Query", "Scan"] {
        check(operation, r#"{"ConsistentRead":_}"#, NOT_A_BOOLEAN);
    }
    check("Query", r#"{"ScanIndexForward":_}"#, NOT_A_BOOLEAN);
    check("BatchGetItem", r#"{"RequestItems":{"a":{"ConsistentRead":_}}}"#, NOT_A_BOOLEAN);
    check("Query", r#"{"Limit":_}"#, NOT_AN_INTEGER);
    for member in ["Limit", "Segment", "TotalSegments"] {
        check("Scan", &format!(r#"{{"{member}":_}}"#), NOT_AN_INTEGER);
    }
}

#[test]
fn lists_must_be_json_arrays() {
    for operation in ["GetItem", "Query", "Scan"] {
        check(operation, r#"{"AttributesToGet":_}"#, NOT_A_LIST);
        check(operation, r#"{"AttributesToGet":[_]}"#, NOT_A_STRING);
    }
    check("TransactGetItems", r#"{"TransactItems":_}"#, NOT_A_LIST);
    check("TransactWriteItems", r#"{"TransactItems":_}"#, NOT_A_LIST);
    check("BatchGetItem", r#"{"RequestItems":{"a":{"Keys":_}}}"#, NOT_A_LIST);
    check("PutItem", r#"{"Expected":{"a":{"AttributeValueList":_}}}"#, NOT_A_LIST);
}

#[test]
fn maps_must_be_json_objects() {
    check("PutItem", r#"{"Item":_}"#, NOT_ATTRIBUTES);
    for operation in ["GetItem", "UpdateItem", "DeleteItem"] {
        check(operation, r#"{"Key":_}"#, NOT_ATTRIBUTES);
    }
    check("Scan", r#"{"ExclusiveStartKey":_}"#, NOT_ATTRIBUTES);
    check("Query", r#"{"ExpressionAttributeValues":_}"#, NOT_ATTRIBUTES);
    check("Scan", r#"{"ExpressionAttributeNames":_}"#, not_a_map!("java.lang.String"));
    check("Scan", r#"{"ExpressionAttributeNames":{"a":_}}"#, NOT_A_STRING);
    check(
        "PutItem",
        r#"{"Expected":_}"#,
        not_a_map!("com.amazonaws.dynamodb.v20120810.ExpectedAttributeValue"),
    );
    check(
        "UpdateItem",
        r#"{"AttributeUpdates":_}"#,
        not_a_map!("com.amazonaws.dynamodb.v20120810.AttributeValueUpdate"),
    );
    check("Scan", r#"{"ScanFilter":_}"#, not_a_map!("com.amazonaws.dynamodb.v20120810.Condition"));
    check(
        "BatchGetItem",
        r#"{"RequestItems":_}"#,
        not_a_map!("com.amazonaws.dynamodb.v20120810.KeysAndAttributes"),
    );
    check(
        "BatchWriteItem",
        r#"{"RequestItems":_}"#,
        not_a_map!("java.util.List<com.amazonaws.dynamodb.v20120810.WriteRequest>"),
    );
}

#[test]
fn structures_must_be_json_objects() {
    let in_collection = not_a_structure!("AttributeValue", "Unexpected value type in payload");
    check("PutItem", r#"{"Item":{"a":_}}"#, in_collection);
    check("PutItem", r#"{"Item":{"a":{"L":[_]}}}"#, in_collection);
    check("PutItem", r#"{"Item":{"a":{"M":{"b":_}}}}"#, in_collection);
    check(
        "UpdateItem",
        r#"{"AttributeUpdates":{"a":{"Value":_}}}"#,
        not_a_structure!("AttributeValue", "Unexpected field type"),
    );
    check(
        "UpdateItem",
        r#"{"AttributeUpdates":{"a":_}}"#,
        not_a_structure!("AttributeValueUpdate", "Unexpected value type in payload"),
    );
    check(
        "BatchWriteItem",
        r#"{"RequestItems":{"a":[_]}}"#,
        not_a_structure!("WriteRequest", "Unexpected value type in payload"),
    );
    check(
        "BatchWriteItem",
        r#"{"RequestItems":{"a":[{"PutRequest":_}]}}"#,
        not_a_structure!("PutRequest", "Unexpected field type"),
    );
    check(
        "TransactWriteItems",
        r#"{"TransactItems":[_]}"#,
        not_a_structure!("TransactWriteItem", "Unexpected value type in payload"),
    );
    check(
        "TransactWriteItems",
        r#"{"TransactItems":[{"ConditionCheck":_}]}"#,
        not_a_structure!("ConditionCheck", "Unexpected field type"),
    );
    check(
        "TransactGetItems",
        r#"{"TransactItems":[{"Get":_}]}"#,
        not_a_structure!("Get", "Unexpected field type"),
    );
}

#[test]
fn data_types_must_contain_their_json_type() {
    let value = |datatype: &str| format!(r#"{{"Item":{{"a":{{"{datatype}":_}}}}}}"#);
    check("PutItem", &value("S"), NOT_A_STRING);
    check("PutItem", &value("N"), NOT_A_STRING);
    check("PutItem", &value("B"), NOT_A_BLOB);
    check("PutItem", &value("BOOL"), NOT_A_BOOLEAN);
    check("PutItem", &value("NULL"), NOT_A_BOOLEAN);
    check("PutItem", &value("M"), NOT_ATTRIBUTES);
    for list in ["L", "SS", "NS", "BS"] {
        check("PutItem", &value(list), NOT_A_LIST);
    }
    check("PutItem", r#"{"Item":{"a":{"SS":[_]}}}"#, NOT_A_STRING);
    check("PutItem", r#"{"Item":{"a":{"NS":[_]}}}"#, NOT_A_STRING);
    check("PutItem", r#"{"Item":{"a":{"BS":[_]}}}"#, NOT_A_BLOB);
}

#[test]
fn a_body_is_one_object() {
    for operation in ["PutItem", "Scan", "BatchGetItem", "TransactWriteItems"] {
        check(
            operation,
            "_",
            &[
                ("", ""),
                ("{", ""),
                ("{}{}", ""),
                ("{} x", ""),
                (r#"{"TableName""#, ""),
                (r#"{"TableName":"a",}"#, ""),
                (r#"{"TableName":"a}"#, ""),
                ("{'TableName':'a'}", ""),
                ("\u{feff}{}", ""),
                ("[]", "Unrecognized collection type class java.util.Map"),
                ("true", NOT_AN_ELEMENT),
                ("23", NOT_AN_ELEMENT),
                (r#""a""#, NOT_AN_ELEMENT),
                ("null", NOT_AN_ELEMENT),
            ],
        );
    }
}

#[test]
fn invalid_utf8_is_not_json() {
    let world = World::new();
    let response = world.call("PutItem", b"{\"TableName\":\"\xff\"}");
    assert_eq!(response, r#"{"__type":"com.amazon.coral.service#SerializationException"}"#);
}

#[test]
fn null_members_are_left_out_and_unknown_ones_passed_over() {
    let body = r#"{"TableName":"absent","Key":{"a":{"S":"a"}},"Expected":null,"ReturnValues":null,
        "ConditionExpression":null,"ExpressionAttributeNames":null,
        "ExpressionAttributeValues":null,"ConditionalOperator":null,"AttributeUpdates":null,
        "UpdateExpression":null,"AttributesToGet":null,"ProjectionExpression":null,
        "ConsistentRead":null,"Unknown":{"a":[1,{"b":null}]},"tableName":7}"#;
    for operation in ["GetItem", "UpdateItem", "DeleteItem"] {
        check_refusals(&[(operation, body, NOT_FOUND, "Requested resource not found")]);
    }
}

#[test]
fn the_last_of_several_members_counts() {
    let body = r#"{"TableName":"plain","TableName":"absent","Key":{}}"#;
    check_refusals(&[("GetItem", body, NOT_FOUND, "Requested resource not found")]);
}

#[test]
fn integers_lose_their_fraction_and_saturate() {
    let world = World::new();
    for limit in ["1.9", "1e0", "99999999999", "1e300"] {
        let body = format!(r#"{{"TableName":"plain","Limit":{limit}}}"#);
        assert_eq!(world.answer("Scan", &body), r#"{"Items":[],"Count":0,"ScannedCount":0}"#);
    }
}

#[test]
fn documents_nest_2000_levels_deep() {
    for (opening, closing) in [("[", "]"), (r#"{"L":["#, "]}"), (r#"{"M":{"a":"#, "}}")] {
        for member in ["Unknown", "TableName", "Item"] {
            let deep = format!("{}{}", opening.repeat(2_001), closing.repeat(2_001));
            let response =
                World::new().call("PutItem", format!(r#"{{"{member}":{deep}}}"#).as_bytes());
            assert!(response.contains("SerializationException"), "{response}");
        }
        let endless = format!(r#"{{"Item":{{"a":{}"#, opening.repeat(100_000));
        let response = World::new().call("PutItem", endless.as_bytes());
        assert!(response.contains("SerializationException"), "{response}");
    }
}

#[test]
fn a_scalar_in_place_of_a_collection_in_a_collection_shows_classes_of_java() {
    const TYPE: &str = "sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl";
    let message = format!(
        "class {TYPE} cannot be cast to class java.lang.Class ({TYPE} and java.lang.Class are in \
         module java.base of loader 'bootstrap')"
    );
    for scalar in ["true", "23", r#""x""#] {
        let batch_get = format!(r#"{{"RequestItems":{{"abc":{{"Keys":[{scalar}]}}}}}}"#);
        let batch_write = format!(r#"{{"RequestItems":{{"abc":{scalar}}}}}"#);
        check_refusals(&[
            ("BatchGetItem", &batch_get, SERIALIZATION, &message),
            ("BatchWriteItem", &batch_write, SERIALIZATION, &message),
        ]);
    }
}
