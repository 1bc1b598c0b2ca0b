//! Which of two errors in a request is reported.

use crate::fixture::{NOT_FOUND, VALIDATION as INVALID, check_refusals, reported};

#[test]
fn the_form_of_placeholders_is_checked_before_their_values() {
    let bad_key = r#"ExpressionAttributeValues contains invalid key: Syntax error; key: "b""#;
    check_refusals(&[
        (
            "DeleteItem",
            r#"{"TableName":"absent","Key":{},"ConditionExpression":"",
                "ExpressionAttributeValues":{":b":{"a":""},"b":{"S":"a"}}}"#,
            INVALID,
            &reported("DeleteItem", bad_key),
        ),
        (
            "UpdateItem",
            r#"{"TableName":"absent","Key":{},"UpdateExpression":"",
                "ExpressionAttributeValues":{":b":{"NS":[]},"b":{"S":"a"}}}"#,
            INVALID,
            &reported("UpdateItem", bad_key),
        ),
        (
            "Query",
            r##"{"TableName":"absent","KeyConditionExpression":"",
                "ExpressionAttributeNames":{"a":"x"},
                "ExpressionAttributeValues":{":b":{"N":"x"}}}"##,
            INVALID,
            r#"ExpressionAttributeNames contains invalid key: Syntax error; key: "a""#,
        ),
        (
            "Scan",
            r##"{"TableName":"absent","FilterExpression":"","ExpressionAttributeNames":{},
                "ExpressionAttributeValues":{":b":{"N":"x"}}}"##,
            INVALID,
            "ExpressionAttributeNames must not be empty",
        ),
        (
            "TransactWriteItems",
            r#"{"TransactItems":[{"Delete":{"TableName":"absent","Key":{},
                "ConditionExpression":"","ExpressionAttributeValues":{":b":{},"b":{"S":"a"}}}}]}"#,
            INVALID,
            bad_key,
        ),
    ]);
}

#[test]
fn values_need_an_expression_that_can_use_them() {
    check_refusals(&[
        (
            "Scan",
            r#"{"TableName":"absent","ProjectionExpression":"a",
                "ExpressionAttributeValues":{":b":{"S":"a"}}}"#,
            INVALID,
            "ExpressionAttributeValues can only be specified when using expressions: \
             FilterExpression is null",
        ),
        (
            "Query",
            r#"{"TableName":"absent","ProjectionExpression":"a",
                "ExpressionAttributeValues":{":b":{"S":"a"}}}"#,
            INVALID,
            "ExpressionAttributeValues can only be specified when using expressions: \
             FilterExpression and KeyConditionExpression are null",
        ),
    ]);
}

#[test]
fn the_size_of_a_put_is_checked_before_its_expectations() {
    let value = "x".repeat(400 * 1024);
    let body = |rest: &str| {
        format!(r#"{{"TableName":"absent","Item":{{"id":{{"S":"{value}"}}}},{rest}}}"#)
    };
    check_refusals(&[
        (
            "PutItem",
            &body(r#""Expected":{"a":{}}"#),
            INVALID,
            "Item size has exceeded the maximum allowed size",
        ),
        (
            "PutItem",
            &body(r#""Expected":{"a":{}},"ReturnValues":"ALL_NEW""#),
            INVALID,
            "1 validation error detected: ReturnValues can only be ALL_OLD or NONE",
        ),
        (
            "DeleteItem",
            r#"{"TableName":"absent","Key":{},"Expected":{"a":{}},"ReturnValues":"ALL_NEW"}"#,
            INVALID,
            "1 validation error detected: One or more parameter values were invalid: Value must be \
             provided when Exists is null for Attribute: a",
        ),
    ]);
}

#[test]
fn every_expression_is_parsed_before_the_key_condition_is_checked() {
    let query = |rest: &str| {
        format!(
            r#"{{"TableName":"absent","KeyConditionExpression":"attribute_exists(PK)",{rest}}}"#
        )
    };
    check_refusals(&[
        (
            "Query",
            &query(r#""FilterExpression":"""#),
            INVALID,
            "Invalid FilterExpression: The expression can not be empty;",
        ),
        (
            "Query",
            &query(r#""ProjectionExpression":"a,a""#),
            INVALID,
            "Invalid ProjectionExpression: Two document paths overlap with each other; must remove \
             or rewrite one of these paths; path one: [a], path two: [a]",
        ),
        (
            "Query",
            &query(r#""FilterExpression":"b = :b""#),
            INVALID,
            "Invalid FilterExpression: An expression attribute value used in expression is not \
             defined; attribute value: :b",
        ),
        (
            "Query",
            &query(r#""ExpressionAttributeValues":{":b":{"S":"a"}}"#),
            INVALID,
            "Value provided in ExpressionAttributeValues unused in expressions: keys: {:b}",
        ),
        (
            "Query",
            &query(r#""FilterExpression":"attribute_exists(b)""#),
            INVALID,
            "Invalid operator used in KeyConditionExpression: attribute_exists",
        ),
    ]);
}

#[test]
fn index_keys_are_checked_before_the_item_is_read() {
    let update = |expression: &str| {
        format!(
            r#"{{"TableName":"league","Key":{{"PK":{{"S":"a"}},"SK":{{"S":"b"}}}},
                "UpdateExpression":"{expression}","ExpressionAttributeValues":{{":n":{{"N":"1"}}}}}}"#
        )
    };
    let mismatch = "One or more parameter values were invalid: Type mismatch for Index Key city \
         Expected: S Actual: N IndexName: by-city";
    let no_scalar = "Key attributes must be scalars; list random access '[]' and map lookup '.' \
         are not allowed: IndexKey: city";
    check_refusals(&[
        ("UpdateItem", &update("SET e = city[1], city = absent + :n"), INVALID, mismatch),
        ("UpdateItem", &update("SET city = :n - absent"), INVALID, mismatch),
        ("UpdateItem", &update("ADD city.b :n"), INVALID, no_scalar),
        (
            "UpdateItem",
            &update("SET e = list_append(absent, SK), f = city[1] ADD g :n"),
            INVALID,
            no_scalar,
        ),
        ("UpdateItem", &update("SET e = if_not_exists(city.b, :n)"), INVALID, no_scalar),
        (
            "UpdateItem",
            &update("SET e = PK.b ADD g :n"),
            INVALID,
            "Key attributes must be scalars; list random access '[]' and map lookup '.' are not \
             allowed: Key: PK",
        ),
        (
            "UpdateItem",
            &update("SET city = list_append(absent, SK) ADD g :n"),
            INVALID,
            "One or more parameter values were invalid: Type mismatch for Index Key city Expected: \
             S Actual: L IndexName: by-city",
        ),
        (
            "UpdateItem",
            &update("SET city = absent ADD g :n"),
            INVALID,
            "The provided expression refers to an attribute that does not exist in the item",
        ),
        (
            "UpdateItem",
            r#"{"TableName":"absent","Key":{},"UpdateExpression":"SET PK.a = b"}"#,
            NOT_FOUND,
            "Requested resource not found",
        ),
    ]);
}

#[test]
fn the_keys_of_an_index_are_checked_before_its_projection() {
    let table = |keys: &str, kind: &str, index: &str| {
        format!(
            r#"{{"TableName":"new","BillingMode":"PAY_PER_REQUEST","KeySchema":[{keys}],
                "AttributeDefinitions":[{{"AttributeName":"a","AttributeType":"S"}},
                    {{"AttributeName":"b","AttributeType":"S"}}],
                "{kind}":[{{"IndexName":"abc","KeySchema":[{index}],"Projection":{{}}}}]}}"#
        )
    };
    let a = r#"{"AttributeName":"a","KeyType":"HASH"}"#;
    let b = r#"{"AttributeName":"b","KeyType":"RANGE"}"#;
    let both = format!("{a},{b}");
    let (local, global) = ("LocalSecondaryIndexes", "GlobalSecondaryIndexes");
    let unknown = "One or more parameter values were invalid: Unknown ProjectionType: null";
    check_refusals(&[
        (
            "CreateTable",
            &table(a, local, &both),
            INVALID,
            "One or more parameter values were invalid: Table KeySchema does not have a range key, \
             which is required when specifying a LocalSecondaryIndex",
        ),
        (
            "CreateTable",
            &table(&both, local, a),
            INVALID,
            "One or more parameter values were invalid: Index KeySchema does not have a range key \
             for index: abc",
        ),
        (
            "CreateTable",
            &table(&both, global, b),
            INVALID,
            "Invalid KeySchema: The first KeySchemaElement is not a HASH key type",
        ),
        ("CreateTable", &table(&both, local, &both), INVALID, unknown),
        ("CreateTable", &table(&both, global, a), INVALID, unknown),
    ]);
}

#[test]
fn an_invalid_start_key_is_refused_before_the_key_condition() {
    let query = |index: &str, start: &str| {
        format!(
            r#"{{"TableName":"league",{index}"KeyConditionExpression":"elsewhere = :v",
                "ExpressionAttributeValues":{{":v":{{"S":"a"}}}},"ExclusiveStartKey":{{{start}}}}}"#
        )
    };
    let invalid = "The provided starting key is invalid";
    let whole = r#""PK":{"S":"a"},"SK":{"S":"b"}"#;
    check_refusals(&[
        ("Query", &query("", r#""PK":{"S":"a"}"#), INVALID, invalid),
        ("Query", &query("", r#""PK":{"S":"a"},"SK":{"N":"1"}"#), INVALID, invalid),
        ("Query", &query(r#""IndexName":"by-city","#, whole), INVALID, invalid),
        ("Query", &query("", whole), INVALID, "Query condition missed key schema element: PK"),
    ]);
}

#[test]
fn update_table_looks_up_the_table_before_it_checks_indexes() {
    let update = |table: &str, index: &str| {
        format!(
            r#"{{"TableName":"{table}","GlobalSecondaryIndexUpdates":[{{"Update":{{
                "IndexName":"{index}","ProvisionedThroughput":{{
                "ReadCapacityUnits":1000000000001,"WriteCapacityUnits":1}}}}}}]}}"#
        )
    };
    check_refusals(&[
        (
            "UpdateTable",
            &update("absent", "by-city"),
            NOT_FOUND,
            "Requested resource not found: Table: absent not found",
        ),
        (
            "UpdateTable",
            &update("league", "absent"),
            NOT_FOUND,
            "Requested resource not found: Index absent for table league",
        ),
        (
            "UpdateTable",
            &update("league", "by-city"),
            INVALID,
            "Given value 1000000000001 for ReadCapacityUnits is out of bounds for index by-city",
        ),
        (
            "UpdateTable",
            r#"{"TableName":"plain","GlobalSecondaryIndexUpdates":[
                {"Delete":{"IndexName":"abc"}},{"Delete":{"IndexName":"abd"}}]}"#,
            "LimitExceededException",
            "Subscriber limit exceeded: Only 1 online index can be created or deleted \
             simultaneously per table",
        ),
    ]);
}

fn nested(levels: usize) -> String {
    format!(r#"{}{{"S":"a"}}{}"#, r#"{"M":{"n":"#.repeat(levels), "}}".repeat(levels))
}

const TOO_DEEP: &str = "Nesting Levels have exceeded supported limits: Attributes in the item have \
    nested levels beyond supported limit";

#[test]
fn the_actions_of_a_transaction_are_checked_one_after_the_other() {
    const NO_NAME: &str = "Empty attribute name";
    const SYNTAX: &str = r#"Invalid ConditionExpression: Syntax error; token: "=", near: "= = b""#;
    const UNUSED: &str =
        "Value provided in ExpressionAttributeValues unused in expressions: keys: {:u}";
    let deep_value =
        format!("ExpressionAttributeValues contains invalid value: {TOO_DEEP} for key :deep");
    let put = |rest: &str| {
        format!(r#"{{"Put":{{"TableName":"absent","Item":{{"id":{{"S":"a"}},{rest}}}}}}}"#)
    };
    let unnamed = put(r#""":{"S":"x"}"#);
    let deep_put = |levels| put(&format!(r#""d":{}"#, nested(levels)));
    let malformed = r#"{"Put":{"TableName":"absent","Item":{"id":{"S":"a"}},
        "ConditionExpression":"a = = b"}}"#;
    let check = |levels| {
        format!(
            r#"{{"ConditionCheck":{{"TableName":"absent","Key":{{"id":{{"S":"a"}}}},
                "ConditionExpression":"d = :deep",
                "ExpressionAttributeValues":{{":deep":{}}}}}}}"#,
            nested(levels)
        )
    };
    let delete = |levels, rest: &str| {
        let key = nested(levels);
        format!(r#"{{"Delete":{{"TableName":"absent","Key":{{"id":{key}}}{rest}}}}}"#)
    };
    let unused = r#"{"Update":{"TableName":"absent","Key":{"id":{"S":"a"}},
        "UpdateExpression":"SET a = :v",
        "ExpressionAttributeValues":{":v":{"S":"x"},":u":{"S":"y"}}}}"#;
    let actions: Vec<String> = (0..500).map(|number| format!("a{number} = :v")).collect();
    let long_update = format!(
        r#"{{"Update":{{"TableName":"absent","Key":{{"id":{{"S":"a"}}}},
            "UpdateExpression":"SET {}","ExpressionAttributeValues":{{":v":{{"S":"x"}}}}}}}}"#,
        actions.join(", ")
    );
    for (actions, message) in [
        ([deep_put(40), unnamed.clone()], TOO_DEEP),
        ([unnamed.clone(), deep_put(100)], NO_NAME),
        ([unnamed.clone(), check(100)], NO_NAME),
        ([check(40), unnamed.clone()], &deep_value),
        ([delete(40, ""), malformed.to_owned()], TOO_DEEP),
        ([malformed.to_owned(), deep_put(32)], SYNTAX),
        ([malformed.to_owned(), delete(100, "")], SYNTAX),
        ([unused.to_owned(), delete(100, "")], UNUSED),
        ([delete(40, ""), unused.to_owned()], TOO_DEEP),
        (
            [long_update, delete(100, "")],
            "Invalid UpdateExpression: Expression size has exceeded the maximum allowed size;",
        ),
        (
            [put(r#""n":{"N":"x"}"#), malformed.to_owned()],
            "The parameter cannot be converted to a numeric value: x",
        ),
    ] {
        let body = format!(r#"{{"TransactItems":[{}]}}"#, actions.join(","));
        check_refusals(&[("TransactWriteItems", &body, INVALID, message)]);
    }
}

#[test]
fn values_that_only_the_older_layer_can_read_are_checked_last() {
    const NO_NAME: &str = "Empty attribute name";
    const SYNTAX: &str = r#"Invalid ConditionExpression: Syntax error; token: "=", near: "= = b""#;
    let (deep, too_deep) = (nested(61), nested(100));
    let long = format!("a = :v{}", " AND a = :v".repeat(373));
    let put = |first: &str, second: &str| {
        format!(
            r#"{{"TransactItems":[{{"Put":{{"TableName":"absent","Item":{{{first},{second}}}}}}}]}}"#
        )
    };
    let delete = |rest: &str| {
        format!(
            r#"{{"TransactItems":[{{"Delete":{{"TableName":"absent","Key":{{"id":{too_deep}}},{rest}}}}}]}}"#
        )
    };
    let (unnamed, nested) = (r#""":{"S":"x"}"#, format!(r#""d":{too_deep}"#));
    let inner = format!(r#""d":{deep}"#);
    let operation =
        |rest: &str| format!(r#"{{"TableName":"absent","Key":{{"id":{{"S":"a"}}}},{rest}}}"#);
    let condition = format!(
        r#""ConditionExpression":"d = :deep","ExpressionAttributeValues":{{":deep":{too_deep}}}"#
    );
    let expected = format!(r#""Expected":{{"a":{{"Value":{too_deep}}},"b":{{"Exists":false}}}}"#);
    check_refusals(&[
        ("TransactWriteItems", &put(unnamed, &nested), INVALID, NO_NAME),
        ("TransactWriteItems", &put(&nested, unnamed), INVALID, NO_NAME),
        ("TransactWriteItems", &put(r#""m":{"M":{"":{"S":"x"}}}"#, &inner), INVALID, TOO_DEEP),
        ("TransactWriteItems", &delete(r#""ConditionExpression":"a = = b""#), INVALID, SYNTAX),
        (
            "TransactWriteItems",
            &delete(&format!(
                r#""ConditionExpression":"{long}","ExpressionAttributeValues":{{":v":{{"S":"x"}}}}"#
            )),
            INVALID,
            "Invalid ConditionExpression: Expression size has exceeded the maximum allowed size; \
             expression size: 4109",
        ),
        (
            "DeleteItem",
            &operation(&format!(r#"{condition},"ReturnValues":"UPDATED_NEW""#)),
            INVALID,
            "ReturnValues can only be ALL_OLD or NONE",
        ),
        (
            "DeleteItem",
            &operation(&format!(r#"{condition},"ReturnValues":"BOGUS""#)),
            INVALID,
            "1 validation error detected: Value 'BOGUS' at 'returnValues' failed to satisfy \
             constraint: Member must satisfy enum value set: [ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, \
             UPDATED_NEW]",
        ),
        (
            "UpdateItem",
            &operation(&format!(r#"{expected},"ConditionalOperator":"XOR""#)),
            INVALID,
            "1 validation error detected: Value 'XOR' at 'conditionalOperator' failed to satisfy \
             constraint: Member must satisfy enum value set: [OR, AND]",
        ),
        (
            "UpdateItem",
            &operation(&condition),
            INVALID,
            &format!("ExpressionAttributeValues contains invalid value: {TOO_DEEP} for key :deep"),
        ),
        ("UpdateItem", &operation(&expected), INVALID, TOO_DEEP),
    ]);
}

#[test]
fn an_unused_conditional_operator_is_reported_before_other_values_of_a_query() {
    check_refusals(&[(
        "Query",
        r#"{"TableName":"absent","KeyConditions":
            {"id":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"a"}]}},
            "QueryFilter":{"b":{"ComparisonOperator":"NULL"},"c":{"ComparisonOperator":"NULL"}},
            "ConditionalOperator":"XOR","Select":"BOGUS"}"#,
        INVALID,
        "Failed to satisfy constraint: Member must satisfy enum value set: [ALL, OR]",
    )]);
}
